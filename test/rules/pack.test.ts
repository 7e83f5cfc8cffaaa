/** The policies as @pulumi/policy calls them, without an engine. */
import { join } from "node:path";
import type * as policy from "@pulumi/policy";
import { describe, expect, it } from "vitest";
import { type EsignPolicy, esignPolicies, type PolicyConfig } from "../../rules";
import { save, temporaryFolder } from "../files";
import { cases, config, stack } from "./cases";

const home = temporaryFolder();

// Compiled, it is a test: the policies are those that a pack takes.
const _policies: policy.Policies = esignPolicies();

/** What the policies report of a resource, as `policy message`. */
function violationsOf(
  policies: EsignPolicy[],
  resource: { type: string; name: string; props?: Record<string, unknown>; stack?: string; config?: object },
): string[] {
  return policies.flatMap((each) => {
    const reported: string[] = [];
    const { type, name, props = {}, stack: own = stack } = resource;
    const urn = `urn:pulumi:${own}::shop::${type}::${name}`;
    each.validateResource(
      { type, name, urn, props, getConfig: <T extends object>() => (resource.config ?? {}) as T },
      (message) => reported.push(`${each.name} ${message}`),
    );
    return reported;
  });
}

const esignType = (kind: string) => `pulumi-nodejs:dynamic/esign:${kind}`;
const webhook = (props: Record<string, unknown>, more: object = {}) => ({
  type: esignType("Webhook"),
  name: "w",
  props,
  ...more,
});
const all = { type: "all", url: "https://a.example" };

describe("the policies", () => {
  it.each(cases)("of $kind $name", ({ kind, name, args, violates }) => {
    const reported = violationsOf(esignPolicies(config), { type: esignType(kind), name, props: args });
    expect(reported.map((line) => /^\S+ \w+/.exec(line)?.[0]).sort()).toEqual([...violates].sort());
    for (const line of reported) {
      expect(line).toMatch(/ Fix: .+\.$/);
      // A URL may have credentials in it.
      expect(line).not.toContain("a.example");
    }
  });

  it("say what is wrong, where, and what to do", () => {
    const email = { type: "email-send", content: '<p>x</p>\n<a href="http://a.example">{contract url}</a>' };
    expect(violationsOf(esignPolicies(), { type: esignType("BrandingEmail"), name: "e", props: email })).toEqual([
      "https-only content, line 2, column 10: the URL is not https. Fix: use https://.",
    ]);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ["a tab", { content: '<a href="ht&Tab;tp://a.example">{contract url}</a>' }, ["https-only content"]],
    [
      "a set of pictures",
      { content: '{contract url}<img srcset="http://a.example/a.png 2x">' },
      ["https-only content"],
    ],
    ["an import", { content: "{contract url}<style>@\\69mport 'http://a.example'</style>" }, ["https-only content"]],
    ["a subject", { subject: "Sign at http://a.example" }, ["https-only subject"]],
    ["a comment", { content: "<!-- {contract url} --><p>x</p>" }, ["link-variable content"]],
    ["Outlook's comment", { content: "<!--[if mso]>{contract url}<![endif]--><p>x</p>" }, ["link-variable content"]],
    ["a hidden element", { content: '<p>x</p><p style="display:none">{contract url}</p>' }, ["link-variable content"]],
    ["a line break", { contentPlain: "Sign: {contract\nurl}" }, ["link-variable contentPlain"]],
    ["nothing", { subject: "Sign", content: '<a href="{contract url}">x</a>', contentPlain: "{contract url}" }, []],
  ])("are not passed by %s", (_, texts, expected) => {
    const found = violationsOf(esignPolicies(), {
      type: esignType("BrandingEmail"),
      name: "e",
      props: { type: "email-send", ...texts },
    });
    expect(found.map((line) => /^\S+ \w+/.exec(line)?.[0])).toEqual(expected);
  });

  it("leave out what is not known before the update, and resources of others", () => {
    const props = {
      type: "all",
      get url(): string {
        throw new Error("string value at .url can't be known during preview");
      },
    };
    expect(violationsOf(esignPolicies(), webhook(props))).toHaveLength(1);
    expect(
      violationsOf(esignPolicies(), { type: "aws:s3/bucket:Bucket", name: "b", props: { url: "http://x" } }),
    ).toEqual([]);
  });

  it("know production by the name of the stack", () => {
    expect(violationsOf(esignPolicies(), webhook(all, { stack: "dev" }))).toEqual([]);
    const policies = esignPolicies({ "no-all-webhook": { stacks: ["dev"] } });
    expect(violationsOf(policies, webhook(all, { stack: "dev" }))).toHaveLength(1);
    expect(violationsOf(policies, webhook(all))).toEqual([]);
  });

  it("take the engine's configuration before their own", () => {
    const policies = esignPolicies({ "no-all-webhook": { stacks: ["dev"] } });
    const policy = policies.filter(({ name }) => name === "no-all-webhook");
    expect(policy[0]!.configSchema.properties.stacks).toMatchObject({
      type: "array",
      items: { type: "string" },
      default: ["dev"],
    });
    expect(violationsOf(policy, webhook(all, { config: { stacks: ["pro*"] } }))).toHaveLength(1);
    expect(() => violationsOf(policy, webhook(all, { config: { stack: "x" } }))).toThrow(/unknown setting "stack"/);
  });
});

