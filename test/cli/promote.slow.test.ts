/** Comparing and promoting between the stacks of one project, whose texts hold values of their environments. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { connect } from "../../sdk";
import { emulatorForTest, useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();
const staging = useEmulator({
  seed: {
    account: {
      emails: { "email-send": { subject: "Please sign at https://portal.staging.example" } },
      webhooks: [{ type: "all", url: "https://hooks.staging.example/all" }],
    },
  },
});
let env: Record<string, string>;

const files: Record<string, string> = {
  "Pulumi.yaml": "name: two\nruntime: nodejs\n",
  "Pulumi.staging.yaml":
    "config:\n  two:values:\n    hooks: https://hooks.staging.example\n    portal: https://portal.staging.example\n",
  "Pulumi.production.yaml":
    "config:\n  two:values:\n    hooks: https://hooks.example\n    portal: https://portal.example\n",
  "account/account.yaml": "webhooks:\n  all:\n    type: all\n    url: ${hooks}/all\n",
  "account/emails/email-send/subject.txt": "Sign at ${portal}\n",
};

beforeAll(async () => {
  save(home, files);
  mkdirSync(join(home, "state"));
  env = {
    PULUMI_BACKEND_URL: `file://${join(home, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    ESIGN_STAGING_BASE_URL: staging.url,
    ESIGN_STAGING_API_KEY: staging.keys.account,
  };
  for (const stack of ["staging", "production"])
    expect((await run("stack", "init", stack, "--engine", "embedded")).code).toBe(0);
});

const run = (...args: string[]) => esign(args, { home, env });
const file = (path: string) => readFileSync(join(home, path), "utf8");

test("two environments of one folder do not differ, and what is left out is reported", async () => {
  const { code, stdout } = await run("diff", "--exit-code", "./account@staging", "./account@production");
  expect(code).toBe(0);
  expect(stdout).toContain("No differences.");
  expect(stdout).toContain("email template email-send, subject (the same text with other values)");
});

test("a stack's configuration is read wherever its state is kept", async () => {
  const elsewhere = {
    ...env,
    PULUMI_BACKEND_URL: "s3://bucket",
    ESIGN_BASE_URL: staging.url,
    ESIGN_API_KEY: staging.keys.account,
  };
  const here = (...args: string[]) => esign(args, { home, env: elsewhere });
  const diff = await here("diff", "--exit-code", "./account@staging", "./account@production");
  expect([diff.code, diff.stderr]).toEqual([0, ""]);
  expect(diff.stdout).toContain("No differences.");
  const list = await here("webhooks", "list", "--stack", "staging");
  expect([list.code, list.stderr]).toEqual([0, ""]);
  expect(list.stdout).toContain("https://hooks.staging.example/all");
});

test("a change that was made by hand in staging is promoted without staging's addresses", async () => {
  const { code, stdout } = await run("diff", "--exit-code", "./account@staging", "account:staging", "--markdown");
  expect(code).toBe(1);
  expect(stdout).toContain(
    'subject: "Sign at https://portal.staging.example" → "Please sign at https://portal.staging.example"',
  );
  const promoted = await run("promote", "account:staging", "stack:production");
  expect(promoted.code).toBe(0);
  expect(promoted.stdout).toMatch(/wrote .*account\/emails\/email-send\/subject.txt$/m);
  expect(promoted.stdout).toContain("open envelopes were not counted");
  // The account has more than the folder manages.
  expect(promoted.stdout).toMatch(/ignored: email template email-signed.* \(not managed by stack:production\)/);
  expect(promoted.stdout).toContain("To add what stack:production does not manage yet: --all\n");
  expect(existsSync(join(home, "account/emails/email-signed"))).toBe(false);
  expect(file("account/emails/email-send/subject.txt")).toBe("Please sign at ${portal}\n");
  expect(file("account/account.yaml")).toBe(files["account/account.yaml"]);
  expect((await run("diff", "--exit-code", "./account@staging", "account:staging")).code).toBe(0);
  const all = await run("promote", "account:staging", "stack:production", "--all", "--dry-run", "--json");
  expect(Object.keys((JSON.parse(all.stdout) as { files: object }).files)).toContain("emails/email-signed/body.html");
});

test("a file keeps its byte order mark, and the text that is sent has none", async () => {
  const subject = join(home, "account/emails/email-send/subject.txt");
  const before = readFileSync(subject);
  writeFileSync(subject, "\ufeffSign with us at ${portal}\n");
  expect((await run("promote", "account:staging", "stack:production")).code).toBe(0);
  expect(file("account/emails/email-send/subject.txt")).toBe("\ufeffPlease sign at ${portal}\n");
  writeFileSync(subject, before);
});

test("--values carries the values over, into the configuration of the target's stack", async () => {
  const promote = ["promote", "./account@staging", "./account@production", "--with-values"];
  expect((await run(...promote, "--dry-run")).stdout).toContain("portal: https://portal.staging.example");
  expect(file("Pulumi.production.yaml")).toContain("portal: https://portal.example\n");
  expect((await run(...promote)).code).toBe(0);
  expect(file("Pulumi.production.yaml")).toContain("portal: https://portal.staging.example");
});

test("a value that only the source's environment has is named and reported", async () => {
  const project = join(home, "missing");
  save(project, {
    "Pulumi.yaml": "name: missing\nruntime: nodejs\n",
    "Pulumi.staging.yaml": "config:\n  missing:values:\n    cdn: https://cdn.staging.example\n",
    "Pulumi.production.yaml": "config: {}\n",
    "staging/emails/email-send/subject.txt": "See ${cdn}/a",
    "production/emails/email-send/subject.txt": "See",
  });
  const promote = (...args: string[]) =>
    esign(["promote", "./staging@staging", "./production@production", "--json", ...args], { home, cwd: project, env });
  const plans = [await promote("--dry-run"), await promote("--with-values")].map(({ stdout }) => JSON.parse(stdout));
  const edited = { files: { "emails/email-send/subject.txt": "See ${cdn}/a" }, remaining: [] };
  expect(plans).toMatchObject([edited, edited]);
  expect(plans.map(({ notes }) => notes)).toEqual([
    [expect.stringContaining("stack production has no value for ${cdn}: esign config set --stack production")],
    [],
  ]);
});

test("a secret value stays one on its way, in every output and in the target's configuration", async () => {
  // As a person's signature or a key in PEM: in more than one line, and with quotes.
  const secret = { staging: 'hush-"staging"\nsecond <line>', production: 'hush-"production"\nsecond <line>' };
  const project = join(home, "secret");
  save(project, {
    "Pulumi.yaml": "name: secret\nruntime: nodejs\n",
    "account/emails/email-send/body.txt": "${token} {contract url} ${portal}\n",
    "account/emails/email-send/body.html": "<p>${token} {contract url}</p>\n",
    // Another version of it, which is not found as an account's folder.
    ".new/emails/email-send/body.txt": "${token}: {contract url} ${portal}\n",
    ".new/emails/email-send/body.html": "<p>${token}: {contract url}</p>\n",
  });
  const here = (...args: string[]) => esign(args, { home, cwd: project, env });
  for (const stack of ["staging", "production"] as const) {
    await here("stack", "init", stack, "--engine", "embedded");
    await here("config", "set", "--stack", stack, "--secret", "--path", "values.token", secret[stack]);
    await here("config", "set", "--stack", stack, "--path", "values.portal", `https://${stack}.example`);
  }
  const sides = ["./.new@staging", "./account@production"];
  // A fresh checkout has the configurations, and the states are where only the Pulumi CLI gets at them.
  rmSync(join(home, "state/.pulumi/stacks/secret"), { recursive: true });
  // As editors leave them.
  symlinkSync("nowhere", join(project, "lock"));
  const outputs = [
    await here("diff", "--exit-code", ...sides),
    await here("diff", "--exit-code", ...sides, "--json"),
    await here("promote", ...sides, "--with-values", "--json", "--dry-run"),
    await here("promote", ...sides, "--with-values"),
  ];
  for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toContain("hush");
  expect(outputs.map(({ code }) => code)).toEqual([1, 1, 0, 0]);
  expect(readFileSync(join(project, "account/emails/email-send/body.html"), "utf8")).toContain("<p>${token}: {");
  expect((await here("promote", "./account@staging", "stack:production", "--dry-run")).code).toBe(0);
  expect(outputs[2]!.stdout).toContain('"token": "[secret]"');
  const target = readFileSync(join(project, "Pulumi.production.yaml"), "utf8");
  expect(target).not.toContain("hush");
  expect(target).toContain("portal: https://staging.example\n");
  await here("stack", "init", "production", "--engine", "embedded");
  const values = await here("config", "get", "--stack", "production", "values");
  expect(JSON.parse(values.stdout)).toEqual({ portal: "https://staging.example", token: secret.staging });
});

test("a subaccount's envelopes in flight are counted in its own account", async () => {
  const service = await emulatorForTest();
  const partner = connect({ baseUrl: service.url, apiKey: service.keys.partner });
  const user = { user_name: "U", user_email: "u@acme.example" };
  const { company_id } = await partner.companies.create({ company_name: "Acme", ...user });
  await partner.as(company_id).envelopes.createFromFiles({
    envelope_title: "Lease",
    envelope_documents: [{ document_title: "D", document_url: "https://d.example/d.pdf", document_file_name: "d.pdf" }],
    envelope_parties: [{ party_name: "P", party_email: "p@p.example", party_role: "signer1" }],
  });
  for (const [folder, subject] of [
    ["before", "Sign {contract title}"],
    ["after", "Please sign {contract title}"],
  ])
    save(home, {
      [`${folder}/account.yaml`]: "branding:\n  colour: '#0B7285'\n",
      [`${folder}/companies/acme/company.yaml`]: "name: Acme\nuserName: U\nuserEmail: u@acme.example\n",
      [`${folder}/companies/acme/emails/email-send/subject.txt`]: subject!,
      [`${folder}/emails/email-send/subject.txt`]: subject!,
    });
  const names = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner };
  const args = ["promote", "./after", "./before", "--target-account", "account", "--dry-run"];
  const { stdout, stderr } = await esign(args, { home, env: { ...env, ...names } });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/email template email-send of subaccount Acme: 1 open envelope may still send it/);
  expect(stdout).toMatch(/^ +email template email-send: no open envelope uses it/m);
  expect(stdout).toMatch(/^\+\+\+ .*emails\/email-send\/\w+\.\w+/m);
});

test("the folder of a stack is the outermost one, also when it has subaccounts only, and links lead nowhere", async () => {
  const project = temporaryFolder({
    "Pulumi.yaml": "name: partner\nruntime: nodejs\n",
    "code/companies/acme/company.yaml": "name: Acme\nuserEmail: a@acme.example\n",
    "code/companies/acme/account.yaml": "branding: { colour: '#111111' }\n",
  });
  symlinkSync("..", join(project, "code/up"));
  const inProject = (...args: string[]) => esign(args, { home, env, cwd: project });
  expect((await inProject("stack", "init", "partner", "--engine", "embedded")).code).toBe(0);
  const options = ["--all", "--dry-run", "--json"];
  const { code, stdout, stderr } = await inProject("promote", "account:staging", "stack:partner", ...options);
  expect([code, stderr]).toEqual([0, ""]);
  expect(Object.keys((JSON.parse(stdout) as { files: object }).files)).toContain("emails/email-send/subject.txt");
  for (const args of [
    ["diff", "--exit-code", "./code", "stack:partner"],
    ["promote", "stack:partner", "./code"],
  ])
    expect(await inProject(...args, "--companies", "Acme,Acmee")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/neither .* has a subaccount with the ID or name "Acmee"\n/),
    });
  const { notes } = JSON.parse(stdout) as { notes: string[] };
  expect(notes).toContainEqual(expect.stringContaining("subaccount Acme is not in account:staging: its files stay"));
});

test("an account is no target", async () => {
  const { code, stderr } = await run("promote", "./account@staging", "account:staging");
  expect([code, stderr]).toEqual([2, expect.stringContaining("never to an account")]);
});
