/** What an export refuses, and accounts that know more than this version does. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect } from "../../sdk";
import { spread } from "../chance";
import { emulatorForTest, useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { serve } from "../sdk/server";
import { linkPackages, main, root, run } from "./esign";
import { esign } from "./in-process";

const home = temporaryFolder();
const seed = { companies: [{ name: "Acme" }, { name: "Other" }] };
const service = useEmulator({ seed });

const at = (baseUrl: string) => ({ ESIGN_BASE_URL: baseUrl, ESIGN_API_KEY: service.keys.partner });
const sealed = { PULUMI_CONFIG_PASSPHRASE: "pw" };
const withEnv =
  (env: () => Record<string, string>) =>
  (...args: string[]) =>
    esign(args, { home, env: env() });
const here = withEnv(() => at(service.url));
const hereSealed = withEnv(() => ({ ...at(service.url), ...sealed }));
/** The partner of a service of this test alone. */
async function ownService(seed: NonNullable<Parameters<typeof emulatorForTest>[0]>["seed"]) {
  const own = await emulatorForTest({ seed });
  const env = { ESIGN_BASE_URL: own.url, ESIGN_API_KEY: own.keys.partner };
  return { own, partner: connect({ baseUrl: own.url, apiKey: own.keys.partner }), esign: withEnv(() => env) };
}
const inHome = (path: string) => join(home, path);
const read = (path: string) => readFileSync(inHome(path), "utf8");
const usageError = (message: string | RegExp) => ({ code: 2, stderr: expect.stringMatching(message) });
const ok = { code: 0 };
const ofPartner = () => connect({ baseUrl: service.url, apiKey: service.keys.partner });

test("commands in the test's process are those that are built", async () => {
  expect(await here("--version")).toMatchObject({ code: 0 });
  expect(Object.keys(createRequire(__filename).cache)).toContain(join(root, "dist/.modules/cli/run.js"));
});

test.each([
  [["--stack-name", "../../dev"], /is not a valid stack name/],
  [["--companies", "unknown"], /no subaccount has the id or name "unknown"/],
])("a name that is wrong is refused: %j", async (args, message) => {
  expect(await here("export", "--out", "named", ...args)).toMatchObject(usageError(message));
  expect(existsSync(inHome("named"))).toBe(false);
});

test("without a passphrase the output says that the key is not exported", async () => {
  const open = await here("export", "--out", "open");
  expect(open.stdout).toMatch(
    /the key was not exported\.\nNext steps.*\n(.*\n){3} +4\. npx pulumi-esign config set --secret esign:apiKey\n +5\. npx pulumi-esign up\n/,
  );
  const closed = await hereSealed("export", "--out", "closed");
  expect(closed.stdout).toMatch(
    /Next steps.*\n.*\n.*\n +3\. npx pulumi-esign stack select --create production\n +4\. npx pulumi-esign up\n/,
  );
  expect(closed.stdout).not.toContain("the key was not exported");
});

test("--force keeps what only the stack's configuration has", async () => {
  const file = "configured/Pulumi.production.yaml";
  const args = ["export", "--out", "configured", "--companies", "none"];
  expect(await hereSealed(...args)).toMatchObject(ok);
  const first = read(file);
  const more = "  # of ours only\n  esign:expectAccount: abc\n  configured:values:\n    token:\n      secure: v1:x:y\n";
  save(home, { [file]: first + more });
  expect(await hereSealed(...args, "--force")).toMatchObject(ok);
  expect(read(file)).toBe(first + more);
  // A key that cannot be read may be that of another account.
  const keyless = await here(...args, "--force");
  expect(keyless.stdout).toContain("the key was not exported");
  const left = first.replace(/^ {2}esign:apiKey:\n.*\n/m, "");
  expect(left).not.toBe(first);
  expect(read(file)).toBe(left + more);
  save(home, { [file]: "config: [" });
  expect(await hereSealed(...args, "--force")).toMatchObject(usageError("Pulumi.production.yaml is not valid YAML"));
});

