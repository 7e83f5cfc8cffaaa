import { describe, expect, test } from "vitest";
import { compare } from "../../account-folder/diff/compare";
import type { ConfigSource } from "../../account-folder/diff/comparison";
import { formatMarkdown, formatComparison as inWords } from "../../account-folder/diff/format";
import { stackSource } from "../../account-folder/diff/from-state";
import type { AccountModel } from "../../account-folder/model";

const base: AccountModel = {
  branding: { logoUrl: "https://service.example/logos/1.png?1700000000", colour: "#558CAA" },
  emails: {
    "email-send": { subject: "Sign {contract title}", content: "<p>one</p>\n<p>two</p>\n", contentPlain: "one" },
  },
  webhooks: [
    { id: "1", type: "all", url: "https://hooks.example/all" },
    { id: "2", type: "add-user", url: "https://hooks.example/users" },
  ],
};
const account = (model: AccountModel, environment = "a"): ConfigSource => ({
  model,
  label: "account",
  isAuthoritative: true,
  environment,
});
const code = (model: AccountModel): ConfigSource => ({ model, label: "./account", isAuthoritative: false });
const text = (before: ConfigSource, after: ConfigSource) => inWords(compare(before, after)).map((line) => line.text);

test("code that removes the logo equals an account without one, and no other", () => {
  const none = { ...base, branding: { colour: "#558CAA" } };
  const removed = { ...base, branding: { colour: "#558CAA", logoUrl: "" } };
  expect(compare(code(removed), account(none)).changes).toEqual([]);
  expect(compare(account(none), code(removed)).changes).toEqual([]);
  expect(compare(code(removed), account(base)).changes).toMatchObject([{ fields: [{ field: "logoUrl", before: "" }] }]);
  expect(compare(code(base), account(none)).changes).toMatchObject([{ fields: [{ field: "logoUrl" }] }]);
});

test("a role that the account's interface does not return is no difference", () => {
  const person = { name: "Nora", email: "nora@northwind.example" };
  const withRole = (role?: string) => ({ ...base, users: [{ ...person, ...(role && { role }) }] }) as AccountModel;
  expect(compare(code(withRole("admin")), account(withRole())).changes).toEqual([]);
  expect(compare(code(withRole("admin")), account(withRole("user"))).changes).toMatchObject([
    { fields: [{ field: "role" }] },
  ]);
});

