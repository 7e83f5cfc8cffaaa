/** Guides and programs in the languages that need the Pulumi CLI, whose packages come from a registry. The others: guides.system.test.ts. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { root } from "../cli/esign";
import { emulatorForTest } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { findOnPath, formsOf } from "../provider/programs";
import { makeHome, runGuide, shell } from "./guide";
import { commandsAfter, programIn } from "./readme";

const pulumi = findOnPath("pulumi");
/** The first build of a program in Go compiles Pulumi's SDK. */
const timeout = 1_200_000;

/** A person with the Pulumi CLI, an account, and the caches of this machine. */
async function person() {
  const service = await emulatorForTest();
  const client = connect({ baseUrl: service.url, apiKey: service.keys.account });
  const home = temporaryFolder();
  const env = makeHome(home);
  const go =
    findOnPath("go") && execFileSync("go", ["env", "-json", "GOCACHE", "GOENV", "GOPATH"], { encoding: "utf8" });
  const account = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
  const path = [env.PATH, dirname(pulumi!)].join(delimiter);
  const inAccount = async () => ({
    webhooks: (await client.webhooks.list().all()).map(({ webhook_url }) => webhook_url),
    subjects: (await client.branding.emails()).branding_emails.map((email) => email.branding_email_subject),
  });
  return {
    service,
    inAccount,
    home,
    env: { ...env, ...JSON.parse(go || "{}"), ...account, PATH: path, PULUMI_SKIP_UPDATE_CHECK: "true" },
  };
}

/** What `pulumi new <language>` makes, but for the program. */
const projects = {
  python: {
    "Pulumi.yaml": "name: shop\nruntime:\n  name: python\n  options:\n    toolchain: pip\n    virtualenv: venv\n",
    "requirements.txt": "pulumi>=3.216.0,<4.0.0\n",
    "__main__.py": programIn("python"),
  },
  go: {
    "Pulumi.yaml": "name: shop\nruntime: go\n",
    "go.mod": "module shop\n\ngo 1.24\n",
    "main.go": programIn("go"),
  },
  yaml: { "Pulumi.yaml": programIn("yaml") },
};

describe.runIf(formsOf("pulumi", "python", "go").length === 2)("with the Pulumi CLI", () => {
  it("docs/tutorials/first-project-in-python.md, with Go", { timeout }, async () => {
    const { inAccount, home, env } = await person();
    const before = await inAccount();
    await runGuide("tutorials/first-project-in-python", home, env);
    expect(await inAccount()).toEqual(before);
  });

  it.each(Object.entries(projects))(
    "the program of the README in %s, by its commands",
    { timeout },
    async (language, files) => {
      const { service, inAccount, env } = await person();
      const project = temporaryFolder(files);
      const before = await inAccount();
      const commands = commandsAfter("**With the Pulumi CLI**")
        .replace(/( +pulumi package add .*)/, language === "go" ? "$1\n go mod tidy" : "$1")
        .replace("https://sign.example.com", service.url)
        .replace("esign:apiKey", `esign:apiKey ${service.keys.account}`)
        .replace("pulumi up", "pulumi up --yes");
      const { code, output } = await shell(`pulumi stack init dev\n${commands}`, project, env);
      expect(code, output).toBe(0);
      expect(output).toMatch(/webhookId *: "\d+"/);
      const after = await inAccount();
      expect(after.webhooks).toEqual([...before.webhooks, "https://hooks.example.com/signed"]);
      expect(after.subjects).toContain("Please sign: {contract title}");
      const undone = await shell("pulumi destroy --yes", project, env);
      expect(undone.code, undone.output).toBe(0);
      expect(await inAccount()).toEqual(before);
    },
  );
});

/** The programs of the reference, by language and name. */
const programsIn = (language: "python" | "go") =>
  ["registry/examples", "registry/programs"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => {
        const text = readFileSync(join(root, folder, name), "utf8");
        return [name.replace(".md", ""), new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)![1]!] as const;
      }),
  );
const seed = { account: { templates: [{ title: "Service agreement" }] } };
const folder = { "account/account.yaml": 'webhooks:\n  signed: { type: all, url: "${hooks}/signed" }\n' };

describe.runIf(formsOf("pulumi", "python", "go").length === 2)("the examples of the reference", () => {
  it("in Python are deployed, each in a stack of its own", { timeout }, async () => {
    const { env } = await person();
    const project = temporaryFolder({ ...projects.python, ...folder });
    const run = async (commands: string, more = {}) => {
      const { code, output } = await shell(commands, project, { ...env, ...more });
      expect(code, output).toBe(0);
    };
    await run(commandsAfter("**With the Pulumi CLI**").split("\n").slice(0, 3).join("\n"));
    for (const [name, program] of programsIn("python")) {
      const service = await emulatorForTest({ seed });
      const account = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner };
      save(project, { "__main__.py": program.replace("https://sign.example.com", service.url) });
      await run(`pulumi stack init ${name}\npulumi config set --secret productionKey "$ESIGN_API_KEY"`, account);
      await run(`pulumi up --yes --skip-preview --stack ${name}`, account);
    }
  });

  it("in Go compile", { timeout }, async () => {
    const { env } = await person();
    const project = temporaryFolder(projects.go);
    for (const [name, program] of programsIn("go")) save(project, { [`examples/${name}/main.go`]: program });
    const run = async (commands: string) => {
      const { code, output } = await shell(commands, project, env);
      expect(code, output).toBe(0);
    };
    await run(`${commandsAfter("**With the Pulumi CLI**").split("\n").slice(0, 3).join("\n")}\ngo mod tidy`);
    await run("go vet ./examples/...");
  });
});

describe.runIf(formsOf("pulumi", "python", "go").length < 2)("with the Pulumi CLI", () => {
  it.skip("needs the CLI with the language hosts, Python and Go on PATH", () => undefined);
});