test("--force keeps the project's name and language, and goes on with its stack", async () => {
  const args = ["export", "--out", "renewed", "--companies", "none"];
  expect(await hereSealed(...args, "--language", "yaml", "--name", "acme")).toMatchObject(ok);
  const [program, dependencies] = [read("renewed/Pulumi.yaml"), read("renewed/package.json")];
  expect(program).toMatch(/^name: acme\n(.*\n)+runtime: yaml\n/);
  const own = (...command: string[]) => hereSealed(...command, "--cwd", inHome("renewed"), "--engine", "embedded");
  expect(await own("stack", "init", "production")).toMatchObject(ok);
  const again = await hereSealed(...args, "--force");
  expect(read("renewed/package.json")).toBe(dependencies);
  expect([read("renewed/Pulumi.yaml"), existsSync(inHome("renewed/index.ts"))]).toEqual([program, false]);
  const [, step = ""] = /^ +\d\. npx pulumi-esign (stack .*)$/m.exec(again.stdout) ?? [];
  expect(await own(...step.split(" "))).toMatchObject(ok);
  const asModule = ["--language", "typescript", "--module", "esm"];
  expect(await hereSealed(...args, "--force", ...asModule, "--name", "shop")).toMatchObject(ok);
  expect(read("renewed/Pulumi.yaml")).toMatch(/^name: shop\n(.*\n)+runtime:\n {2}name: nodejs\n/);
  const [formatted, manifest] = [read("renewed/Pulumi.yaml"), read("renewed/package.json")];
  expect(await hereSealed(...args, "--force")).toMatchObject(ok);
  expect([read("renewed/Pulumi.yaml"), read("renewed/package.json")]).toEqual([formatted, manifest]);
});

test("a project without a name is named after its folder", async () => {
  save(home, { "Büro Köln/Pulumi.yaml": "runtime: yaml\n" });
  expect(await here("export", "--out", "Büro Köln", "--companies", "none", "--force")).toMatchObject(ok);
  expect(read("Büro Köln/Pulumi.yaml")).toMatch(/^name: Buro-Koln\n/);
});

test("--force does not bring back what the account has no more", async () => {
  expect(await here("export", "--out", "account")).toMatchObject(ok);
  const { company_id } = (await ofPartner().companies.list().all())[0]!;
  await ofPartner().companies.update({ company_id, company_name: "Acme Ltd" });
  const refused = await here("export", "--out", "account", "--force");
  const message = /has files that this export does not write.*\n {4}companies\/acme\n$/;
  expect(refused).toMatchObject({ ...usageError(message), stdout: "" });
  expect(readdirSync(inHome("account/companies"))).toEqual(["acme", "other"]);
  // Nor does the refused one count as begun.
  expect((await here("export", "--out", "account")).stderr).toContain("is not empty");
  rmSync(inHome("account/companies/acme"), { recursive: true });
  expect(await here("export", "--out", "account", "--force")).toMatchObject(ok);
  expect(readdirSync(inHome("account/companies"))).toEqual(["acme-ltd", "other"]);
});

