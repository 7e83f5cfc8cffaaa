/** Users, contacts and settings as files: exported, linted, compared, promoted and inventoried. They are read where asked for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readOwnAccount } from "../../account-folder/diff/from-service";
import { sectionKinds } from "../../definitions/index";
import { connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";
import { stateOf } from "./owned-worlds";

const service = useEmulator({
  seed: {
    account: {
      user: { name: "Ada Acme", email: "ada@acme.example" },
      users: [{ name: "Bo", email: "bo@acme.example" }],
      contacts: [{ name: "Carla", email: "carla@client.example" }],
      settings: { setting_brand_new: 7, setting_email_pdf_attach: false },
    },
  },
});
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  await service.reset();
});

const run = (...args: string[]) =>
  esign(args, {
    home: folder,
    env: {
      ESIGN_BASE_URL: service.url,
      ESIGN_API_KEY: service.keys.account,
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    },
  });
const ok = async (...args: string[]) => {
  const outcome = await run(...args);
  expect(outcome.code, outcome.stdout + outcome.stderr).toBe(0);
  return outcome.stdout;
};
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const client = () => connect({ baseUrl: service.url, apiKey: service.keys.account });
const onRequest = sectionKinds.filter(({ isOnRequest }) => isOnRequest).map(({ storage }) => storage.section);
const sections = `users:
  ada:
    name: Ada Acme
    email: ada@acme.example
    role: super-admin
  bo:
    name: Bo
    email: bo@acme.example
    role: user
contacts:
  carla:
    name: Carla
    email: carla@client.example
settings:
`;

describe("export", () => {
  test("writes them where asked for, and what is written says the same as the account", async () => {
    const { BrandingEmail = [] } = await readOwnAccount(client());
    const counts = `${BrandingEmail.length} email templates, 0 webhooks, 2 users, 1 contact, 13 settings`;
    expect(await ok("export", "--out", "all", "--include", "all")).toContain(counts);
    const yaml = read("all/account.yaml");
    expect(yaml).toContain(sections);
    expect(yaml).toMatch(/^ {2}signatureFormatAccepted: typed,drawn,upload$/m);
    expect(yaml).toMatch(/^ {2}emailPdfAttach: false$/m);
    expect(yaml).toMatch(/^ {2}other:\n {4}setting_brand_new: 7$/m);
    // The emulator's logo is at this machine's address, which no reader of an email reaches.
    const findings = await ok("lint", "all");
    expect(findings).toContain("logo-address");
    expect(findings).toContain("1 warning\n");
    expect(await ok("diff", "all", "account", "--exit-code")).toContain("No differences.");
  });

  test("leaves them out otherwise, and asks the account for none of them", async () => {
    service.clearLog();
    await ok("export", "--out", "own");
    expect(read("own/account.yaml")).not.toMatch(/users|contacts|settings/);
    expect(service.requests().map(({ path }) => path)).not.toContain(expect.stringMatching(/users|contacts|settings/));
    expect(await run("export", "--out", "x", "--include", "user")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`It must be all, or some of ${onRequest.join(", ")}.`),
    });
  });

  test("of an interface without them leaves them out", async () => {
    service.configure({ missing: ["users", "contacts", "settings"] });
    await ok("export", "--out", "less", "--include", "all");
    expect(read("less/account.yaml")).not.toMatch(/users|contacts|settings/);
    service.configure({ missing: [] });
  });
});

describe("a folder", () => {
  test("is compared with what it manages only", async () => {
    save(folder, { "code/account.yaml": "users:\n  bo: { name: Bo, email: BO@acme.example, role: admin }\n" });
    const output = await ok("diff", "code", "account");
    expect(output).toContain('~ user BO@acme.example\n    role: "admin" → "user"');
    expect(output).toContain("user ada@acme.example (not managed by code)");
    expect(output).not.toContain("contact");
  });

  test("is linted: roles, addresses, formats, names", async () => {
    save(folder, {
      "code/account.yaml": `users:
  bo: { name: Bo, email: bo, role: owner }
settings:
  signatureFormatDefault: crayon
  emailPdfAttach: perhaps
`,
    });
    const { code, stdout } = await run("lint", "code");
    expect(code).toBe(1);
    expect(stdout).toMatch(/2:26 [\s\S]*"users.bo.email" must be an email address/);
    expect(stdout).toMatch(/"users.bo.role" must be one of user, admin, super-admin/);
    expect(stdout).toMatch(/"settings.signatureFormatDefault" must be one of drawn, typed, upload/);
    expect(stdout).toMatch(/"settings.emailPdfAttach" must be true or false/);
    save(folder, { "code/account.yaml": "settings:\n  other: { brand_new: 1 }\n" });
    expect((await run("lint", "code")).stdout).toContain('"settings.other.brand_new" must begin with setting_');
  });

  test("gets what another account has by promote", async () => {
    save(folder, {
      "code/account.yaml": "# People\nusers:\n  bo: { name: Bo, email: bo@acme.example, role: admin } # boss\n",
    });
    await ok("promote", "account", "code");
    expect(read("code/account.yaml")).toBe(
      "# People\nusers:\n  bo: { name: Bo, email: bo@acme.example, role: user } # boss\n",
    );
    await ok("promote", "account", "code", "--all", "--include", "settings");
    expect(read("code/account.yaml")).toMatch(/settings:\n(.*\n)* {2}other:\n {4}setting_brand_new: "?7"?/);
    expect(await ok("diff", "code", "account", "--include", "all", "--exit-code")).toContain("No differences.");
  });
});

test("unmanaged lists those that no code manages, where asked for", async () => {
  expect(await ok("drift", "unmanaged")).not.toContain("user ");
  const output = await ok("drift", "unmanaged", "--include", "users,settings");
  expect(output).toContain("user bo@acme.example");
  expect(output).toContain("settings: signatureMoreInfo");
  expect(output).not.toContain("contact carla");
  await ok("drift", "unmanaged", "--include", "all", "--out", "rest");
  expect(read("rest/account.yaml")).toContain(sections);
});

test("drift of each, member by member", async () => {
  const { users, contacts } = service.data().accounts.at(-1)!;
  const deployed = stateOf("dev", [
    { kind: "User", id: users[1]!.id, fields: { name: "Bo", email: "bo@acme.example", role: "user" } },
    { kind: "Contact", id: contacts[0]!.id, fields: { name: "Carla", email: "carla@client.example" } },
    { kind: "Settings", id: "settings", fields: { emailPdfAttach: false, other: { setting_brand_new: 7 } } as never },
  ]);
  save(folder, { "dev.json": JSON.stringify(deployed) });
  expect(await ok("drift", "--state", "dev.json")).toBe("No drift.\n");
  await client().users.update({ user_id: users[1]!.id, user_name: "Bo", role_id: "2" });
  await client().contacts.delete({ contact_id: contacts[0]!.id });
  await client().settings.update({ setting_brand_new: 8 });
  const output = await ok("drift", "--state", "dev.json");
  expect(output).toContain('~ user bo@acme.example\n    role: "user" → "admin"');
  expect(output).toContain("- contact carla@client.example");
  expect(output).toMatch(/~ settings\n {4}other\.setting_brand_new: "7" → ""?8/);
  expect(output).not.toContain("emailPdfAttach");
});

test.each([
  [["--stack", "dev"], "--stack"],
  [["--markdown"], "--markdown"],
  [["--local"], "--local"],
])("unmanaged with %j, an option of drift alone, is refused", async (args, option) => {
  const { code, stderr } = await run("drift", "unmanaged", ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${option} is an option of "esign drift"`)]);
});
