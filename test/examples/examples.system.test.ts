/** The other examples, deployed as they are. (The account example is the main job's: test/cli/main-job.system.test.ts.) */
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator";
import { connect } from "../../sdk";
import { times } from "../chance";
import { root, run } from "../cli/esign";
import { esign as command } from "../cli/in-process";
import { emulatorForTest } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";

// Real deployments: a busy machine needs its time.
const home = temporaryFolder();
const examples = join(home, "examples");

beforeAll(() => {
  cpSync(join(root, "examples"), examples, {
    recursive: true,
    filter: (path) => !/[\\/](\.pulumi|\.esign|node_modules|Pulumi\.dev\.yaml)$/.test(path),
  });
  symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
});

const names = readdirSync(join(root, "examples"));
/** At night the one that Pulumi's SDK loads, which takes ten times as long. */
const tsc = join(root, "node_modules", times > 1 ? "typescript" : "typescript-7", "bin/tsc");

it("examples and templates have their types right", async () => {
  const programs = join(home, "programs");
  const folders = ["examples", "templates"]
    .flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(kind, name)))
    .filter((folder) => readdirSync(join(root, folder)).some((name) => name.endsWith(".ts")));
  const settings = folders.map((folder) => readFileSync(join(root, folder, "tsconfig.json"), "utf8"));
  expect(new Set(settings).size).toBe(1);
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder)).filter((name) => name.endsWith(".ts")))
      cpSync(join(root, folder, name), join(programs, folder, name));
  // The same settings for all: one run of the compiler.
  const { compilerOptions } = JSON.parse(settings[0]!);
  writeFileSync(join(programs, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*/*/*.ts"] }));
  const { stdout, code } = await run(process.execPath, [tsc, "-p", programs], { home });
  expect({ stdout, code }).toEqual({ stdout: "", code: 0 });
});

describe("every example", () => {
  it.each(names)("%s is a project with a README and the package as its dependency", (name) => {
    expect(existsSync(join(root, "examples", name, "Pulumi.yaml"))).toBe(true);
    expect(existsSync(join(root, "examples", name, "README.md"))).toBe(true);
    const { dependencies } = JSON.parse(readFileSync(join(root, "examples", name, "package.json"), "utf8"));
    expect(dependencies["pulumi-esign"]).toBe("file:../..");
  });
});

const at = (service: Emulator, key = service.keys.partner) => connect({ baseUrl: service.url, apiKey: key });

async function esign(name: string, service: Emulator, args: string[]) {
  const outcome = await command([...args, "--engine", "embedded"], {
    home,
    cwd: join(examples, name),
    env: {
      ESIGN_BASE_URL: service.url,
      ESIGN_API_KEY: service.keys.partner,
      PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    },
  });
  return { ...outcome, all: outcome.stderr + outcome.stdout };
}

/** Deploys an example in a new stack, and again, which changes nothing; resolves to what was printed. */
async function deploy(name: string, service: Emulator, summary: string, count: number): Promise<string> {
  await esign(name, service, ["stack", "init", "dev"]);
  const up = await esign(name, service, ["up", "--yes", "--skip-preview"]);
  expect(up.all).toContain(`\n${summary} `);
  expect(up.code).toBe(0);
  const again = await esign(name, service, ["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  expect(again.all).toContain(`No changes. ${count} resources up to date.`);
  return up.all + again.all;
}

it("partner: companies with keys, branding, emails and webhooks in one up, and back", async () => {
  const service = await emulatorForTest();
  const printed = await deploy("partner", service, "6 created, 8 adopted and updated.", 14);
  const companies = await at(service).companies.list().all();
  expect(companies.map(({ company_name }) => company_name).sort()).toEqual(["Harbour Lettings", "Orchard Insurance"]);
  for (const company of companies) {
    const client = at(service, company.company_api_key!);
    const { branding_colour: colour } = await client.branding.get();
    expect(colour).toBe(company.company_name === "Harbour Lettings" ? "#0B7285" : "#5C940D");
    const { branding_emails: emails } = await client.branding.emails();
    const invitation = emails.find((email) => email.branding_email_type === "email-send");
    expect(invitation?.branding_email_content).toContain(`background: ${colour}`);
    expect(await client.webhooks.list().all()).toHaveLength(2);
  }

  // The keys: an output that is secret, in no text and no file in clear.
  const keys = companies.map(({ company_api_key }) => company_api_key!);
  const shown = await esign("partner", service, ["stack", "output", "apiKeys", "--show-secrets", "--json"]);
  expect(Object.values(JSON.parse(shown.stdout)).sort()).toEqual([...keys].sort());
  const state = readdirSync(join(examples, "partner"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  for (const key of [...keys, service.keys.partner]) expect(printed + state.join("\n")).not.toContain(key);

  const down = await esign("partner", service, ["destroy", "--yes", "--skip-preview"]);
  expect(down.code).toBe(0);
  expect(await at(service).companies.list().all()).toEqual([]);
});

it("people: users, a contact, settings and a template by its title", async () => {
  const service = await emulatorForTest();
  await deploy("people", service, "3 created, 1 adopted and updated.", 4);
  const users = await at(service).users.list().all();
  // The administrator of the emulator's account is there before them; they are created side by side.
  expect(users.map(({ user_email, role_id }) => `${user_email} ${role_id}`).sort()).toEqual([
    expect.stringMatching(/ 3$/),
    "theo@team.example 1",
    "una@team.example 2",
  ]);
  expect(await at(service).settings.get()).toMatchObject({
    setting_email_pdf_attach: false,
    setting_signature_format_accepted: "typed,drawn",
  });
  const lease = await esign("people", service, ["stack", "output", "lease", "--json"]);
  expect(JSON.parse(lease.stdout)).toEqual({ fingerprint: "template-agreement", parties: ["Client", "Provider"] });
});

it("promotion: the same program and files in two accounts, each with its own values", async () => {
  const [staging, production] = [await emulatorForTest(), await emulatorForTest()];
  for (const [stack, service] of [
    ["staging", staging],
    ["production", production],
  ] as const) {
    await esign("promotion", service, ["stack", "init", stack]);
    const up = await esign("promotion", service, ["up", "--stack", stack, "--yes", "--skip-preview"]);
    expect(up.all).toMatch(/^1 created, 4 adopted and updated\./m);
  }
  const content = async (service: Emulator) => {
    const { branding_emails: emails } = await at(service).branding.emails();
    const invitation = emails.find((email) => email.branding_email_type === "email-send");
    return invitation?.branding_email_content ?? "";
  };
  expect(await content(staging)).toContain("support-staging@example.com");
  expect(await content(production)).toContain("support@example.com");

  // A change of wording goes through staging first, and is shown for production before it is there.
  const file = join(examples, "promotion/account/emails/email-send/body.html");
  writeFileSync(file, readFileSync(file, "utf8").replace("Read and sign", "Look at it and sign"));
  await esign("promotion", staging, ["up", "--stack", "staging", "--yes", "--skip-preview"]);
  expect(await content(staging)).toContain("Look at it and sign");
  expect(await content(production)).not.toContain("Look at it and sign");
  const options = ["--stack", "production", "--diff", "--expect-no-changes"];
  const preview = await esign("promotion", production, ["preview", ...options]);
  expect(preview.code).toBe(7);
  expect(preview.stdout).toMatch(/^ +\+ .*Look at it and sign/m);
  expect(preview.stdout).toContain("1 to update, 4 unchanged");
});