test("the project of a subaccount stays in it: the key is the partner's", async () => {
  const { company_id: id } = (await ofPartner().companies.list().all())[1]!;
  await ofPartner().as(id).branding.update({ branding_colour: "#010203" });
  const project = inHome("other");
  const env = { ...at(service.url), ...sealed, PULUMI_BACKEND_URL: `file://${home}` };
  const inProject = (...args: string[]) => esign(args, { home, cwd: project, env });
  expect((await esign(["export", "account/Other", "--out", project], { home, env })).code).toBe(0);
  expect(read("other/index.ts")).toContain(`{ folder: ".", account: "${id}" }`);
  expect(read("other/README.md")).toContain(`the subaccount ${id}`);
  // Both engines find the state.
  expect(read("other/Pulumi.yaml")).toMatch(/\nbackend:\n.*\n {2}url: file:\/\/\.\n$/);
  const { resources } = JSON.parse(read("other/import.json"));
  expect(resources[1]).toMatchObject({ id: `${id}/branding`, inputs: { account: id } });
  linkPackages(project);
  expect((await inProject("stack", "init", "production")).code).toBe(0);
  service.clearLog();
  const up = await inProject("up", "--yes", "--skip-preview", "--engine", "embedded");
  expect(up.code, up.stderr + up.stdout).toBe(0);
  expect(Object.keys(service.counts().byMethod)).toEqual(["GET"]);
  // It owns what is in the subaccount, and nothing of the partner's.
  expect((await inProject("drift", "unmanaged", "account/Other")).stdout).toContain(
    "none: code manages everything in account/Other",
  );
  for (const [a, b] of [
    ["stack:production", "account/Other"],
    ["stack:production", ".@production"],
    [".", "stack:production"],
  ])
    expect((await inProject("diff", "--exit-code", a!, b!)).stdout).toBe(`${a} → ${b}\nNo differences.\n`);
  const promoted = await inProject("promote", "stack:production", ".@production");
  expect([promoted.stdout, promoted.stderr]).toEqual(["No differences.\n\nNothing to write.\n", ""]);
  const partners = (await inProject("drift", "unmanaged", "account")).stdout;
  expect(partners).toContain("  subaccount Other: name, email\n");
  expect(partners).toContain("  email template email-send: subject, content, contentPlain\n");
});

test("a URL with a secret is reported where it is written, except where a placeholder represents it", async () => {
  const own = await emulatorForTest({
    seed: { account: { webhooks: [{ type: "all", url: "https://x.example/?token=hush-1" }] } },
  });
  const env = { ESIGN_BASE_URL: own.url, ESIGN_API_KEY: own.keys.account, ...sealed };
  save(inHome("addresses"), {
    "Pulumi.yaml": "name: addresses\nruntime: nodejs\n",
    "Pulumi.production.yaml": "config:\n  addresses:values:\n    token: hush-1\n",
    "account/account.yaml": "branding: {}\n",
  });
  const outputs = [];
  for (const args of [
    ["drift", "unmanaged", "account", "--managed-by", "./account", "--out", "new"],
    ["promote", "account", "./account", "--all", "--dry-run"],
    ["promote", "account", "./account@production", "--all"],
  ])
    outputs.push(await esign(args, { home, cwd: inHome("addresses"), env }));
  for (const { code, stdout, stderr } of outputs)
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.not.stringContaining("hush-1")]);
  const warning = "https://x.example/?token=…, seems to contain a secret, in plain text in account.yaml";
  expect(outputs.map(({ stderr }) => stderr.includes(warning))).toEqual([true, true, false]);
  expect(read("addresses/account/account.yaml")).toContain("?token=${token}");
});

test("what could not be compared is no difference, and says what to do", async () => {
  save(home, { "some/account.yaml": "branding:\n  colour: '#112233'\n" });
  const env = { ...at(service.url), ESIGN_API_KEY: "wrong-key-12345" };
  const diff = await esign(["diff", "--exit-code", "some", "account"], { home, env });
  expect(diff).toEqual({ ...usageError(/^error: .*401.*\n {4}\w/), stdout: "" });
  const check = await here("lint", "some", "--format", "sarif", "--out", "some");
  expect(check).toMatchObject(usageError("cannot write the report"));
});

test("a file that is not a state is said to be none", async () => {
  for (const text of ["null", "[]", '{"deployment":{"resources":[null]}}']) {
    save(home, { "other.json": text });
    const outcome = await here("diff", "--exit-code", "other.json", "account");
    expect(outcome).toMatchObject(usageError('other.json is not the output of "pulumi stack export"'));
  }
});

