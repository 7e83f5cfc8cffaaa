/** `esign up` ends when the state has the original values, also where resources got another name. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { Program, type Wanted } from "../provider/programs";

const service = useEmulator();
let program: Program;
beforeAll(async () => {
  program = new Program("embedded");
  await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
}, 120_000);

const named = (name: string): Wanted[] => [
  { kind: "Branding", name, args: { colour: "#0a0b0c" } },
  { kind: "Webhook", name: "hook", args: { type: "all", url: "https://a.example/", onExisting: "create" } },
];
const colour = async () =>
  (await connect({ baseUrl: service.url, apiKey: service.keys.partner }).branding.get()).branding_colour;
const forget = () => rmSync(join(program.folder, ".esign"), { recursive: true, force: true });

it("after another name, with the state alone", { timeout: 120_000 }, async () => {
  const original = await colour();
  program.wanted = named("one");
  await program.operate("up");
  forget();
  program.wanted = named("other");
  service.clearLog();
  const { output } = await program.operate("up", "--replace", "**::hook");
  expect(output).toMatch(/a second run records .* what the former ones knew/);
  const writes = service.requests().filter(({ method }) => method !== "GET");
  expect(writes.map(({ method, path }) => `${method} ${path.split("/")[2]}`).sort()).toEqual([
    "DELETE webhooks",
    "POST webhooks",
  ]);
  forget();
  expect((await program.operate("up")).output).not.toMatch(/second run/);
  await program.operate("destroy");
  expect(await colour()).toBe(original);
});
