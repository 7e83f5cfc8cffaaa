/**
 * Programs in YAML, one for each thing that the language has, with what the Pulumi CLI makes of them: test/fixtures/yaml. The second part
 * asks the CLI again where it is installed; with RECORD=1 it writes down what it says.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { emulatorForTest } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { comparable, type StateResource } from "./comparable-state";
import { root, run } from "./esign";
import { esign as command } from "./in-process";

const folder = join(__dirname, "../fixtures/yaml");
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => name.slice(0, -".yaml".length));

/** What an engine makes of a program: its outputs, and its resources as the state has them. Undefined where it is refused. */
interface Result {
  resources?: Record<string, unknown>;
}

async function deploy(
  name: string,
  engine: "embedded" | "pulumi",
): Promise<{ result: Result; said: string; writes: number }> {
  const service = await emulatorForTest();
  const home = temporaryFolder();
  const pulumi = findPulumi();
  const text = readFileSync(join(folder, `${name}.yaml`), "utf8")
    .replaceAll("KEY", service.keys.partner)
    .replaceAll("OTHER", service.keys.account)
    .replaceAll("URL", service.url);
  const plugin = `plugins: { providers: [{ name: esign, path: "${join(root, "plugin")}" }] }\n`;
  writeFileSync(join(home, "Pulumi.yaml"), `name: shop\nruntime: yaml\n${plugin}${text}`);
  writeFileSync(join(home, "text.txt"), "Grüße\n\ttwo ${x}\n");
  const env = {
    ...{ ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, PULUMI_CONFIG_PASSPHRASE: "pw" },
    ...{ PULUMI_BACKEND_URL: `file://${home}`, PULUMI_HOME: join(home, "pulumi-home") },
    ...(pulumi && { PATH: `${dirname(pulumi)}:${process.env.PATH}` }),
  };
  const own = (...args: string[]) => command([...args, "--engine", "embedded"], { home, env });
  writeFileSync(join(home, "Pulumi.dev.yaml"), 'config: { shop:n2: "12", shop:flag: "true", shop:zip: "012" }\n');
  expect((await own("stack", "init", "dev")).code).toBe(0);
  service.clearLog();
  const up = ["up", "--yes", "--skip-preview"];
  const { code, stdout, stderr } =
    engine === "embedded" ? await own(...up) : await run(pulumi!, [...up, "--non-interactive"], { home, env });
  const said = stdout + stderr;
  const writes = service.requests().filter(({ method }) => method !== "GET").length;
  if (code !== 0) return { result: {}, said, writes };
  const exported = await own("stack", "export", "--show-secrets");
  const { resources } = JSON.parse(exported.stdout).deployment as { resources: StateResource[] };
  const plain = JSON.stringify(comparable(resources))
    .replaceAll(service.keys.partner, "KEY")
    .replaceAll(service.keys.account, "OTHER")
    .replaceAll(service.url, "URL");
  return { result: { resources: JSON.parse(plain.replaceAll(join(root, "plugin"), "PLUGIN")) }, said, writes };
}

const recordingOf = (name: string) => join(folder, `${name}.json`);
const recorded = (name: string): Result => JSON.parse(readFileSync(recordingOf(name), "utf8"));

describe("a program in YAML has the state that the Pulumi CLI gives it:", () => {
  it.each(names)("%s", async (name) => {
    const { result, said, writes } = await deploy(name, "embedded");
    expect(result, said).toEqual(recorded(name));
    if (!name.startsWith("fails-")) return;
    // With its place where it has one, before anything is sent.
    expect(said).toMatch(name === "fails-config" ? /which Pulumi\.yaml asks for/ : /Pulumi\.yaml:\d+:\d+: /);
    expect(writes).toBe(0);
  });
});

describe.runIf(findPulumi() !== undefined)("what the Pulumi CLI makes of it is recorded:", () => {
  it.each(names)("%s", async (name) => {
    const { result, said } = await deploy(name, "pulumi");
    if (process.env.RECORD) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(recordingOf(name), `${JSON.stringify(result, undefined, 2)}\n`);
      if (process.env.SHOW) console.log(name, result.resources ? "" : said);
    }
    expect(existsSync(recordingOf(name))).toBe(true);
    expect(result, said).toEqual(recorded(name));
  });
});