test("the secrets of a state in a file are compared, and not shown", async () => {
  const secret = (text: string) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: JSON.stringify(text),
  });
  const resource = (type: string, inputs: object) => ({
    urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/esign:${type}::one`,
    type: `pulumi-nodejs:dynamic/esign:${type}`,
    custom: true,
    id: "1",
    inputs,
    outputs: {},
  });
  const contentPlain = secret('hush "one"\nhush two {contract url}');
  const resources = [
    resource("Webhook", { type: "all", url: secret("https://hooks.example.com/hush") }),
    resource("BrandingEmail", { type: "email-send", contentPlain }),
  ];
  save(home, { "state.json": JSON.stringify({ version: 3, deployment: { resources } }) });
  for (const more of [[], ["--json"], ["--markdown"]]) {
    const { code, stdout, stderr } = await here("diff", "--exit-code", "state.json", "account", ...more);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).not.toContain("hush");
    expect(stdout).toContain("secret");
  }
});

test("a subaccount that is renamed while an export is interrupted has its new name", async () => {
  const partner = ofPartner();
  const other = (await partner.companies.list().all()).find((company) => company.company_name === "Other")!;
  expect(await here("export", "--out", "resumed")).toMatchObject(ok);
  // As a kill leaves it that comes last of all.
  const head = `${service.url} ${await partner.keyFingerprint()}`;
  const { company_id: id, company_name: name, company_email: email } = other;
  const done = { id, slug: "other", name, email, webhooks: [], notes: [], allowUnknownValues: false };
  const interrupted = () => writeFileSync(inHome("resumed/.esign-export"), `${head}\n${JSON.stringify(done)}\n`);
  interrupted();
  service.clearLog();
  expect((await here("export", "--out", "resumed")).stderr).toContain("1 subaccount already exported");
  const reads = service.counts().byOperation["branding.emails"];
  await partner.companies.update({ company_id: id, company_name: "Others" });
  interrupted();
  service.clearLog();
  const { code, stderr } = await here("export", "--out", "resumed");
  expect([code, stderr]).toEqual([0, expect.stringContaining("1 subaccount already exported")]);
  expect(service.counts().byOperation["branding.emails"]).toBe(reads! + 1);
  expect(read("resumed/companies/other/company.yaml")).toContain("name: Others\n");
});

test("another export keeps the names of the first one, whatever has come in between", async () => {
  const args = ["export", "--out", "again", "--companies", "none"];
  const hook = (place: string) =>
    ofPartner().webhooks.create({ webhook_type: "add-user", webhook_url: `https://hooks.example.com/${place}` });
  await hook("b");
  await hook("d");
  const yaml = () => read("again/account.yaml").replace(/^[\s\S]*webhooks:\n/, "");
  expect(await here(...args)).toMatchObject(ok);
  expect(yaml()).toMatch(/add-user:\n.*\n.*\/b\n {2}add-user-2:\n.*\n.*\/d\n/);
  await hook("a");
  await hook("c");
  expect(await here(...args, "--force")).toMatchObject(ok);
  for (const [name, place] of [
    ["add-user", "b"],
    ["add-user-2", "d"],
    ["add-user-3", "a"],
    ["add-user-4", "c"],
  ])
    expect(yaml()).toMatch(new RegExp(`^  ${name}:\\n.*\\n.*/${place}$`, "m"));
});

