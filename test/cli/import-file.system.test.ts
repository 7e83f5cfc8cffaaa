/** The file for `pulumi import`. In TypeScript it has the providers of dynamic resources: a package beside which Pulumi's SDK is not installed writes it. */
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { languages } from "../../cli/project/new-project/languages";
import { connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { bareEnv, type Outcome, root, run } from "./esign";
import { esign } from "./in-process";
import { link } from "./packed";

const pulumi = findPulumi();
const home = temporaryFolder();
const service = useEmulator({
  seed: {
    companies: [{ name: "Acme" }, { name: "Bolt" }],
    partner: { contacts: [{ name: "Ann", email: "a@b.example" }] },
  },
});
const installed = join(home, "node_modules/pulumi-esign");
beforeAll(async () => {
  mkdirSync(installed, { recursive: true });
  // What a package has of it: test/repo/package.system.test.ts.
  const filter = (path: string) => !path.startsWith(join(root, "dist/.modules"));
  for (const name of ["package.json", "dist", "templates"])
    cpSync(join(root, name), join(installed, name), { recursive: true, filter });
  link(home, "zod");
  save(home, { "npm.cjs": npm });
  const partner = connect({ baseUrl: service.url, apiKey: service.keys.partner });
  for (const { company_id } of await partner.companies.list().all())
    await partner.as(company_id).webhooks.create({ webhook_type: "all", webhook_url: "https://h.example/" });
});

/** Each export packs the package for its project, which is for test/repo/package.system.test.ts, too. */
const npm = `const { writeFileSync } = require("node:fs");
  const [command, , ...options] = process.argv.slice(2);
  if (command !== "pack") throw new Error("npm " + command);
  writeFileSync(options[options.indexOf("--pack-destination") + 1] + "/packed.tgz", "");
  console.log("packed.tgz");`;

const env = () => ({
  npm_execpath: join(home, "npm.cjs"),
  ESIGN_BASE_URL: service.url,
  ESIGN_API_KEY: service.keys.partner,
  PULUMI_CONFIG_PASSPHRASE: "pw",
});
const command = (cwd: string, program: string, args: string[], more: Record<string, string> = {}) =>
  run(program, args, { home, cwd, env: { ...env(), ...more } });

interface Entry {
  type: string;
  id?: string;
  parent?: string;
  version?: string;
  inputs?: object;
  component?: true;
}

interface Exported {
  folder: string;
  resources: Entry[];
}

const done = new Map<string, Promise<Exported>>();
/** Each once. */
function exported(language: string): Promise<Exported> {
  const result = done.get(language) ?? exportIn(language);
  done.set(language, result);
  return result;
}

async function exportIn(language: string): Promise<Exported> {
  const folder = temporaryFolder();
  const options = ["--include", "contacts,settings", "--out", folder, "--name", "shop", "--language", language];
  const { code, stderr } = await exportWith(["export", ...options], language === "typescript");
  expect(code, stderr).toBe(0);
  expect(stderr).not.toContain("was not written");
  return { folder, resources: JSON.parse(readFileSync(join(folder, "import.json"), "utf8")).resources };
}

const exportWith = (args: string[], isInstalled: boolean): Promise<Outcome> =>
  isInstalled
    ? command(home, process.execPath, [join(installed, "dist/cli/main.js"), ...args])
    : esign(args, { home, env: env() });

it.each(languages)("an export in %s writes it", async (language) => {
  expect(() => require.resolve("@pulumi/pulumi", { paths: [installed] })).toThrow();
  const { resources } = await exported(language);
  const companies = service.data().accounts.filter(({ name }) => name === "Acme" || name === "Bolt");
  const objects = resources.filter(({ component }) => !component);
  const kinds = (id: string) =>
    objects.filter((entry) => entry.id!.startsWith(id)).map(({ type }) => type.slice(type.lastIndexOf(":") + 1));
  for (const { id } of companies)
    expect(kinds(String(id))).toEqual(expect.arrayContaining(["Company", "Branding", "Webhook"]));
  expect(kinds("")).toEqual(expect.arrayContaining(["Settings", "Contact", "BrandingEmail"]));
  // A plugin reads its objects by their IDs; what is dynamic has its values in the file.
  for (const { version, inputs } of objects)
    expect([version, inputs === undefined]).toEqual(language === "typescript" ? [undefined, false] : ["0.1.0", true]);
});

describe.skipIf(pulumi === undefined)("with the Pulumi CLI", () => {
  it("what it has is imported without a write, and matches the program", async () => {
    const { folder, resources } = await exported("yaml");
    symlinkSync(join(home, "node_modules"), join(folder, "node_modules"));
    const PATH = `${dirname(pulumi!)}${delimiter}${bareEnv(home).PATH}`;
    const ok = async (...args: string[]) => {
      const { code, stderr, stdout } = await command(folder, pulumi!, args, { PATH });
      expect(code, `${args.join(" ")}\n${stderr}${stdout}`).toBe(0);
      return stdout;
    };
    await ok("stack", "init", "production");
    service.clearLog();
    await ok("import", "--yes", "--file", "import.json", "--protect=false", "--generate-code=false");
    const state = JSON.parse(await ok("stack", "export"));
    const imported = state.deployment.resources.filter((each: Entry & { custom: boolean }) =>
      each.type.startsWith("esign:"),
    );
    expect(imported).toHaveLength(resources.length);
    // The first users of subaccounts are in no response: recording them is no write.
    await ok("up", "--yes", "--skip-preview");
    expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    await ok("preview", "--expect-no-changes");
  });
});
