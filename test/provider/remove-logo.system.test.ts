/** `logoUrl: null` on its way through both engines: declared, unchanged, also after a refresh, undone. */
import { expect, it } from "vitest";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { engines, Program } from "./programs";

it.each(engines)("a logo is removed and comes back, with %s", async (engine) => {
  const service = await emulatorForTest({ edition: "current" });
  const program = new Program(engine);
  const client = connect({ baseUrl: service.url, apiKey: service.keys.partner, edition: "current" });
  const logo = async () => (await client.branding.get()).branding_logo;
  program.launch.environment = { ESIGN_EDITION: "current" };
  program.wanted = [{ kind: "Branding", name: "look", args: { logoUrl: null } }];
  await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
  const original = await logo();
  await program.operate("up");
  expect(await logo()).toBeNull();
  service.clearLog();
  await program.operate("up");
  await program.operate("up", "--refresh");
  expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  await program.operate("destroy");
  expect(await logo()).toBe(original);
});