describe("compare", () => {
  test("an account equals itself, whatever the order of its webhooks, the case of its colour, its logo's query", () => {
    const other: AccountModel = {
      ...base,
      branding: { logoUrl: "https://service.example/logos/1.png?1800000000", colour: "#558caa" },
      webhooks: [...base.webhooks].reverse(),
    };
    expect(compare(account(base), account(other))).toEqual({ changes: [], environment: [], unmanaged: [] });
    expect(
      compare(account({ ...base, branding: { colour: "#abc" } }), account({ ...base, branding: { colour: "#AABBCC" } }))
        .changes,
    ).toEqual([]);
  });

  test("says what would have to change, grouped by resource, with texts as diffs", () => {
    const other: AccountModel = {
      branding: { ...base.branding, colour: "#004466" },
      emails: {
        "email-send": { ...base.emails["email-send"], subject: "Please sign", content: "<p>one</p>\n<p>three</p>\n" },
      },
      webhooks: [base.webhooks[0]!, { id: "3", type: "add-contact", url: "https://hooks.example/contacts" }],
    };
    expect(text(account(base), account(other))).toEqual([
      "~ branding",
      '    colour: "#558CAA" → "#004466"',
      "~ email template email-send",
      '    subject: "Sign {contract title}" → "Please sign"',
      "    HTML body: 1 line added, 1 line removed",
      "          <p>one</p>",
      "        - <p>two</p>",
      "        + <p>three</p>",
      "- webhook add-user https://hooks.example/users",
      "+ webhook add-contact https://hooks.example/contacts",
      "4 resources differ.",
    ]);
  });

  test("what code does not mention is not managed, and no difference", () => {
    const part: AccountModel = {
      branding: {},
      emails: { "email-send": { subject: "Sign {contract title}" } },
      webhooks: [base.webhooks[0]!],
    };
    const result = compare(code(part), account(base));
    expect(result.changes).toEqual([]);
    expect(result.unmanaged.map((item) => [item.kind, item.fields.map((field) => field.field)])).toEqual([
      ["Branding", ["colour"]],
      ["Branding", ["logoUrl"]],
      ["BrandingEmail", ["content"]],
      ["BrandingEmail", ["contentPlain"]],
      ["Webhook", ["type", "url"]],
    ]);
  });

  test("what code has and the account lacks is a difference", () => {
    const result = compare(account({ ...base, webhooks: [] }), code(base));
    expect(result.changes.map((change) => [change.action, change.name])).toEqual([
      ["add", "add-user https://hooks.example/users"],
      ["add", "all https://hooks.example/all"],
    ]);
  });

  test("addresses that differ because two accounts do are left out, with the reason", () => {
    const other: AccountModel = {
      ...base,
      branding: { ...base.branding, logoUrl: "https://service.example/logos/2.png?1" },
      webhooks: base.webhooks.map((webhook) => ({ ...webhook, url: webhook.url.replace("hooks.", "hooks.staging.") })),
    };
    const result = compare(account(base, "a"), account(other, "b"));
    expect(result.changes).toEqual([]);
    expect(result.environment.map((item) => item.kind)).toEqual(["Branding", "Webhook", "Webhook"]);
    // Within one account, the same departures are somebody's doing.
    expect(compare(account(base, "a"), account(other, "a")).changes).toHaveLength(3);
  });

  test("of two equal webhooks, one that code does not know is told by its own id", () => {
    const twice = ["1", "2"].map((id) => ({ ...base.webhooks[0]!, id }));
    const stack = code({ ...base, webhooks: [twice[1]!] });
    expect(compare(stack, account({ ...base, webhooks: twice })).unmanaged.map(({ id }) => id)).toEqual(["1"]);
  });

  test("thousands of webhooks that all differ are compared in moments", { timeout: 4_000 }, () => {
    const many = (path: string): AccountModel => ({
      ...base,
      webhooks: Array.from({ length: 5_000 }, (_, i) => ({ type: "all", url: `https://hooks.example/${path}/${i}` })),
    });
    expect(compare(account(many("one"), "a"), account(many("two"), "b")).changes).toHaveLength(10_000);
  });

  test("a name of several lines is told in one", () => {
    const companies = [{ name: "Acme\n::error::", account: { ...base, branding: {} } }];
    const lines = text(account({ ...base }), account({ ...base, companies }));
    expect(lines[0]).toBe("+ subaccount Acme ::error::");
    expect(lines.join("")).not.toContain("\n");
    expect(text(code(base), account({ ...base, companies })).at(-1)).toBe(
      "  ignored: subaccount Acme ::error:: (not managed by ./account)",
    );
  });

  test("texts that differ by the values of their environments only are left out", () => {
    const side = (colour: string, environment: string): ConfigSource => ({
      ...code({ branding: { colour }, emails: {}, webhooks: [] }),
      environment,
      matchesTemplate: (place, value) => place.field === "colour" && /^#\d{6}$/.test(value),
    });
    expect(compare(side("#111111", "a"), side("#222222", "b"))).toMatchObject({
      changes: [],
      environment: [{ kind: "Branding" }],
    });
    expect(compare(side("#111111", "a"), side("#222222", "a")).changes).toHaveLength(1);
  });

  test("a sub account is found by its name, and one that is renamed by id and e-mail address", () => {
    const inside: AccountModel = { branding: { colour: "#111111" }, emails: {}, webhooks: [] };
    const before = { ...base, companies: [{ id: "7", name: "Acme", email: "a@acme.example", account: inside }] };
    const after = {
      ...base,
      companies: [
        { id: "7", name: "Acme Ltd", email: "a@acme.example", account: { ...inside, branding: { colour: "#222222" } } },
      ],
    };
    expect(text(account(before), account(after))).toEqual([
      "~ subaccount Acme",
      '    name: "Acme" → "Acme Ltd"',
      "~ branding of subaccount Acme Ltd",
      '    colour: "#111111" → "#222222"',
      "2 resources differ.",
    ]);
    // Code that leaves the company's address alone knows that of its first user.
    const [{ id, name, account: content }] = before.companies as [(typeof before.companies)[0]];
    const declared = { ...base, companies: [{ id, name, userEmail: "A@acme.example", account: content }] };
    expect(text(code(declared), account(after)).filter((line) => line.startsWith("~"))).toEqual([
      "~ subaccount Acme",
      "~ branding of subaccount Acme Ltd",
    ]);
    // In one environment its id tells it also when it has another name and address; two environments' ids may coincide.
    const moved = { ...before, companies: [{ id: "7", name: "Beta", email: "b@beta.example", account: inside }] };
    const actions = (other: ConfigSource) => compare(account(before, "a"), other).changes.map(({ action }) => action);
    expect(actions(account(moved, "a"))).toEqual(["change"]);
    expect(actions(account(moved, "b"))).toEqual(["remove", "change", "add", "change"]);
    expect(
      compare(account(before), account({ ...base, companies: [] })).changes.map((change) => change.action),
    ).toEqual(["remove", "change"]);
  });

  test("of two sub accounts that have swapped their names each is itself", () => {
    const both = (names: string[]): AccountModel => ({
      ...base,
      companies: names.map((name, i) => ({ id: `${i}`, name, email: `${i}@mail.example`, account: base })),
    });
    expect(text(account(both(["Acme", "Beta"])), account(both(["Beta", "Acme"])))).toEqual([
      "~ subaccount Acme",
      '    name: "Acme" → "Beta"',
      "~ subaccount Beta",
      '    name: "Beta" → "Acme"',
      "2 resources differ.",
    ]);
  });

  test("a webhook with another scheme is itself, and no matter of the environment", () => {
    const hooks = (...urls: string[]): AccountModel => ({
      ...base,
      webhooks: urls.map((url) => ({ type: "all", url })),
    });
    const [before, after] = [hooks("http://hooks.example/all"), hooks("https://hooks.example/all")];
    expect(text(account(before, "a"), account(after, "b"))).toEqual([
      "~ webhook all http://hooks.example/all",
      '    URL: "http://hooks.example/all" → "https://hooks.example/all"',
      "1 resource differs.",
    ]);
    const elsewhere = hooks("https://hooks.example/all", "https://other.example/all");
    const { changes, environment } = compare(account(before, "a"), account(elsewhere, "b"));
    expect([changes.map(({ name }) => name), environment]).toEqual([
      ["all https://hooks.example/all"],
      [expect.objectContaining({ name: "all http://hooks.example/all" })],
    ]);
  });

  test("a stack's logo is the declared one to code, and the service's copy to an account", () => {
    const copy = "https://service.example/logos/1.png?1";
    const [type, logoUrl] = ["pulumi-nodejs:dynamic/esign:Branding", "https://cdn.example/logo.png"];
    const resource = { type, name: "branding", inputs: { logoUrl }, outputs: { logoUrl, logo: copy } };
    const stack = stackSource([resource], "stack:dev", "dev");
    const branding = (logo: string): AccountModel => ({ branding: { logoUrl: logo }, emails: {}, webhooks: [] });
    const changesOf = (other: ConfigSource) => [...compare(stack, other).changes, ...compare(other, stack).changes];
    expect(changesOf(code(branding(logoUrl)))).toEqual([]);
    expect(changesOf(account(branding(copy)))).toEqual([]);
    expect(changesOf(code(branding("https://cdn.example/new.png")))).toHaveLength(2);
    expect(changesOf(account(branding("https://service.example/logos/2.png")))).toHaveLength(2);
  });
});