describe("no-plaintext-key", () => {
  const project = join(home, "shop");
  save(project, { "Pulumi.yaml": "name: shop\nruntime: nodejs\nconfig:\n  esign:baseUrl: https://a.example\n" });
  const check = (configuration: string, options: PolicyConfig["no-plaintext-key"] = { project }) => {
    save(project, { "Pulumi.dev.yaml": `config:\n${configuration}` });
    const root = { type: "pulumi:pulumi:Stack", name: "shop-dev", stack: "dev" };
    return violationsOf(esignPolicies({ "no-plaintext-key": options }), root);
  };

  it("finds a key in clear, and never shows it", () => {
    const [violation, ...more] = check("  esign:apiKey: 0123456789\n  shop:title: x\n");
    expect(more).toEqual([]);
    expect(violation).toMatch(
      /^no-plaintext-key esign:apiKey: esign:apiKey is in clear in Pulumi.dev.yaml. Fix: run `esign/,
    );
    expect(violation).not.toContain("0123456789");
    expect(check("  shop:mailToken: abc\n  esign:config:apiKey: k\n")).toHaveLength(2);
  });

  it("walks lists and objects, whose members may be encrypted", () => {
    const values = `  shop:values:
    hooks: https://a.example
    mailToken: abc
    nested: { list: [{ title: x, dbPassword: p }] }
    password: { secure: v1:abc }
  shop:env:
    - { name: SMTP_PASSWORD, value: p }
    - { name: useToken, value: true }
  shop:tokens: { all: { secure: v1:abc } }
`;
    const fields = (lines: string[]) => lines.map((line) => line.split(" ")[1]);
    expect(fields(check(values))).toEqual([
      "shop:values.mailToken:",
      "shop:values.nested.list[0].dbPassword:",
      "shop:env[0].value:",
    ]);
    expect(check(values)[1]).toContain(
      "`esign config set --secret --path shop:values.nested.list[0].dbPassword --stack dev`",
    );
    expect(fields(check(values, { project, except: ["shop:values"] }))).toEqual(["shop:env[0].value:"]);
  });

  const base64 = (text: string) => Buffer.from(text).toString("base64");
  it.each([
    JSON.stringify({ mail: [{ apiKey: "0123456789" }] }),
    base64(JSON.stringify({ mail: { apiKey: "0123456789" } })),
    "SMTP_USER=ann\nSMTP_PASSWORD=0123456789",
    base64("export MAIL_TOKEN=0123456789\n"),
    "https://ann:0123456789@sign.example.com/",
    "https://0123456789@sign.example.com/",
    "https://sign.example.com/?x=1&token=0123456789",
    `Basic ${base64("0123456789:")}`,
    "Bearer abc123",
    "https://1ea5e4a7-ab12@sign.example.com/",
  ])("finds a key inside the text %j", (text) => {
    expect(check(`  shop:mail: ${JSON.stringify(text)}\n`)).toEqual([
      expect.stringMatching(/^no-plaintext-key shop:mail: .*`esign config set --secret shop:mail --stack dev`/),
    ]);
  });

  it.each([
    JSON.stringify({ mail: [{ title: "token" }], apiKey: { secure: "v1:abc" } }),
    base64("the password is not in here, but elsewhere"),
    "Password: {contract password}",
    "Your token: see the letter",
    "https://sign.example.com/?x=token&token=${token}",
    "postgres://ann@db.example/shop",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    ...["Basic monthly", "Basic subscription", "Bearer bonds", "Bearer ${MAIL_TOKEN_1}", "Bearer <your-own-token>"],
    ...[
      "postgres://app:${DB_PASSWORD}@db/app",
      "https://{{apiKey}}:x@sign.example.com/",
      "https://ann:<key>@a.example/",
    ],
    ...["https://contoso@dev.azure.com/contoso/shop", "https://contoso2024@dev.azure.com/contoso2024/shop"],
    ...["https://git@github.com/contoso/shop", "https://ann.smith1%40mail2.example@git.example/"],
  ])("finds none inside the text %j", (text) => {
    expect(check(`  shop:mail: ${JSON.stringify(text)}\n`)).toEqual([]);
  });

  it("takes what is in a list or an object of secrets for one", () => {
    const found = check(
      '  shop:apiKeys: { acme: "0123" }\n  shop:tokens: [a, { secure: v1:abc }]\n  shop:maxTokens: 3\n',
    );
    expect(found.map((line) => line.split(" ")[1])).toEqual(["shop:apiKeys.acme:", "shop:tokens[0]:"]);
  });

  it.each([
    'designTokens: { primary: "#ff0000", font: { body: Inter, size: 4px } }',
    'themeTokens: { primary: "#ff0000" }',
    "tokens: { lifetime: 3600, access: { lifetime: 60 } }",
    "maxTokens: [100, 200]",
    `tokens: '{ "lifetime": 3600 }'`,
  ])("takes none of %s for a secret", (setting) => {
    expect(check(`  shop:${setting}\n`)).toEqual([]);
  });

  it("takes a number for a secret that has the name of one", () => {
    expect(check("  shop:tokens: { pin: { password: 123456 } }\n  shop:token: 123456\n")).toHaveLength(2);
  });

  it("accepts encrypted ones, and exceptions", () => {
    expect(check("  esign:apiKey:\n    secure: v1:abc\n")).toEqual([]);
    expect(check("  shop:mailToken: abc\n", { project, except: ["shop:mailToken"] })).toEqual([]);
  });

  it("says what to configure where the project is not found", () => {
    expect(() => check("", { project: home })).toThrow(/no Pulumi.yaml of the project "shop" in .*set project/);
  });
});

it.each<[unknown, RegExp]>([
  [{ "https-onyl": "mandatory" }, /https-onyl: unknown policy "https-onyl", did you mean "?https-only"?/],
  [{ "https-only": "strict" }, /https-only.enforcementLevel: must be advisory, mandatory, disabled, remediate/],
  [{ "approved-wording": { hash: [] } }, /unknown setting "hash".*; use enforcementLevel, hashes, except/],
  [{ "approved-wording": { hashes: ["abc"] } }, /approved-wording.hashes.0: must be sha256: and 64/],
  [{ "link-variable": { variables: { "email-send": ["contrct url"] } } }, /link-variable.variables.email-send.0/],
])("the configuration %j is refused", (wrong, message) => {
  expect(() => esignPolicies(wrong as PolicyConfig)).toThrow(message);
});