test("another export keeps the directories of subaccounts that have other names or addresses by now, and first users", async () => {
  const companies = ["one", "two", "three", "four"].map((name, i) => ({
    id: `${4711 + i}`,
    name,
    email: `${name}@mail.example`,
  }));
  const { partner, esign } = await ownService({ companies });
  const again = async () => {
    expect(await esign("export", "--out", "kept", "--force")).toMatchObject(ok);
    const names = readdirSync(inHome("kept/companies"));
    return Object.fromEntries(names.map((name) => [name, read(`kept/companies/${name}/company.yaml`)]));
  };
  const { four, two } = await again();
  expect(four).toContain("userName: four\nuserEmail: four@mail.example\nemail: four@mail.example\n");
  renameSync(inHome("kept/companies/four"), inHome("kept/companies/first"));
  save(home, { "kept/companies/two/company.yaml": two!.replace(/ *# The API.*\nuserName: two/, "userName: Ann") });
  await partner.companies.update({ company_id: "4714", company_email: "moved@mail.example" });
  for (const [company_id, company_name] of [
    ["4711", "two"],
    ["4712", "one"],
    ["4713", "five"],
  ] as const)
    await partner.companies.update({ company_id, company_name });
  await partner.companies.create({ company_name: "three", user_name: "New", user_email: "new@mail.example" });
  expect(await again()).toEqual({
    first: expect.stringMatching(/userEmail: four@mail.example\nemail: moved@mail.example\n$/),
    one: expect.stringMatching(/^email: one@/m),
    three: expect.stringMatching(/^email: three@/m),
    "three-2": expect.stringMatching(/^email: new@/m),
    two: expect.stringMatching(/^userName: Ann\n(.*\n)*email: two@/m),
  });
});

test("the same account gives the same files, whichever subaccount is read first", async () => {
  const hooks = [1, 2].map(() => ({ type: "all" as const, url: "https://hooks.example.com/twice" }));
  const companies = ["1", "2"].map((id) => ({ id, name: `Customer ${id}`, webhooks: hooks }));
  const { own, esign } = await ownService({ companies });
  const readme = async (slow: string) => {
    own.configure({ faults: [{ kind: "latency", ms: 400, account: slow }] });
    expect(await esign("export", "--out", "ordered", "--force")).toMatchObject(ok);
    return read("ordered/README.md");
  };
  const [first, second] = [await readme("1"), await readme("2")];
  expect(first).toMatch(
    /subaccount Customer 1: webhook .* was skipped[\s\S]*subaccount Customer 2: webhook .* was skipped/,
  );
  expect(second).toBe(first);
  // Without it the preview after an import has each subaccount's key as an update.
  expect(first).toMatch(/ --generate-code=false\n +pulumi refresh --stack production\n +pulumi preview /);
});

/** The service, with an email and a webhook of types that came after this version. */
async function newerService(): Promise<string> {
  const { url } = await serve(async ({ method, url, headers }) => {
    const reply = await fetch(service.url + url, { method, headers: { authorization: headers.authorization! } });
    const body = (await reply.json()) as Record<string, unknown[]>;
    const created = "2024-01-15T09:00:00+0000";
    body.branding_emails?.push({
      branding_email_type: "email-declined",
      branding_email_subject: "{new variable}",
      branding_email_content: "<p>{contract url}</p>",
      branding_email_content_plain: "{contract url}",
      branding_email_updated: created,
    });
    body.webhooks?.push({
      webhook_id: "77",
      webhook_type: "returned-envelope",
      webhook_url: "https://bounced.example/",
      webhook_created: created,
    });
    return { status: reply.status, body };
  });
  return url;
}

test("types that this version does not know are exported, compared, promoted and written from the unmanaged", async () => {
  const env = at(await newerService());
  const newer = (...args: string[]) => esign([...args, "--companies", "none"], { home, env });
  expect(await newer("export", "--out", "newer")).toMatchObject({ code: 0, stderr: "" });
  // For every stack of the project, not for the first one only.
  expect(read("newer/Pulumi.yaml")).toContain("config:\n  esign:allowUnknownValues: true\n");
  expect(read("newer/Pulumi.production.yaml")).not.toContain("allowUnknownValues");
  expect((await newer("diff", "--exit-code", "newer", "account")).stdout).toMatch(/^newer → account\nNo differences\./);
  const check = await here("lint", "newer");
  expect(check).toMatchObject({ code: 0, stdout: expect.not.stringContaining("error") });
  const colour = "branding:\n  colour: '#112233'\n";
  save(home, { "code/account.yaml": colour, "owner/account.yaml": colour });
  mkdirSync(inHome("empty"));
  const promoted = await newer("promote", "account", "code", "--all");
  expect(promoted).toMatchObject({ code: 0, stderr: expect.stringContaining("esign:allowUnknownValues true") });
  expect(read("code/account.yaml")).toContain("type: returned-envelope");
  expect(existsSync(inHome("code/emails/email-declined/body.html"))).toBe(true);
  const unmanaged = await newer("drift", "unmanaged", "--managed-by", "owner", "--out", "empty", "--json");
  expect(unmanaged.code).toBe(0);
  // One document, and nothing after it.
  expect(JSON.parse(unmanaged.stdout)).toContainEqual(expect.objectContaining({ name: "email-declined" }));
  expect(read("empty/account.yaml")).toContain("type: returned-envelope");
});

test("subaccounts that have next to nothing are exported, again, and after an interruption", async () => {
  const companies = [
    { company_id: 1, company_name: "Full", company_email: "a@full.example", company_api_key: "key-of-full" },
    { company_id: 2, company_name: "Empty", company_email: "a@empty.example", company_api_key: "key-of-empty" },
  ];
  const webhook = {
    webhook_id: 9,
    webhook_type: "all",
    webhook_url: "https://h.example/",
    webhook_created: "2024-01-15T09:00:00+0000",
  };
  const email = { branding_email_type: "email-send", branding_email_subject: "S" };
  const html = { branding_email_content: "<p>{contract url}</p>" };
  let full: Record<string, unknown[]> = { webhooks: [webhook], branding_emails: [{ ...email, ...html }] };
  const { url } = await serve(({ path, headers }) => {
    const key = Buffer.from(headers.authorization!.slice(6), "base64").toString().split(":")[0];
    const body = { webhooks: [], branding_emails: [], companies, ...(key === "key-of-full" && full) };
    const totals = { total_webhooks: body.webhooks.length, total_companies: companies.length };
    return { body: { http: 200, ...totals, ...(path !== "/v1/branding" && body) } };
  });
  const scant = (...args: string[]) => esign(["export", "--out", "scant", ...args], { home, env: at(url) });
  expect(await scant()).toMatchObject({ code: 0, stderr: "1/2 subaccounts\n2/2 subaccounts\n" });
  full = { branding_emails: [email] };
  const files = ["account.yaml", "emails/email-send/body.html", "emails/email-send/body.txt"];
  const left = files.map((path) => `    companies/full/${path}\n`).join("");
  expect(await scant("--force")).toMatchObject(usageError(`${left}$`));
  for (const path of files) rmSync(inHome(`scant/companies/full/${path}`));
  // The other one may be done already: it is taken from its files.
  expect(await scant()).toMatchObject({ code: 0, stderr: expect.stringContaining("Resuming: ") });
  expect(read("scant/import.json")).not.toContain("Webhook");
  companies[1]!.company_email = null as never;
  // Its first user would be that of the earlier export.
  rmSync(inHome("scant/companies/empty"), { recursive: true });
  const nameless = await scant("--force");
  expect(nameless).toMatchObject({ code: 0, stderr: expect.stringContaining("import.json was not written: ") });
  expect(read("scant/README.md")).toContain("write userEmail into companies/empty/company.yaml");
  expect(existsSync(inHome("scant/import.json"))).toBe(false);
});

test("what is written is written, also when its output is not read", async () => {
  // Packs nothing.
  save(home, { "npm.cjs": "process.exit(1);" });
  const env = { ...at(service.url), npm_execpath: inHome("npm.cjs"), npm_config_user_agent: "npm/10.0.0" };
  const line = `"${process.execPath}" "${main}" export --out unseen --parallel 1 2>&1 | true`;
  await run("sh", ["-c", line], { home, env });
  expect(existsSync(inHome("unseen/import.json"))).toBe(true);
  const commands = ["promote account piped --all", "drift unmanaged account --managed-by piped --out piped"];
  for (const command of spread(commands, 1)) {
    rmSync(inHome("piped"), { recursive: true, force: true });
    save(home, { "piped/account.yaml": "branding:\n  colour: '#112233'\n" });
    const line = `"${process.execPath}" "${main}" ${command} --companies none | true`;
    await run("sh", ["-c", line], { home, env });
    expect(existsSync(inHome("piped/emails/email-send/body.html")), command).toBe(true);
  }
});