describe("in words", () => {
  test("line ends and spaces at the ends of lines are no difference, and hide none", () => {
    const content = (text: string) => ({
      ...base,
      emails: { "email-send": { ...base.emails["email-send"], content: text } },
    });
    expect(text(account(base), account(content("<p>one</p>  \r\n<p>two</p>\r\n")))).toEqual(["No differences."]);
    expect(text(account(base), account(content("<p>one</p>\r\n<p>2</p>\r\n")))).toContain("        + <p>2</p>");
  });

  test("what signs a caller in is not shown", () => {
    const secret = {
      ...base,
      webhooks: [{ type: "all", url: "https://user:pass@hooks.example/all?token=s3cret&x=1" }],
    };
    const output = [
      ...text(account(base), account(secret)),
      formatMarkdown(compare(account(base), account(secret)), "x"),
    ].join("\n");
    expect(output).not.toMatch(/s3cret|pass@/);
    expect(output).toContain("x=1");
  });

  test("Markdown keeps a text's own fences and signs inside its block", () => {
    const tricky = {
      ...base,
      emails: { "email-send": { ...base.emails["email-send"], content: "<p>one</p>\n```\n" } },
    };
    const output = formatMarkdown(compare(account(base), account(tricky)), "staging → production");
    expect(output).toContain("### staging → production");
    expect(output).toContain("````diff\n");
    expect(output).toContain("\n- <p>two</p>\n+ ```\n");
  });
});
