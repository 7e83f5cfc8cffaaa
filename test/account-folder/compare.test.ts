import { describe, expect, test } from "vitest";
import { compare } from "../../account-folder/diff/compare";
import type { ConfigSource } from "../../account-folder/diff/comparison";
import { formatMarkdown, formatComparison as inWords } from "../../account-folder/diff/format-diff";
import { stackSource } from "../../account-folder/diff/from-state";
import { accountOf, type Sections } from "./sections";

const base: Sections = {
  branding: { logoUrl: "https://service.example/logos/1.png?1700000000", colour: "#558CAA" },
  emails: {
    "email-send": { subject: "Sign {contract title}", content: "<p>one</p>\n<p>two</p>\n", contentPlain: "one" },
  },
  webhooks: [
    { id: "1", type: "all", url: "https://hooks.example/all" },
    { id: "2", type: "add-user", url: "https://hooks.example/users" },
  ],
};
const account = (model: Partial<Sections>, environment = "a"): ConfigSource => ({
  model: accountOf({ ...base, ...model }),
  label: "account",
  isAuthoritative: true,
  environment,
});
const code = (model: Sections): ConfigSource => ({
  model: accountOf(model),
  label: "./account",
  isAuthoritative: false,
});
/** An account with webhooks at these addresses. */
const hooks = (...urls: string[]) => ({ webhooks: urls.map((url) => ({ type: "all", url })) });
const content = (text: string) => ({ emails: { "email-send": { ...base.emails["email-send"], content: text } } });
const text = (before: ConfigSource, after: ConfigSource) => inWords(compare(before, after)).map((line) => line.text);
const changesOf = (before: ConfigSource, after: ConfigSource) => compare(before, after).changes;

test("code that removes the logo equals an account without one, and no other", () => {
  const none = { branding: { colour: "#558CAA" } };
  const removed = code({ ...base, branding: { colour: "#558CAA", logoUrl: "" } });
  expect([...changesOf(removed, account(none)), ...changesOf(account(none), removed)]).toEqual([]);
  expect(changesOf(removed, account(base))).toMatchObject([{ fields: [{ field: "logoUrl", before: "" }] }]);
  expect(changesOf(code(base), account(none))).toMatchObject([{ fields: [{ field: "logoUrl" }] }]);
});

test("a role that the account's interface does not return is no difference", () => {
  const person = { name: "Nora", email: "nora@northwind.example" };
  const admin = code({ ...base, users: [{ ...person, role: "admin" }] });
  expect(changesOf(admin, account({ users: [person] }))).toEqual([]);
  expect(changesOf(admin, account({ users: [{ ...person, role: "user" }] }))).toMatchObject([
    { fields: [{ field: "role" }] },
  ]);
});

