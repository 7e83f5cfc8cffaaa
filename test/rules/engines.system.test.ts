/** The ready pack, with the real @pulumi/policy, on the built-in engine; and on the Pulumi CLI where that is installed. */
import { cpSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { bareEnv, beginShop, esignProcess, root } from "../cli/esign";
import { esign as command } from "../cli/in-process";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { cases, config, stack } from "./cases";

const pulumi = findPulumi();
const home = temporaryFolder();
const service = useEmulator();

beforeAll(async () => {
  beginShop(home, "@pulumi/policy");
  cpSync(join(root, "templates/policy"), join(home, "policy"), { recursive: true });
  writeFileSync(join(home, "policies.json"), JSON.stringify(config));
  writeFileSync(
    join(home, "index.js"),
    `const esign = require("pulumi-esign");
     for (const { kind, name, args } of ${JSON.stringify(cases)}) new esign[kind](name, args);`,
  );
  await run("embedded", "stack", "init", stack);
  // A violation.
  await run("embedded", "config", "set", "--plaintext", "shop:apiKey", "0123456789");
});

const pack = ["--policy-pack", "policy", "--policy-pack-config", "policies.json"];

async function run(engine: "pulumi" | "embedded", ...args: string[]) {
  // The CLI writes to the streams of the process that starts it.
  const outcome = await (engine === "pulumi" ? esignProcess : command)([...args, "--engine", engine], {
    home,
    env: {
      PATH: `${dirname(pulumi ?? "")}${delimiter}${bareEnv(home).PATH}`,
      // Where a shell would be.
      PWD: home,
      ESIGN_BASE_URL: service.url,
      ESIGN_API_KEY: service.keys.partner,
      PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    },
  });
  return { ...outcome, all: outcome.stderr + outcome.stdout };
}

/** The violations of all cases, as `resource policy`. */
const expected = [
  ...cases.flatMap(({ name, violates }) => violates.map((line) => `${name} ${line.split(" ")[0]}`)),
  `shop-${stack} no-plaintext-key`,
].sort();

it.for(["embedded", "pulumi"] as const)("%s reports every violation in a preview", async (engine, { skip }) => {
  if (engine === "pulumi" && pulumi === undefined) skip("no Pulumi CLI on PATH");
  const { code, stdout, all } = await run(engine, "preview", "--json", "--stack", stack, ...pack);
  const found = stdout.split("\n").flatMap((line) => {
    const { type, message = "", urn = "", severity } = line === "" ? ({} as never) : JSON.parse(line);
    const policy = /^mandatory policy (\S+) \(esign@v0.1.0\)/.exec(message)?.[1];
    return type === "diagnostic" && severity === "error" && policy ? [`${urn.split("::").at(-1)} ${policy}`] : [];
  });
  expect(found.sort()).toEqual(expected);
  expect(code).toBe(1);
  expect(all).not.toContain("0123456789");
});

it("an up stops before the resource is touched", async () => {
  // The key in clear would stop it earlier.
  writeFileSync(join(home, "policies.json"), JSON.stringify({ "no-plaintext-key": "disabled" }));
  const target = ["--target", "**::everything"];
  const { code, all } = await run("embedded", "up", "--yes", "--skip-preview", ...target, ...pack);
  expect(all).toContain("url: the URL is not https. Fix: use https://.");
  expect([code, service.data().accounts.flatMap(({ webhooks }) => webhooks)]).toEqual([1, []]);
});
