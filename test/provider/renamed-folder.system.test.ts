/** The folder of a subaccount gets another name: its company.yaml says what it was called, and nothing changes but the state. */
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emulatorForTest } from "../emulator/use-emulator";
import { save } from "../files";
import { engines, Program } from "./programs";

const program = `new (require("pulumi-esign").AccountConfig)("main", { folder: "account", values: {} });`;
const company = "name: Acme Ltd\nuserName: Ann\nuserEmail: ann@acme.example\n";

it.each(engines)("%s: aliases keep what is in it, and what protects it", async (engine) => {
  const service = await emulatorForTest();
  const run = new Program(engine, program);
  const at = join(run.folder, "account/companies");
  save(at, {
    "acme/company.yaml": company,
    "acme/account.yaml":
      'branding: { colour: "#0B5C6B" }\nwebhooks: { one: { type: all, url: "https://a.example" } }\n',
    "acme/emails/email-send/subject.txt": "Sign {contract title}\n",
  });
  await run.begin({ apiKey: service.keys.partner, baseUrl: service.url });
  await run.operate("up");
  service.clearLog();
  const urns = async (): Promise<string[]> => {
    await run.succeed("stack", "export", "--stack", run.stack, "--file", "state.json");
    const { deployment } = JSON.parse(readFileSync(join(run.folder, "state.json"), "utf8"));
    return deployment.resources.map(({ urn }: { urn: string }) => urn).sort();
  };
  const before = await urns();

  renameSync(join(at, "acme"), join(at, "acme-inc"));
  const refused = await run.run("preview", "--stack", run.stack);
  // The built-in engine refuses its own plan; the CLI by itself knows no protection yet.
  if (engine === "embedded") {
    expect(refused.code).not.toBe(0);
    expect(refused.output).toMatch(/another resource adopts it. If you renamed it, add an alias/);
  }
  for (const [name, aliases] of [
    ["acme-inc", "[acme]"],
    ["acme-group", "[acme, acme-inc]"],
  ] as const) {
    if (name === "acme-group") renameSync(join(at, "acme-inc"), join(at, name));
    save(at, { [`${name}/company.yaml`]: `${company}aliases: ${aliases}\n` });
    await run.operate("up");
    expect(await urns()).toEqual(before.map((urn) => urn.replace("main-acme", `main-${name}`)));
  }
  save(at, { "acme-group/company.yaml": company });
  await run.succeed("preview", "--expect-no-changes", "--stack", run.stack);
  expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
});
