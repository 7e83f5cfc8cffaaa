/** The examples of the reference, deployed as they are, on the built-in engine. Those in Python and Go: languages.nightly.test.ts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../cli/esign";
import { esign } from "../cli/in-process";
import { emulatorForTest } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";

const folders = ["registry/examples", "registry/programs"];
const examples = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => join(folder, name)),
);

it.each(examples)("%s", async (path) => {
  const service = await emulatorForTest({
    edition: "current",
    seed: { account: { templates: [{ title: "Service agreement" }] } },
  });
  const program = readFileSync(join(root, path), "utf8").replace("https://sign.example.com", service.url);
  const home = temporaryFolder({ "Pulumi.yaml": `name: example\nruntime: yaml\n${program}` });
  save(home, { "account/account.yaml": "webhooks:\n  signed:\n    type: all\n    url: ${hooks}/signed\n" });
  const run = async (...args: string[]) => {
    const env = {
      PULUMI_CONFIG_PASSPHRASE: "correct-horse",
      ESIGN_EDITION: "current",
      ESIGN_BASE_URL: service.url,
      ESIGN_API_KEY: service.keys.partner,
    };
    const { code, stdout, stderr } = await esign(args, { home, env });
    expect(code, stderr + stdout).toBe(0);
  };
  await run("stack", "init", "dev");
  if (program.includes("productionKey")) await run("config", "set", "--secret", "productionKey", service.keys.partner);
  await run("up", "--yes", "--skip-preview", "--engine", "embedded");
  await run("up", "--yes", "--skip-preview", "--expect-no-changes", "--engine", "embedded");
});