describe("compare", () => {
  test("an account equals itself, whatever the order of its webhooks, the case of its colour, its logo's query", () => {
    const other = {
      branding: { logoUrl: "https://service.example/logos/1.png?1800000000", colour: "#558caa" },
      webhooks: [...base.webhooks].reverse(),
    };
    expect(compare(account(base), account(other))).toMatchObject({ changes: [], environment: [], unmanaged: [] });
    const colours = ["#abc", "#AABBCC"].map((colour) => account({ branding: { colour } }));
    expect(changesOf(colours[0]!, colours[1]!)).toEqual([]);
  });

  test("shows no credentials of URLs in long texts, which are cut only without them", () => {
    for (let length = 150; length < 215; length++) {
      const content = (end: string) =>
        `<a href="https://h.example/${"x".repeat(length)}?token=geheim-${end}">${end}</a>`;
      const emails = (end: string) => ({
        emails: { "email-send": { ...base.emails["email-send"], content: content(end) } },
      });
      expect(text(account(emails("a")), account(emails("b"))).join("\n")).not.toContain("gehei");
    }
  });

  test("says what would have to change, grouped by resource, with texts as diffs", () => {
    const other: Sections = {
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
    const part: Sections = {
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
    expect(changesOf(account({ webhooks: [] }), code(base)).map(({ action, name }) => [action, name])).toEqual([
      ["add", "add-user https://hooks.example/users"],
      ["add", "all https://hooks.example/all"],
    ]);
  });

  test("addresses that differ because two accounts do are left out, with the reason", () => {
    const other = {
      branding: { ...base.branding },
      webhooks: base.webhooks.map((webhook) => ({ ...webhook, url: webhook.url!.replace("hooks.", "hooks.staging.") })),
    };
    const result = compare(account(base, "a"), account(other, "b"));
    expect(result.changes).toEqual([]);
    expect(result.environment.map((item) => item.kind)).toEqual(["Webhook", "Webhook"]);
    // Within one account, the same departures are changes.
    expect(changesOf(account(base, "a"), account(other, "a"))).toHaveLength(2);
  });

  test("of two equal webhooks, the one that code does not declare is reported by its own id", () => {
    const twice = ["1", "2"].map((id) => ({ ...base.webhooks[0]!, id }));
    const stack = code({ ...base, webhooks: [twice[1]!] });
    expect(compare(stack, account({ webhooks: twice })).unmanaged.map(({ id }) => id)).toEqual(["1"]);
  });

  test("thousands of webhooks that all differ are compared", () => {
    const many = (path: string) => hooks(...Array.from({ length: 5_000 }, (_, i) => `https://a.example/${path}/${i}`));
    expect(changesOf(account(many("one"), "a"), account(many("two"), "b"))).toHaveLength(10_000);
  });

  test("a name of several lines is printed in one", () => {
    const companies = [{ name: "Acme\n::error::", account: { ...base, branding: {} } }];
    const lines = text(account(base), account({ companies }));
    expect(lines[0]).toBe("+ subaccount Acme ::error::");
    expect(lines.join("")).not.toContain("\n");
    expect(text(code(base), account({ companies })).at(-1)).toBe(
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
    expect(changesOf(side("#111111", "a"), side("#222222", "a"))).toHaveLength(1);
  });

  test("a subaccount is found by its name, and one that is renamed by id and email address", () => {
    const inside = (colour: string): Sections => ({ branding: { colour }, emails: {}, webhooks: [] });
    const acme = { id: "7", name: "Acme", email: "a@acme.example", account: inside("#111111") };
    const [before, after] = [acme, { ...acme, name: "Acme Ltd", account: inside("#222222") }].map((company) =>
      account({ companies: [company] }),
    ) as [ConfigSource, ConfigSource];
    expect(text(before, after)).toEqual([
      "~ subaccount Acme",
      '    name: "Acme" → "Acme Ltd"',
      "~ branding of subaccount Acme Ltd",
      '    colour: "#111111" → "#222222"',
      "2 resources differ.",
    ]);
    // Code that leaves the company's address alone knows that of its first user.
    const { email: _, ...others } = acme;
    const declared = code({ ...base, companies: [{ ...others, userEmail: "A@acme.example" }] });
    expect(text(declared, after).filter((line) => line.startsWith("~"))).toEqual([
      "~ subaccount Acme",
      "~ branding of subaccount Acme Ltd",
    ]);
    // In one environment its id tells it also when it has another name and address; two environments' ids may coincide.
    const moved = { companies: [{ ...acme, name: "Beta", email: "b@beta.example" }] };
    const actions = (other: ConfigSource) => changesOf(before, other).map(({ action }) => action);
    expect(actions(account(moved, "a"))).toEqual(["change"]);
    expect(actions(account(moved, "b"))).toEqual(["remove", "change", "add", "change"]);
    expect(actions(account({ companies: [] }))).toEqual(["remove", "change"]);
  });

  test("of two subaccounts that have swapped their names each is itself", () => {
    const both = (names: string[]) =>
      account({
        companies: names.map((name, i) => ({ id: `${i}`, name, email: `${i}@mail.example`, account: base })),
      });
    expect(text(both(["Acme", "Beta"]), both(["Beta", "Acme"]))).toEqual([
      "~ subaccount Acme",
      '    name: "Acme" → "Beta"',
      "~ subaccount Beta",
      '    name: "Beta" → "Acme"',
      "2 resources differ.",
    ]);
  });

  test("a webhook with another scheme is itself, and no matter of the environment", () => {
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

  test("logos are their pictures, those of two accounts and of an account and code; what is not known is listed", () => {
    const url = "https://service.example/logos/9.png";
    const other = { branding: { logoUrl: url, colour: "#558CAA" } };
    const showing = (source: ConfigSource, hash: string, isCopy = true) => ({
      ...source,
      pictureAt: () => ({ hash, isCopy }),
    });
    const [one, two] = [account(base, "a"), account(other, "b")];
    const changed = [{ kind: "Branding", fields: [{ field: "logoUrl", after: url }] }];
    const found = (a: ConfigSource, b: ConfigSource) => compare(a, b);
    expect(found(showing(one, "1"), showing(two, "1"))).toMatchObject({ changes: [], uncompared: [] });
    expect(found(showing(one, "1"), showing(two, "2"))).toMatchObject({ changes: changed, uncompared: [] });
    const declared = code({ ...base, ...other });
    expect(found(showing(one, "1"), showing(declared, "1", false))).toMatchObject({ changes: [], uncompared: [] });
    expect(found(showing(one, "1"), showing(declared, "2", false))).toMatchObject({
      changes: [],
      uncompared: [{ reason: expect.stringContaining("its copy of the declared picture in another way") }],
    });
    const unread = { ...two, pictureAt: () => ({ failure: "its server answered 403" }) };
    expect(found(showing(one, "1"), unread)).toMatchObject({ uncompared: [{ reason: "its server answered 403" }] });
    expect(text(one, two)).toEqual(["No differences.", "  not compared: branding, logo (no picture of it is known)"]);
  });

  test("a logo is its address between two of code; with an account it is there or not, whatever address it shows", () => {
    const copy = "https://service.example/logos/1.png?1";
    const [type, logoUrl] = ["pulumi-nodejs:dynamic/esign:Branding", "https://cdn.example/logo.png"];
    const resource = { type, name: "branding", inputs: { logoUrl }, outputs: { logoUrl, logo: copy } };
    const stack = stackSource([resource], "stack:dev", "dev");
    const branding = (logo: string): Sections => ({ branding: { logoUrl: logo }, emails: {}, webhooks: [] });
    const bothWays = (other: ConfigSource) => [...changesOf(stack, other), ...changesOf(other, stack)];
    expect(bothWays(code(branding(logoUrl)))).toEqual([]);
    expect(bothWays(account(branding(copy)))).toEqual([]);
    expect(bothWays(code(branding("https://cdn.example/new.png")))).toHaveLength(2);
    expect(bothWays(account(branding("https://elsewhere.example/x")))).toEqual([]);
    expect(bothWays(account({ emails: {}, webhooks: [], branding: {} }))).toHaveLength(2);
    expect(changesOf(account(branding(copy), "a"), account(branding("https://elsewhere.example/x"), "a"))).toEqual([]);
    const none = account({ emails: {}, webhooks: [], branding: {} }, "a");
    expect([...changesOf(account(branding(copy), "a"), none)]).toMatchObject([{ fields: [{ field: "logoUrl" }] }]);
  });
});

describe("as text", () => {
  test("line ends and spaces at the ends of lines are no difference, and hide none", () => {
    const rewritten = text(account(base), account(content("<p>one</p>  \r\n<p>two</p>\r\n")));
    expect(rewritten).toEqual(["No differences."]);
    expect(text(account(base), account(content("<p>one</p>\r\n<p>2</p>\r\n")))).toContain("        + <p>2</p>");
  });

  test("what signs a caller in is not shown", () => {
    const secret = account(hooks("https://user:pass@hooks.example/all?token=s3cret&x=1"));
    const markdown = formatMarkdown(compare(account(base), secret), "x");
    const output = [...text(account(base), secret), markdown].join("\n");
    expect(output).not.toMatch(/s3cret|pass@/);
    expect(output).toContain("x=1");
  });

  test("Markdown keeps a text's own fences and signs inside its block", () => {
    const tricky = account(content("<p>one</p>\n```\n"));
    const output = formatMarkdown(compare(account(base), tricky), "staging → production");
    expect(output).toContain("### staging → production");
    expect(output).toContain("````diff\n");
    expect(output).toContain("\n- <p>two</p>\n+ ```\n");
  });
});
