/** A stack moves from dynamic resources to the plugin and back, on each engine, without a write to the account. */
import { describe, expect, it } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { save } from "../files";
import { formOf } from "../provider/program-forms";
import { engines, Program, type Wanted } from "../provider/programs";

const hook = { type: "all", url: "https://r.example/" };
const firm = { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false };
const resources: Wanted[] = [
  { kind: "Branding", name: "branding", args: { colour: "#558caa" } },
  { kind: "Webhook", name: "hook", args: hook },
  { kind: "Company", name: "firm", args: firm },
  { kind: "Webhook", name: "firm-hook", args: { account: "firm", ...hook } },
];

describe.each(engines)("with the %s engine", (engine) => {
  const service = useEmulator();

  it("a stack of dynamic resources becomes one of the plugin, and one of dynamic resources again", async () => {
    const program = new Program(engine, undefined, "plugin");
    const become = (form: "dynamic" | "plugin") =>
      save(program.folder, { "index.js": formOf(form).files["index.js"]! });
    const types = async () => new Set((await program.state()).map(({ type }) => type.replace(/:\w+$/, "")));
    const writes = () => service.requests().filter(({ method }) => method !== "GET");
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    become("dynamic");
    program.wanted = resources;
    await program.operate("up");
    expect(await types()).toContain("pulumi-nodejs:dynamic/esign");
    service.clearLog();

    become("plugin");
    await program.operate("up");
    await program.operate("up", "--refresh", "--expect-no-changes");
    expect(await types()).toEqual(new Set(["pulumi:pulumi", "pulumi:providers", "esign:index"]));

    become("dynamic");
    await program.operate("up");
    await program.operate("up", "--refresh", "--expect-no-changes");
    expect(await types()).not.toContain("esign:index");
    expect(writes()).toEqual([]);

    await program.operate("destroy");
    expect(service.data().accounts.filter(({ name }) => name.startsWith("Firm"))).toEqual([]);
  });
});
