/** Python's wheel, from an empty virtual environment to a deployed account: with Node on the machine, without it, and with the Node that pip brings. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { engines } from "../../package.json";
import schema from "../../schemas/provider.json";
// @ts-expect-error a script without types
import { writeSdks } from "../../tools/release/sdks.mjs";
import { shell } from "../docs/guide";
import { programIn } from "../docs/readme";
import { emulatorForTest } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { findOnPath, formsOf } from "../provider/programs";

const pulumi = findOnPath("pulumi");
const oldest = engines.node.replace(">=", "");

describe.runIf(formsOf("pulumi", "python").length === 1)("the wheel", () => {
  const out = temporaryFolder();
  /** All that the commands need of PATH, but no Node. */
  const tools = temporaryFolder();
  let wheel: string;

  beforeAll(async () => {
    expect(await writeSdks(schema, out, () => undefined, ["python"])).toEqual([]);
    wheel = join(out, readdirSync(out).find((name) => name.endsWith(".whl"))!);
    for (const name of ["sh", "bash", "dirname", "env", "python3"]) symlinkSync(findOnPath(name)!, join(tools, name));
  });

  /** A person with an empty virtual environment, in which the wheel is installed. */
  function person(extra: string, ...path: string[]) {
    const project = temporaryFolder({
      "Pulumi.yaml": "name: shop\nruntime:\n  name: python\n  options: { virtualenv: venv }\n",
      "__main__.py": programIn("python"),
    });
    execFileSync("python3", ["-m", "venv", join(project, "venv")]);
    execFileSync(join(project, "venv/bin/pip"), ["install", "--quiet", wheel + extra], { stdio: "pipe" });
    const home = temporaryFolder();
    mkdirSync(join(home, "state"));
    const env = {
      PATH: [dirname(pulumi!), tools, ...path].join(delimiter),
      HOME: home,
      PULUMI_HOME: join(home, ".pulumi"),
      PULUMI_BACKEND_URL: `file://${join(home, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "correct-horse",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    const install = () =>
      spawnSync(join(project, "venv/bin/python"), ["-m", "pulumi_esign", "install"], { env, encoding: "utf8" });
    return { project, env, install };
  }

  async function deploys({ project, env }: ReturnType<typeof person>) {
    const service = await emulatorForTest();
    const account = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
    const commands = "pulumi stack init dev\npulumi up --yes --skip-preview\npulumi destroy --yes --skip-preview";
    const { code, output } = await shell(commands, project, { ...env, ...account });
    expect(code, output).toBe(0);
    expect(output).toMatch(/webhookId *: "\d+"/);
  }

  it("installs the plugin, and its SDK deploys with it", async () => {
    const someone = person("", dirname(process.execPath));
    expect(someone.install().status).toBe(0);
    await deploys(someone);
  });

  it("says what it needs where there is no Node, or an older one", () => {
    const someone = person("");
    const [installer, remedy] = [`The plugin needs Node ${oldest} or newer, and`, "pip install 'pulumi_esign[node]'"];
    const without = someone.install();
    expect([without.status, without.stderr]).toEqual([1, expect.stringContaining(`${installer} there is no node`)]);
    expect(without.stderr).toContain(remedy);
    const older = temporaryFolder({ node: "#!/bin/sh\necho v18.20.8\n" });
    execFileSync("chmod", ["+x", join(older, "node")]);
    someone.env.PATH += delimiter + older;
    const withOlder = someone.install();
    expect([withOlder.status, withOlder.stderr]).toEqual([
      1,
      expect.stringContaining(`${installer} this is v18.20.8. `),
    ]);
  });

  it("brings Node with its extra, for a machine that has none", async () => {
    const someone = person("[node]");
    expect(spawnSync("node", { env: someone.env }).error).toMatchObject({ code: "ENOENT" });
    const { status, stderr } = someone.install();
    expect(status, stderr).toBe(0);
    await deploys(someone);
  });
});

describe.runIf(formsOf("pulumi", "python").length === 0)("the wheel", () => {
  it.skip("needs the Pulumi CLI with its language host for Python on PATH", () => undefined);
});
