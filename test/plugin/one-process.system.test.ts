/** What a component registers is served by the provider that has constructed it: a program in YAML names no version, and the classes do. */
import { describe, expect, it } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { engines, Program } from "../provider/programs";

const service = useEmulator();
const program = `
"use strict";
const { ComponentResource, CustomResource } = require("@pulumi/pulumi");
const firm = { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false };
class SubAccount extends ComponentResource {
  constructor(name) {
    super("esign:index:SubAccount", name, { companyId: undefined, apiKey: undefined, ...firm }, {}, true);
  }
}
class Webhook extends CustomResource {
  constructor(name, args) {
    super("esign:index:Webhook", name, args);
  }
}
const { companyId } = new SubAccount("firm");
new Webhook("inside", { account: companyId, type: "all", url: "https://r.example/" });
`;

describe.each(engines)("with the %s engine", (engine) => {
  it("one process plans a new company and what the program declares in it, and has both in the state", async () => {
    await service.reset();
    const run = new Program(engine, program, "plugin");
    await run.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    const { output } = await run.succeed("preview", "--stack", run.stack);
    if (engine === "embedded")
      expect(output).toMatch(/Webhook +inside +create .*in an account that does not exist yet/);
    await run.operate("up");
    const providers = (await run.state()).flatMap(({ provider = "" }) => /::(default\w*)::/.exec(provider)?.[1] ?? []);
    expect(providers).toEqual(["default", "default"]);
    await run.operate("up", "--expect-no-changes");
  });
});
