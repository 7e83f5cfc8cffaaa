/** The components that deploy a folder, with the SDK's mocks. They load what they need lazily, so the built package is tested. */
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as Esign from "../../provider";
import { save, temporaryFolder } from "../files";
import { inputsOf, mock, program, registered } from "./mocked";

const root = resolve(__dirname, "../..");
const esign = createRequire(__filename)(join(root, "dist/provider/index.js")) as typeof Esign;
const fixture = join(root, "test/fixtures/account");

let warnings: string[];

beforeEach(async () => {
  warnings = [];
  await mock();
  vi.spyOn(pulumi.log, "warn").mockImplementation(async (message) => void warnings.push(message));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const inputs = (name: string) => {
  const { __provider: _, __resource: __, ...rest } = inputsOf(name);
  return rest;
};
/** Why a program fails. */
const failureOf = async (body: () => unknown): Promise<string> => {
  let failure: unknown;
  await program(() => {
    try {
      body();
    } catch (error) {
      failure = error;
    }
  });
  expect(pulumi.RunError.isInstance(failure)).toBe(true);
  return (failure as Error).message;
};
/** Makes a component, once all of it is registered. */
const make = async <T>(component: () => T): Promise<T> => {
  let made: T;
  await program(() => {
    made = component();
  });
  return made!;
};
const account = (args: Partial<Esign.AccountConfigArgs> = {}, name = "main") =>
  new esign.AccountConfig(name, { folder: fixture, ...args });
const settled = <T>(output: pulumi.Output<T>) => new Promise<T>((done) => output.apply((value) => done(value)));

describe("AccountConfig", () => {
  it("makes the resources of a folder", async () => {
    const config = await make(() => account({ values: { stage: "dev" } }));
    expect(registered.map(({ type, name }) => `${type.replace("pulumi-nodejs:dynamic/", "")} ${name}`).sort()).toEqual([
      "esign:Branding main-branding",
      "esign:BrandingEmail main-email-cancelled",
      "esign:BrandingEmail main-email-rejected",
      "esign:BrandingEmail main-email-reminder",
      "esign:BrandingEmail main-email-reminder-password",
      "esign:BrandingEmail main-email-send",
      "esign:BrandingEmail main-email-signed",
      "esign:BrandingEmail main-email-widget-verify",
      "esign:Webhook main-rejected",
      "esign:Webhook main-signed",
      "esign:index:AccountConfig main",
      "pulumi:pulumi:Stack shop-dev",
    ]);
    expect(inputs("main-branding")).toEqual({ colour: "#0B5C6B", logoUrl: "https://static.example.com/dev/logo.png" });
    expect(inputs("main-signed")).toEqual({
      type: "signed-envelope-complete",
      url: "https://hooks.example.com/dev/signed",
    });
    expect(inputs("main-email-rejected")).toMatchObject({
      type: "email-rejected",
      subject: "נדחה: {contract title}",
      contentPlain: expect.stringContaining("שלום {user name}"),
    });
    expect(inputs("main-email-send").contentPlain).toContain("Read and sign [{contract url}]");
    expect(Object.keys(config.emails)).toHaveLength(7);
    expect(await settled(config.webhooks.signed!.url)).toBe("https://hooks.example.com/dev/signed");
    expect(warnings).toEqual([]);
  });

  it("passes on that there is to be no logo", async () => {
    pulumi.runtime.setAllConfig({ "esign:edition": "current" });
    const folder = temporaryFolder({ "account.yaml": "branding: { logoUrl: null }" });
    await make(() => account({ folder }));
    expect(inputs("main-branding")).toEqual({ logoUrl: null });
  });

  it("takes values from the stack's configuration", async () => {
    pulumi.runtime.setAllConfig({ "shop:values": '{"stage":"staging"}' });
    await make(() => account());
    expect(inputs("main-branding").logoUrl).toBe("https://static.example.com/staging/logo.png");
  });

  it("keeps secret values secret, and only what is written with them", async () => {
    pulumi.runtime.setAllConfig({ "shop:values": '{"token":"hush"}' }, ["shop:values"]);
    const folder = temporaryFolder({
      "account.yaml":
        'branding: { colour: "#0B5C6B" }\nwebhooks: { a: { type: all, url: "https://x.example/${token}" } }',
    });
    const config = await make(() => account({ folder }));
    expect(await pulumi.isSecret(config.webhooks.a!.url)).toBe(true);
    expect(await pulumi.isSecret(config.branding!.colour)).toBe(false);
    expect(await settled(config.webhooks.a!.url)).toBe("https://x.example/hush");
  });

  it("takes outputs as values", async () => {
    const folder = temporaryFolder({ "emails/email-send/body.html": "<p>${site} {client name}</p>" });
    await make(() => account({ folder, values: { site: pulumi.output(Promise.resolve("a & b")) } }));
    expect(inputs("main-email-send")).toEqual({
      type: "email-send",
      content: "<p>a &amp; b {client name}</p>",
      contentPlain: "a & b {client name}",
    });
  });

  it("hands the account and what a deletion does on", async () => {
    const folder = temporaryFolder({
      "account.yaml": 'branding: { colour: "#0B5C6B" }\nwebhooks: { a: { type: all, url: "https://x.example" } }',
    });
    await make(() => account({ folder, values: {}, account: "4711", onDelete: "keep" }));
    expect(inputs("main-branding")).toEqual({ colour: "#0B5C6B", account: "4711", onDelete: "keep" });
    expect(inputs("main-a")).toEqual({ type: "all", url: "https://x.example", account: "4711" });
  });

  it("writes no text for a value that is missing, or is not a string", async () => {
    const folder = temporaryFolder({ "emails/email-send/body.html": "<p>${phone}: {contract url}</p>" });
    for (const [values, words] of [
      ['{"phone":null}', /missing value for \$\{phone\}/],
      ['{"phone":{"home":"1"}}', /value of \$\{phone\} is not a string/],
    ] as const) {
      pulumi.runtime.setAllConfig({ "shop:values": values });
      expect(await failureOf(() => account({ folder }))).toMatch(words);
    }
  });

  it("tells all errors of a folder with their places, before any resource is made", async () => {
    const folder = temporaryFolder({
      "account.yaml": "branding:\n  color: x\n",
      "emails/email-send/body.html": "<p>\n ${portl}</p>",
    });
    const message = await failureOf(() => account({ folder, values: { portal: "x" } }));
    expect(message).toContain(`AccountConfig "main": 3 errors in ${folder}:\n`);
    expect(message).toContain('account.yaml:2:3 unknown setting "branding.color", did you mean "colour"?');
    expect(message).toContain("body.html:2:2 missing value for ${portl}; did you mean ${portal}?");
    expect(message).toContain('unused value "portal"');
    expect(registered.map(({ name }) => name)).not.toContain("main-email-send");
  });

  it.each([
    [{}, "folder is missing"],
    [{ folder: "/nowhere" }, 'there is no folder "/nowhere"'],
    [{ folder: fixture, lint: "loud" }, 'lint must be "error", "warning" or "off"'],
  ])("refuses %j", async (args, message) => {
    expect(await failureOf(() => new esign.AccountConfig("main", args as Esign.AccountConfigArgs))).toContain(message);
  });

  it("lets through what the stack's setting lets through, unless its argument is false", async () => {
    const folder = temporaryFolder({ "emails/letter/subject.txt": "{sender name}" });
    const one = (more: Partial<Esign.AccountConfigArgs> = {}) => account({ folder, values: {}, ...more });
    expect(await failureOf(() => one())).toContain("allowUnknownValues");
    pulumi.runtime.setAllConfig({ "esign:allowUnknownValues": "true" });
    expect(await failureOf(() => one({ allowUnknownValues: false }))).toContain("allowUnknownValues");
    await make(() => one());
    expect(inputs("main-letter")).toMatchObject({ type: "letter", subject: "{sender name}" });
  });

  it("warns of what the rules find, or stops on errors, or asks none", async () => {
    const folder = temporaryFolder({
      "emails/email-cancelled/body.html":
        '<a href="http://x.example">x</a><img src="https://x.example/a.png"><img src="https://x.example/b.png">',
    });
    await make(() => account({ folder, values: {} }, "a"));
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(
      /^AccountConfig "a": .*body\.html:1:10 the URL is not https; use https:\/\/. To accept/,
    );
    // What lint only warns of is counted.
    expect(warnings[1]).toMatch(/: 2 warnings of lint \(image-alt 2\)\. List them: esign lint \S+$/);
    const off = /lint: \{ off: \{ (.*) \} \} in account\.yaml$/.exec(warnings[0]!)![1];
    save(folder, { "account.yaml": `lint: { off: { ${off}, image-alt: true } }` });
    await make(() => account({ folder, values: {} }, "accepted"));
    expect(warnings).toHaveLength(2);
    save(folder, { "account.yaml": "" });
    const message = await failureOf(() => account({ folder, values: {}, lint: "error" }, "b"));
    expect(message).toContain("1 error in");
    await make(() => account({ folder, values: {}, lint: "off" }, "c"));
    expect(warnings).toHaveLength(2);
  });

  it("makes no subaccounts within one, nor in silence in the partner's account", async () => {
    const company = "name: Acme\nuserName: Ann\nuserEmail: ann@acme.example\n";
    const folder = temporaryFolder({ "companies/acme/company.yaml": company });
    expect(await failureOf(() => account({ folder, account: "17" }))).toMatch(
      /account is a subaccount.*companies \(acme\).*Omit account/s,
    );
    save(folder, { "companies/acme/companies/inner/company.yaml": company });
    for (const args of [{ folder }, { folder, account: "17" }])
      expect(await failureOf(() => account(args))).toContain(
        '"companies" is not read; a subaccount has no subaccounts: move them to the companies/ of the partner\'s folder',
      );
  });

  it("makes a partner's subaccounts", async () => {
    const folder = temporaryFolder({
      "partials/footer.txt": "Bye, ${customer}\n",
      "companies/acme/company.yaml":
        "name: ${customer} Ltd\nuserName: Ann\nuserEmail: ann@acme.example\ndeletionProtection: false\nvalues: { customer: Acme }",
      "companies/acme/account.yaml": 'branding: { colour: "#0B5C6B" }',
      "companies/acme/emails/email-send/body.txt": "${include footer}",
      "companies/zeta/company.yaml":
        "name: Zeta\nuserName: Zoe\nuserEmail: zoe@zeta.example\nvalues: { customer: Zeta }",
      "companies/zeta/emails/email-send/body.txt": "${include footer}",
    });
    const config = await make(() => account({ folder }));
    expect(inputs("main-acme")).toMatchObject({ name: "Acme Ltd", userName: "Ann", deletionProtection: false });
    expect(inputs("main-acme-branding")).toEqual({ colour: "#0B5C6B", account: "main-acme-id" });
    expect(inputs("main-acme-email-send")).toEqual({
      type: "email-send",
      contentPlain: "Bye, Acme",
      account: "main-acme-id",
    });
    expect(inputs("main-zeta-email-send").contentPlain).toBe("Bye, Zeta");
    expect(Object.keys(config.companies)).toEqual(["acme", "zeta"]);
  });
});

describe("SubAccount", () => {
  it("is a company and what is in it", async () => {
    const folder = temporaryFolder({ "emails/email-send/subject.txt": "${customer}: {contract title}" });
    const sub = await make(
      () =>
        new esign.SubAccount("acme", {
          folder,
          values: { customer: "Acme" },
          name: "Acme Ltd",
          userName: "Ann",
          userEmail: "ann@acme.example",
          onExisting: "fail",
        }),
    );
    expect(inputs("acme-email-send")).toEqual({
      type: "email-send",
      subject: "Acme: {contract title}",
      account: "acme-id",
    });
    expect(inputs("acme")).toMatchObject({ name: "Acme Ltd", onExisting: "fail" });
    expect(await settled(sub.company.companyId)).toBe("acme-id");
  });

  it("takes what its arguments do not say from its folder", async () => {
    const folder = temporaryFolder({
      "company.yaml": "name: Acme\nuserName: Ann\nuserEmail: ann@acme.example\nvalues: { customer: A }",
      "emails/email-send/subject.txt": "${customer}",
    });
    await make(() => new esign.SubAccount("acme", { folder, userName: "Bea" }));
    expect(inputs("acme")).toMatchObject({ name: "Acme", userName: "Bea", userEmail: "ann@acme.example" });
    expect(inputs("acme-email-send").subject).toBe("A");
  });

  it("says what is missing", async () => {
    expect(await failureOf(() => new esign.SubAccount("acme", { name: "Acme" }))).toContain(
      'SubAccount "acme": userName is missing: set it as an argument',
    );
    const folder = temporaryFolder({ "company.yaml": "name: Acme" });
    expect(await failureOf(() => new esign.SubAccount("acme", { folder }))).toContain("or in the folder/company.yaml");
  });
});

it.each<[string, () => unknown, RegExp]>([
  [
    "AccountConfig",
    () => new esign.AccountConfig("main", { folder: fixture, values: { stage: "dev" }, acount: "4711" } as never),
    /^AccountConfig "main": acount is not an argument of AccountConfig, did you mean "account"\? \(arguments: folder, /,
  ],
  [
    "SubAccount",
    () => new esign.SubAccount("acme", { name: "Acme", deletionProtecton: false } as never),
    /^SubAccount "acme": deletionProtecton is not an argument of SubAccount, did you mean "deletionProtection"/,
  ],
  ["SubAccount", () => new esign.SubAccount("acme", undefined as never), /^SubAccount "acme": arguments are missing/],
])("%s takes no argument by another name, before anything is made", async (_, make, words) => {
  expect(await failureOf(make)).toMatch(words);
  expect(registered.map(({ type }) => type)).toEqual(["pulumi:pulumi:Stack"]);
});
