/** Two provider instances of one account in one run: each is a process of its own, or has a session of its own in the engine's process. */
import { describe, expect, it } from "vitest";
import { spread } from "../chance";
import { emulatorForTest } from "../emulator/use-emulator";
import { save } from "../files";
import { likeness } from "../reliability/agreement";
import { type Form, generatedSdk, pluginPackage } from "./program-forms";
import { engines, Program } from "./programs";

/** Resources by their names; true for those of the explicit provider. */
type Edition = Record<string, { kind: string; isOwn: boolean; args: object }>;
const look = (colour: string, isOwn: boolean) => ({ kind: "Branding", isOwn, args: { colour } });
const mail = (subject: string, isOwn: boolean) => ({
  kind: "BrandingEmail",
  isOwn,
  args: { type: "email-send", subject },
});
const hook = (isOwn: boolean) => ({ kind: "Webhook", isOwn, args: { type: "all", url: "https://r.example/" } });

const node = (form: Form, resources: Edition) => `
"use strict";
const pulumi = require("@pulumi/pulumi");
${form === "dynamic" ? 'const esign = require("pulumi-esign");' : generatedSdk}
const config = new pulumi.Config("esign");
const provider = new esign.Provider("own", { apiKey: config.requireSecret("apiKey"), baseUrl: config.require("baseUrl") });
for (const [name, { kind, isOwn, args }] of Object.entries(${JSON.stringify(resources)}))
  new esign[kind](name, args, isOwn ? { provider } : {});
`;

const yaml = (resources: Edition) => `name: program
runtime: yaml
${pluginPackage}resources:
  own:
    type: pulumi:providers:esign
    properties: { apiKey: "\${esign:apiKey}", baseUrl: "\${esign:baseUrl}" }
${Object.entries(resources)
  .map(([name, { kind, isOwn, args }]) => {
    const options = isOwn ? `\n    options: { provider: "\${own}" }` : "";
    return `  ${name}:\n    type: esign:${kind}\n    properties: ${JSON.stringify(args)}${options}`;
  })
  .join("\n")}
`;

const filesOf = (form: Form, resources: Edition): Record<string, string> =>
  form === "yaml" ? { "Pulumi.yaml": yaml(resources) } : { "index.js": node(form, resources) };

const doubles: [string, Edition[string]][] = [
  ["Branding", look("#222222", true)],
  ["BrandingEmail", mail("B {contract title}", false)],
  ["Webhook", hook(true)],
];

// Each form begins with another kind.
const worlds = engines.flatMap((engine) =>
  (engine === "embedded" ? (["dynamic", "plugin", "yaml"] as const) : (["dynamic", "plugin"] as const)).map(
    (form, first) => [engine, form, spread([...doubles.slice(first), ...doubles.slice(0, first)], 1)] as const,
  ),
);

describe.each(worlds)("the %s engine, the %s form", (engine, form, tried) => {
  it("refuses two resources of one object, in the plan and before a write; what has moved is one", async () => {
    const service = await emulatorForTest();
    const original = likeness(service);
    // A project in YAML has no file of its own beside Pulumi.yaml.
    const program = new Program(engine, undefined, form === "yaml" ? "plugin" : form);
    const declare = (resources: Edition) => save(program.folder, filesOf(form, resources));
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    const writes = () => service.requests().filter(({ method }) => method !== "GET").length;

    const first: Edition = { look: look("#111111", false), mail: mail("A {contract title}", true), hook: hook(false) };
    declare(first);
    await program.operate("up");
    const made = likeness(service);
    let count = writes();
    for (const [kind, resource] of tried) {
      declare({ ...first, double: resource });
      const expectRefused = async (...args: string[]) => {
        const { code, output } = await program.run(...args, "--stack", program.stack);
        expect(code).not.toBe(0);
        expect(output).toMatch(new RegExp(`${kind} "\\w+" and "\\w+" declare the same object, through two providers`));
      };
      await expectRefused("up", "--yes");
      expect([likeness(service), writes()]).toEqual([made, count]);
      // Without a plan, the first one may have written before the other one is known.
      await expectRefused("up", "--yes", "--skip-preview", "--refresh");
      declare(first);
      await program.operate("up");
      // What the other one knew of it is recorded only now, by the command itself, or by the next run of the CLI.
      await program.operate("up");
      expect(likeness(service)).toEqual(made);
      await program.operate("up", "--expect-no-changes");
      count = writes();
    }
    // With the other provider; with another name as well.
    declare({ look: look("#111111", true), mail: mail("A {contract title}", false), hook: hook(true) });
    await program.operate("up");
    declare({ look2: look("#111111", false), mail2: mail("A {contract title}", true), hook2: hook(false) });
    await program.operate("up");
    expect(likeness(service)).toEqual(made);
    await program.operate("up", "--refresh");
    await program.operate("up", "--expect-no-changes");
    await program.operate("destroy");
    expect(likeness(service)).toEqual(original);
  });
});
