import { describe, expect, test } from "vitest";
import type { CompanyFilter } from "../../account-folder/company-filter";
import { compare } from "../../account-folder/diff/compare";
import type { ConfigSource } from "../../account-folder/diff/comparison";
import { folderSource } from "../../account-folder/diff/from-folder";
import { matchTemplate } from "../../account-folder/diff/match-template";
import { findUnmanaged, modelOf } from "../../account-folder/diff/unmanaged";
import { type AccountModel, emptyAccount } from "../../account-folder/model";
import { promote } from "../../account-folder/promote/promote";
import { splitAtValues } from "../../account-folder/promote/split-at-values";
import { applyEdits, asTemplate, editTemplate } from "../../account-folder/promote/template-edit";
import { SourceFile } from "../../account-folder/template/source-map";
import { fillTemplate, parseTemplate } from "../../account-folder/template/template";
import { cases, fc } from "../chance";
import { save, temporaryFolder } from "../files";

const parse = (text: string) => parseTemplate(new SourceFile("file", text), () => undefined, []);
const fill = (text: string, values: Record<string, string>) => fillTemplate(parse(text), { values }).text;

describe("recognising values", () => {
  test("learns them where a template and a text fit", () => {
    expect(matchTemplate(parse("${hooks}/signed"), "https://a.example/signed", "text")).toEqual({
      hooks: "https://a.example",
    });
    expect(matchTemplate(parse("<p>${a} and ${a}, ${b}</p>"), "<p>x and x, R&amp;D</p>", "html")).toEqual({
      a: "x",
      b: "R&D",
    });
  });

  test.each([
    ["${hooks}/signed", "https://a.example/sent", "text"],
    ["${a} ${a}", "x y", "text"],
    ["<p>${a}</p>", "<p>x</p><p>more</p>", "html"],
    ["${a}", "two\nlines", "text"],
  ] as const)("%j does not fit %j", (template, text, kind) => {
    expect(matchTemplate(parse(template), text, kind)).toBeUndefined();
  });

  test("finds them as whole words, the longest first", () => {
    const values = { name: "Acme", full: "Acme Ltd", short: "A" };
    expect(splitAtValues("Acme Ltd, Acme, Acmeville, A", values, "text")).toEqual([
      { text: "Acme Ltd", value: "full" },
      { text: ", " },
      { text: "Acme", value: "name" },
      { text: ", Acmeville, A" },
    ]);
  });

  test.each([
    ["https://Hooks.example:443", "https://hooks.example/x", "https://hooks.example"],
    ["https://bücher.example/ä/", "https://xn--bcher-kva.example/%C3%A4/x", "https://xn--bcher-kva.example/%C3%A4/"],
    ["#1a5fb4", "colour: #1A5FB4;", "#1A5FB4"],
  ])("finds %j as services answer it", (value, text, answered) => {
    expect(splitAtValues(text, { value }, "text")).toContainEqual({ text: answered, value: "value" });
  });

  test("finds them whatever signs they hold", () => {
    const value = "https://a-b.example/x?y=1&z=(2)[3]{4}|^$.*+\\-~";
    expect(splitAtValues(`At ${value}.`, { value }, "text")).toEqual([
      { text: "At " },
      { text: value, value: "value" },
      { text: "." },
    ]);
  });
});

describe("editing a template", () => {
  const edited = (template: string, wished: string, values: Record<string, string> = {}) => {
    const edits = editTemplate(parse(template), wished, values, "text");
    return edits && (applyEdits(edits)?.get("file") ?? template);
  };

  test("keeps the values that stand in it, and names those that new text holds", () => {
    const values = { site: "https://a.example" };
    expect(edited("Go to ${site} now", "Please go to https://a.example/new at https://a.example", values)).toBe(
      "Please go to ${site}/new at ${site}",
    );
  });

  test("a literal that reads like a value stays a literal", () => {
    expect(edited("Acme: ${company}", "Acme: Acme!", { company: "Acme" })).toBe("Acme: ${company}!");
  });

  test("where nothing but an unknown value differs, nothing changes", () => {
    expect(edited("Dear ${name}, hello", "Dear Ann, hello you")).toBe("Dear ${name}, hello you");
  });

  test("a value that is empty here stays where it stands", () => {
    const values = { mark: "" };
    expect(edited("Hello ${mark} all", "Hello  everybody", values)).toBe("Hello ${mark} everybody");
    expect(edited("sign it ${mark} ${mark}", "Please sign it  ", values)).toBe("Please sign it ${mark} ${mark}");
  });

  test("words of its own that have moved are not taken for an unknown value", () => {
    const values = { portal: "https://a.example" };
    const wished = "Text\nhttps://a.example\nalpha";
    expect(edited("Text\nalpha\nFoot\n${portal}\n${name}", wished, values)).toBe("Text\n${portal}\nalpha");
    // What another environment may call it stays open.
    expect(edited("Text\nFoot\n${portal}\n${name}", wished, values)).toBe("Text\n${portal}\n${name}");
  });

  test("what looks like a value is escaped", () => {
    expect(edited("price", "price ${x}")).toBe("price $${x}");
  });

  test("knows a value again beside an address that begins alike, and beside letters", () => {
    const values = { site: "https://a.example", name: "Acme", version: "2.1" };
    expect(edited("At https://b.example/p ${site}\n", "At https://a.example\n", values)).toBe("At ${site}\n");
    expect(edited("ようこそ${name}へ", "こんにちはAcmeへ", values)).toBe("こんにちは${name}へ");
    expect(edited("New: v${version}s", "v2.1s is new", values)).toBe("v${version}s is new");
    expect(edited("${name} and", "Acme and Acmeville", values)).toBe("${name} and Acmeville");
  });

  test("of values that read alike, takes the one that the template has", () => {
    const values = { a: "Acme", b: "Acme", site: "https://a.example", all: "https://a.example/all" };
    expect(edited("Dear ${b}", "Acme, dear Acme", values)).toBe("${b}, dear ${b}");
    expect(edited("At ${site}/all", "See: At https://a.example/all", values)).toBe("See: At ${site}/all");
  });

  test("takes a long text that has little left of it as a new one, with the values in it", () => {
    const words = (letter: string) => Array.from({ length: 5000 }, (_, i) => `${letter}${i}`).join(" ");
    const result = edited(`${words("a")} \${site}`, `${words("b")} acme`, { site: "acme" });
    expect(result).toBe(`${words("b")} \${site}`);
  });

  test("gives the wished text, whatever it is", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b c", "${", "$", "{", "\r\n", "<p>", "é", "👍", "acme") });
    fc.assert(
      fc.property(text, text, fc.array(fc.nat(30)), (before, wished, places) => {
        const values = { site: "acme" };
        // A template that gives `before`, with the value in it here and there.
        let template = asTemplate(before, {}, "text");
        for (const at of places)
          if (template[at] === " ") template = `${template.slice(0, at)} \${site}${template.slice(at)}`;
        const result = edited(template, wished, values);
        expect(fill(result ?? asTemplate(wished, values, "text"), values)).toBe(wished);
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("promote", () => {
  const account = (model: Partial<AccountModel>): ConfigSource => ({
    model: { branding: {}, emails: {}, webhooks: [], ...model },
    label: "account",
    isAuthoritative: true,
  });
  const files = {
    "account.yaml":
      '# ours\nbranding:\n  colour: "#111111" # dark\nwebhooks:\n  signed:\n    type: signed-envelope\n    url: ${hooks}/signed\n',
    "emails/email-send/subject.txt": "Sign at ${portal}\n",
    "emails/email-send/body.html": "<p>Hello</p>\n${include footer}\n",
    "emails/email-send/body.txt": "Hello\n",
    "emails/email-signed/body.html": "<p>Done</p>\n${include footer}\n",
    "emails/email-signed/body.txt": "",
    "partials/footer.html": "<p>Bye from ${portal}</p>\n",
  };
  const values = { hooks: "https://hooks.example", portal: "https://portal.example" };
  const staging = { hooks: "https://hooks.staging.example", portal: "https://portal.staging.example" };
  const live = (footer = "<p>Bye from https://portal.staging.example</p>"): Partial<AccountModel> => ({
    branding: { colour: "#111111" },
    emails: {
      "email-send": {
        subject: "Sign at https://portal.staging.example",
        content: `<p>Hello</p>\n${footer}\n`,
        contentPlain: "Hello\n",
      },
      "email-signed": { content: `<p>Done</p>\n${footer}\n` },
    },
    webhooks: [{ type: "signed-envelope", url: "https://hooks.staging.example/signed" }],
  });
  const run = (model: Partial<AccountModel>) => {
    const root = temporaryFolder(files);
    const options = { values, environment: "production", otherValues: staging };
    const to = folderSource(root, { label: "./account", ...options });
    return promote({ ...account(model), environment: "staging" }, to, { folder: options });
  };

  test("another environment's values are no change", () => {
    const { comparison, files, remaining } = run(live());
    expect(comparison.changes).toEqual([]);
    expect([...files]).toEqual([]);
    expect(remaining.changes).toEqual([]);
  });

  test("texts that went through a form in a browser are the same, and lines that did not change stay as they are", () => {
    const model = live();
    for (const email of Object.values(model.emails!))
      for (const [field, text] of Object.entries(email))
        Object.assign(email, { [field]: `${text.trim().replaceAll("\n", "  \r\n")}\r\n` });
    expect(run(model).comparison.changes).toEqual([]);
    const email = model.emails!["email-send"]!;
    email.content = email.content!.replace("Hello", "Hi");
    const { files, remaining } = run(model);
    expect(remaining.changes).toEqual([]);
    expect([...files]).toEqual([["emails/email-send/body.html", "<p>Hi</p>  \n${include footer}\n"]]);
  });

  test("settings keep the line ends and the indentation of their file", () => {
    const wide = files["account.yaml"].replace(/^ +/gm, "$&$&").replaceAll("\n", "\r\n");
    const to = folderSource(temporaryFolder({ "account.yaml": wide }), {
      label: "./account",
      values,
      environment: "production",
    });
    const changed = { ...live(), branding: { colour: "#222222" } };
    const result = promote(account({ branding: changed.branding }), to, {
      only: "managed",
      folder: { values },
    });
    expect(result.files.get("account.yaml")).toContain(
      wide.slice(0, wide.indexOf("webhooks")).replace("#111111", "#222222"),
    );
  });

  test("edits settings beside their comments, texts around their values", () => {
    const model = live();
    model.branding = { colour: "#222222" };
    model.emails!["email-send"]!.subject = "Please sign at https://portal.staging.example!";
    model.webhooks = [
      { type: "signed-envelope", url: "https://hooks.staging.example/v2/signed" },
      { type: "add-user", url: "https://hooks.staging.example/users" },
    ];
    const { files, remaining } = run(model);
    expect(files.get("account.yaml")).toContain('# ours\nbranding:\n  colour: "#222222" # dark\n');
    expect(files.get("account.yaml")).toContain("url: ${hooks}/users");
    expect(files.get("account.yaml")).toContain("url: ${hooks}/v2/signed");
    expect(files.get("emails/email-send/subject.txt")).toBe("Please sign at ${portal}!\n");
    expect(remaining.changes).toEqual([]);
  });

  test("a change that all e-mails share is made in their partial", () => {
    const { files, notes, remaining } = run(live("<p>Good bye from https://portal.staging.example</p>"));
    expect([...files]).toEqual([["partials/footer.html", "<p>Good bye from ${portal}</p>\n"]]);
    expect(notes.join()).toContain("every email template that includes it");
    expect(remaining.changes).toEqual([]);
  });

  test("a name that any text fits does not hide what a partial's new text does to other e-mails", () => {
    const root = temporaryFolder({
      "emails/email-cancelled/body.html": "Dear\n${product}\n",
      "emails/email-send/body.html": "Text\n${include foot}",
      "emails/email-signed/body.html": "Text\nbeta\n${include foot}",
      "partials/foot.html": "Foot\n",
    });
    const content = (text: string) => ({ content: text });
    const from = account({
      emails: {
        "email-cancelled": content("Dear\nSandbox\n"),
        "email-send": content("Text\nSandbox"),
        "email-signed": content("Text\nother\nFoot"),
      },
    });
    const { files } = promote(from, folderSource(root, { label: "./account" }), { folder: {} });
    expect(Object.fromEntries(files)).toEqual({
      "emails/email-send/body.html": "Text\n${product}",
      "emails/email-signed/body.html": "Text\nother\n${include foot}",
    });
  });

  test("a change that only one of them has is not", () => {
    const model = live();
    model.emails!["email-send"]!.content = "<p>Hello</p>\n<p>Tschüß, https://portal.staging.example</p>\n";
    const { files, remaining } = run(model);
    expect([...files.keys()]).toEqual(["emails/email-send/body.html"]);
    expect(files.get("emails/email-send/body.html")).toBe("<p>Hello</p>\n<p>Tschüß, ${portal}</p>\n");
    expect(remaining.changes).toEqual([]);
  });

  test("what the other account lacks stays, and is told", () => {
    const model = live();
    delete model.emails!["email-send"]!.contentPlain;
    const { comparison, files, notes, remaining } = run(model);
    expect([comparison.changes, [...files], remaining.changes]).toEqual([[], [], []]);
    expect(notes).toEqual(["account has no contentPlain for email template email-send: the target's stays"]);
  });

  test("blanks are no text", () => {
    const model = live();
    model.emails!["email-send"]!.subject = " \n ";
    model.emails!["email-reminder"] = { subject: "Reminder", contentPlain: "  " };
    const { files, notes, remaining } = run(model);
    expect([[...files.keys()], remaining.changes]).toEqual([["emails/email-reminder/subject.txt"], []]);
    expect(notes).toEqual(["account has no subject for email template email-send: the target's stays"]);
  });

  test("a derived plain text is what comes of the HTML with the values, blanks and all", () => {
    const root = temporaryFolder({ "emails/email-send/body.html": "<p>Hello ${mark} all</p>" });
    const options = { values: { mark: "Live" }, otherValues: { mark: "" }, environment: "production" };
    const email = { content: "<p>Hello  all</p>", contentPlain: "Hello all" };
    const from = { ...account({ emails: { "email-send": email } }), environment: "staging" };
    expect(compare(folderSource(root, { label: "./account", ...options }), from).changes).toEqual([]);
  });

  test("a colour is the same in capitals, as services answer it", () => {
    const root = temporaryFolder({
      "account.yaml": "branding: { colour: '${brand}' }\n",
      "companies/acme/company.yaml": "name: Acme\n",
    });
    const options = { values: { brand: "#1a5fb4" }, otherValues: { brand: "#00ff00" }, environment: "production" };
    const branding = { colour: "#00FF00" };
    const acme = { name: "Acme", account: { branding, emails: {}, webhooks: [] } };
    const from = { ...account({ branding, companies: [acme] }), environment: "staging" };
    const { files } = promote(from, folderSource(root, { label: "./account", ...options }), { folder: options });
    expect([...files]).toEqual([["companies/acme/account.yaml", "branding:\n  colour: ${brand}\n"]]);
  });

  test("what the folder does not manage is added, unless only managed things are wanted", () => {
    const model = live();
    model.emails!["email-reminder"] = { subject: "Reminder", content: "<p>${literal}</p>" };
    const { files, remaining } = run(model);
    expect(files.get("emails/email-reminder/subject.txt")).toBe("Reminder");
    expect(files.get("emails/email-reminder/body.html")).toBe("<p>$${literal}</p>");
    expect(files.get("emails/email-reminder/body.txt")).toBe("");
    expect([remaining.changes, remaining.unmanaged]).toEqual([[], []]);
  });

  test("what is there twice is declared once", () => {
    const model = live();
    const twin = { type: "add-user", url: "https://users.example/" };
    model.webhooks = [...model.webhooks!, model.webhooks![0]!, twin, { ...twin, url: "https://USERS.example" }];
    const { comparison, files, notes, remaining } = run(model);
    expect(comparison.changes).toEqual([expect.objectContaining({ name: "add-user https://USERS.example" })]);
    expect(files.get("account.yaml")!.match(/type:/g)).toHaveLength(2);
    expect(notes).toEqual([
      "webhook add-user https://users.example/ exists twice in account: a program may declare it once",
      "webhook signed-envelope https://hooks.staging.example/signed exists twice in account: a program may declare it once",
    ]);
    expect(remaining.changes).toEqual([]);
  });

  test("types that this version does not know come along, but never out of the folder", () => {
    const model = live();
    model.emails!["email-declined"] = { subject: "Password" };
    model.emails!["../../email"] = { subject: "Out" };
    model.webhooks!.push({ type: "returned-envelope", url: "https://bounced.example/" });
    const { files, notes, remaining } = run(model);
    expect([...files.keys()].sort()).toEqual([
      "account.yaml",
      "emails/%2e.%2f..%2femail/subject.txt",
      "emails/email-declined/subject.txt",
    ]);
    expect(notes).toEqual([]);
    expect(remaining.changes).toEqual([]);
  });

  test("of a webhook whose address changes, the type comes along", () => {
    const fields = [{ field: "url", before: "https://a.example", after: "https://b.example" }];
    const change = { kind: "Webhook", name: "all https://a.example", action: "change", fields } as const;
    expect(modelOf([change], emptyAccount()).webhooks).toEqual([{ type: "all", url: "https://b.example" }]);
  });

  test("what goes is no part of what comes", () => {
    const fields = [{ field: "colour", before: "#111111" }];
    expect(modelOf([{ kind: "Branding", action: "change", fields }], emptyAccount()).branding).toStrictEqual({});
  });

  test("a plain text that did not change with its HTML body stays, and parts of several bodies are edited in one place", () => {
    const files = {
      "emails/email-send/body.html": "<p>Sign</p>\n${include foot}",
      "emails/email-signed/body.html": "<p>Done</p>\n${include foot}",
      "partials/foot.html": "<p>Old footer</p>\n",
    };
    const emails = Object.fromEntries(
      Object.entries({ "email-send": "Sign", "email-signed": "Done" }).map(([type, word]) => [
        type,
        { content: `<p>${word}</p>\n<p>New footer</p>`, contentPlain: `${word}\n\nOld footer\n` },
      ]),
    );
    const root = temporaryFolder(files);
    const from = account({ emails });
    const first = promote(from, folderSource(root, { label: "./account" }), { folder: {} });
    expect(Object.fromEntries(first.files)).toEqual({
      "partials/foot.html": "<p>New footer</p>\n",
      "emails/email-send/body.txt": "Sign\n\nOld footer\n",
      "emails/email-signed/body.txt": "Done\n\nOld footer\n",
    });
    expect(first.remaining.changes).toEqual([]);
    // What is derived all the same, but for the line end that a service adds, needs no file.
    for (const email of Object.values(emails)) email.contentPlain = email.contentPlain.replace("Old", "New");
    const second = promote(from, folderSource(root, { label: "./account" }), { folder: {} });
    expect([...second.files.keys()]).toEqual(["partials/foot.html"]);
  });

  test("a name that goes is told where its value is not known", () => {
    const given = { values: { portal: "https://portal.example" }, environment: "production" };
    const to = folderSource(temporaryFolder({ "emails/email-send/subject.txt": "Sign at ${portal} now" }), {
      label: "to",
      ...given,
    });
    const emails = { "email-send": { subject: "https://portal.staging.example is there" } };
    const { notes } = promote({ ...account({ emails }), environment: "staging" }, to, { folder: given });
    expect(notes).toEqual([
      expect.stringMatching(/subject.txt: \$\{portal\} was removed; its value in account is not known/),
    ]);
  });

  describe("from folder to folder", () => {
    const between = (before: Record<string, string>, after: Record<string, string>, given = {}, others = given) => {
      const from = folderSource(temporaryFolder(after), { label: "./from", ...others });
      return promote(from, folderSource(temporaryFolder(before), { label: "./to", ...given }), { folder: given });
    };
    const subject = "emails/email-send/subject.txt";

    test("values that are open keep their names in new texts", () => {
      const yaml = "webhooks:\n  all:\n    type: all\n    url: ${hooks}/all\n";
      const { files } = between(
        { [subject]: "Hello" },
        { [subject]: "Hello ${portal}", "emails/email-send/body.html": "<p>${portal}</p>", "account.yaml": yaml },
      );
      expect(Object.fromEntries(files)).toEqual({
        "account.yaml": yaml,
        [subject]: "Hello ${portal}",
        "emails/email-send/body.html": "<p>${portal}</p>",
        "emails/email-send/body.txt": "${portal}",
      });
    });

    test("a text in the place of a name is a change: a folder says all that its names stand for", () => {
      expect([...between({ [subject]: "Hello ${name}" }, { [subject]: "Hello all" }).files]).toEqual([
        [subject, "Hello all"],
      ]);
      const other = between({ [subject]: "Hello" }, { [subject]: "Hello" }).comparison;
      expect(other.changes).toEqual([]);
    });

    test("known values are no difference, of several lines and side by side as well", () => {
      const texts = { "emails/email-send/body.txt": "${a}${b}", [subject]: "${b}${a}" };
      const given = (environment: string) => ({
        environment,
        values: { a: `${environment}\n1`, b: `${environment} 2` },
      });
      const { changes } = between(texts, texts, given("production"), given("staging")).comparison;
      expect(changes).toEqual([]);
    });

    test("each has names of its own for its webhooks", () => {
      const yaml = (one: string, two: string) =>
        `webhooks:\n  one: { type: all, url: "${one}" }\n  two: { type: all, url: "${two}" }\n`;
      const { files } = between(
        { "account.yaml": yaml("${hooks}/1", "${hooks}/2") },
        { "account.yaml": yaml("${hooks}/1/v2", "${hooks}/2") },
        { values, environment: "production" },
        { values: staging, environment: "staging" },
      );
      expect([...files]).toEqual([["account.yaml", yaml("${hooks}/1/v2", "${hooks}/2")]]);
    });

    test("names that look like numbers, and texts that stand in two places, are edited where they are", () => {
      const { files, remaining } = between(
        {
          "account.yaml":
            "webhooks:\n  1:\n    type: &t all\n    url: https://a.example/1 # first\n  b:\n    type: *t\n    url: https://a.example/b\n",
        },
        {
          "account.yaml":
            "webhooks:\n  1: { type: add-user, url: https://a.example/2 }\n  b: { type: all, url: https://a.example/b }\n",
        },
      );
      expect(files.get("account.yaml")).toBe(
        "webhooks:\n  1:\n    type: add-user\n    url: https://a.example/2 # first\n  b:\n    type: all\n    url: https://a.example/b\n",
      );
      expect(remaining.changes).toEqual([]);
    });

    test("what a sub account gives itself stays its own", () => {
      const files = (customer: string, text: string) => ({
        "companies/acme/company.yaml": `name: Acme\nvalues:\n  customer: ${customer}\n`,
        "companies/acme/emails/email-send/subject.txt": text,
        "companies/acme/emails/email-send/body.html": "<p>${customer}</p>",
      });
      // The stack has a value of this name as well.
      const given = { values: { customer: "Somebody" } };
      const result = between(files("Ours", "Dear ${customer}"), files("Theirs", "Dear ${customer}, hello"), given);
      expect([...result.files]).toEqual([["companies/acme/emails/email-send/subject.txt", "Dear ${customer}, hello"]]);
    });
  });

  test("values of an account that no stack has are learnt from what did not change", () => {
    const root = temporaryFolder(files);
    const to = folderSource(root, { label: "./account", values, environment: "production" });
    const model = live();
    model.emails!["email-send"]!.content = "<p>Hello, see https://portal.staging.example/x</p>\n<p>Bye from all</p>\n";
    model.webhooks!.push({ type: "add-user", url: "https://hooks.staging.example/users" });
    const result = promote({ ...account(model), environment: "staging" }, to, {
      folder: { values, environment: "production" },
    });
    expect(result.files.get("emails/email-send/body.html")).toBe(
      "<p>Hello, see ${portal}/x</p>\n<p>Bye from all</p>\n",
    );
    expect(result.files.get("account.yaml")).toContain("url: ${hooks}/users\n");
    expect([...result.files.values()].join()).not.toContain("staging");
  });

  describe("sub accounts", () => {
    const own = (subject: string): AccountModel => ({
      branding: {},
      emails: { "email-send": { subject } },
      webhooks: [],
    });
    const company = (name: string, email: string) => `name: ${name}\nuserEmail: ${email}\nemail: ${email}\n`;
    const partner = (companies: AccountModel["companies"], choice?: string[]) => {
      const root = temporaryFolder({
        "companies/acme/company.yaml": company("Acme", "a@acme.example"),
        "companies/acme/emails/email-send/subject.txt": "before",
        "companies/acme-2/company.yaml": company("Acme", "b@acme.example"),
        "companies/acme-2/emails/email-send/subject.txt": "before",
        "companies/other/company.yaml": company("Other", "o@other.example"),
        "companies/other/emails/email-send/subject.txt": "before",
      });
      const options = { folder: {}, ...(choice && { companies: choice }) };
      const to = folderSource(root, { label: "./account" });
      return promote(account(companies === undefined ? {} : { companies }), to, options);
    };

    test("of one name are told by their identifiers in an inventory, and not written into each other's files", () => {
      const [first, second] = ["a", "b"].map((letter, i) => ({
        id: String(4711 + i),
        name: "Acme",
        email: `${letter}@acme.example`,
        account: { ...own(letter), webhooks: [{ id: String(i), type: "all", url: `https://${letter}.example/` }] },
      }));
      const whole = account({ companies: [first!, second!] });
      const { id, name, account: content } = second!;
      const owner: ConfigSource = {
        model: { ...emptyAccount(), companies: [{ id, name, account: { ...content, webhooks: [] } }] },
        label: "stack:dev",
        isAuthoritative: false,
      };
      const left = findUnmanaged(whole, [owner]);
      expect(left.map((item) => [item.action, item.id, item.company, item.companyId])).toEqual(
        expect.arrayContaining([
          ["add", "4711", undefined, undefined],
          ["add", "1", "Acme", "4712"],
        ]),
      );
      const model = modelOf(left, whole.model);
      expect(model.companies).toEqual([
        first,
        { ...second, account: { ...own(""), emails: {}, webhooks: content.webhooks } },
      ]);
      const root = temporaryFolder({ "companies/acme/company.yaml": company("Acme", "a@acme.example") });
      const onlySecond = { ...whole, model: { ...model, companies: [model.companies![1]!] } };
      const result = promote(onlySecond, folderSource(root, { label: "./account" }), {
        only: "additions",
        whole,
        folder: {},
      });
      expect([...result.files]).toEqual([]);
      expect(result.notes).toEqual([expect.stringContaining("several subaccounts are named Acme")]);
    });

    test("that one owner does not know are owned by another in parts", () => {
      const acme = { id: "4711", name: "Acme", email: "a@acme.example" };
      const whole = account({ companies: [{ ...acme, account: own("Hello") }] });
      const code = (label: string, model: Partial<AccountModel>): ConfigSource => ({
        model: { ...emptyAccount(), ...model },
        label,
        isAuthoritative: false,
      });
      const knows = code("stack:acme", { companies: [{ id: "4711", name: "Acme", account: emptyAccount() }] });
      const knowsNot = code("stack:own", { branding: { colour: "#111111" } });
      for (const owners of [[knows], [knows, knowsNot], [knowsNot, knows]]) {
        const left = findUnmanaged(whole, owners);
        expect(left.map(({ kind, action, fields }) => [kind, action, fields[0]!.field])).toEqual([
          ["Company", "change", "email"],
          ["BrandingEmail", "change", "subject"],
        ]);
        expect(modelOf(left, whole.model)).toEqual(whole.model);
      }
      expect(findUnmanaged(whole, [knowsNot]).map(({ kind, action }) => [kind, action])).toEqual([["Company", "add"]]);
    });

    test("of one name are left alone: a change says by name whose it is", () => {
      const { files, notes } = partner([
        { name: "Acme", email: "a@acme.example", account: own("before") },
        { name: "Acme", email: "b@acme.example", account: own("after") },
        { name: "Other", email: "o@other.example", account: own("after") },
      ]);
      expect([...files]).toEqual([["companies/other/emails/email-send/subject.txt", "after"]]);
      expect(notes).toEqual([expect.stringContaining("several subaccounts are named Acme")]);
    });

    test("are the same in the notation of the service", () => {
      const root = temporaryFolder({
        "companies/rd/company.yaml": company("R&D  Ltd", "Ann@rd.example"),
        "companies/rd/emails/email-send/subject.txt": "before",
        "companies/rd/account.yaml": "webhooks: { all: { type: all, url: https://old.example/ } }\n",
      });
      const webhooks = [{ type: "all", url: "https://new.example/" }];
      const rd = { name: "R&amp;D Ltd", email: "ann@rd.example", account: { ...own("after"), webhooks } };
      const { files, notes } = promote(account({ companies: [rd] }), folderSource(root, { label: "./account" }), {
        folder: {},
      });
      expect([...files]).toEqual([
        ["companies/rd/account.yaml", expect.stringContaining("https://new.example/")],
        ["companies/rd/emails/email-send/subject.txt", "after"],
      ]);
      expect(notes).toEqual([]);
    });

    test("that are new get directories of their own, whoever is chosen", () => {
      const root = temporaryFolder({ "companies/Acme/company.yaml": company("Acme Ltd", "ltd@acme.example") });
      const news = ["Acme", "ACME!"].map((name, i) => ({ name, email: `${i}@acme.example`, account: own(name) }));
      const to = folderSource(root, { label: "./account" });
      const companies = news.map(({ name }) => name);
      const { files, remaining } = promote(account({ companies: news }), to, { companies, folder: {} });
      expect([...files.keys()].filter((path) => path.endsWith(".yaml"))).toEqual([
        "companies/acme-2/company.yaml",
        "companies/acme-3/company.yaml",
      ]);
      expect(remaining.changes).toEqual([]);
    });

    test("that are new keep the values of an environment by their names, but for who they are", () => {
      const root = temporaryFolder({ "account.yaml": "" });
      const values = { brand: "#1A5FB4", hooks: "https://live.example", customer: "Acme" };
      const otherValues = { brand: "#00FF00", hooks: "https://staging.example", customer: "Acme R&D" };
      const folderOptions = { values, otherValues, environment: "production" };
      const acme = {
        name: "Acme",
        userName: "Acme",
        userEmail: "a@acme.example",
        account: {
          branding: { colour: "#00FF00" },
          emails: { "email-send": { content: "<p>Acme R&amp;D at https://staging.example/x and ${literal}</p>" } },
          webhooks: [{ type: "all", url: "https://staging.example/acme" }],
        },
      };
      const { files, remaining } = promote(
        { ...account({ companies: [acme] }), isAuthoritative: false, environment: "staging" },
        folderSource(root, { label: "./account", ...folderOptions }),
        {
          folder: folderOptions,
        },
      );
      expect(Object.fromEntries(files)).toEqual({
        "companies/acme/company.yaml": "name: Acme\nuserName: Acme\nuserEmail: a@acme.example\n",
        "companies/acme/account.yaml":
          'branding:\n  colour: "${brand}"\nwebhooks:\n  all:\n    type: all\n    url: ${hooks}/acme\n',
        "companies/acme/emails/email-send/body.html": "<p>${customer} at ${hooks}/x and $${literal}</p>",
        "companies/acme/emails/email-send/body.txt": "",
      });
      expect(remaining.changes).toEqual([]);
    });

    test("that have a new name are not written a second time", () => {
      const named = [
        { id: "1", name: "Acme Group", email: "A@acme.example", account: own("after") },
        { id: "2", name: "New", email: "n@new.example", account: own("after") },
      ];
      const root = temporaryFolder({
        "companies/acme/company.yaml": "name: Acme\nuserEmail: a@acme.example\n",
        "companies/acme/emails/email-send/subject.txt": "before",
      });
      const to = folderSource(root, { label: "./account" });
      const { files, notes, remaining } = promote(account({ companies: named }), to, { folder: {} });
      expect([...files.keys()]).toEqual(["companies/new/company.yaml", "companies/new/emails/email-send/subject.txt"]);
      expect(notes).toEqual([
        expect.stringMatching(/^subaccount Acme Group has the email address of Acme: .* companies\/acme\/company.yaml/),
      ]);
      expect(remaining.changes).toEqual([]);
      const managed = promote(account({ companies: named }), to, { only: "managed", folder: {} });
      expect(managed.notes).toEqual(notes);
      const whole = account({ companies: named });
      const unownedPart = { ...whole, complete: false, model: modelOf(findUnmanaged(whole, [to]), whole.model) };
      const added = promote(unownedPart, to, { only: "additions", whole, folder: {} });
      expect([...added.files.keys()]).toEqual([...files.keys()]);
      const shared = { id: "3", name: "Third", email: "a@acme.example", account: own("after") };
      const all = promote(account({ companies: [...named, shared] }), to, { folder: {} });
      expect([...all.files.keys()].filter((path) => path.endsWith(".yaml"))).toEqual([
        "companies/acme-group/company.yaml",
        "companies/new/company.yaml",
        "companies/third/company.yaml",
      ]);
      save(root, { "companies/acme/company.yaml": "name: Acme Group\nuserEmail: a@acme.example\n" });
      const again = promote(account({ companies: named }), folderSource(root, { label: "./account" }), { folder: {} });
      expect(again.files.get("companies/acme/emails/email-send/subject.txt")).toBe("after");
    });

    test("of which only the id is known are nobody's directory", () => {
      const strange: ConfigSource = {
        ...account({ companies: [{ name: "with the id 4711", id: "4711", isStub: true, account: own("after") }] }),
        isAuthoritative: false,
      };
      const root = temporaryFolder({ "companies/acme/company.yaml": company("Acme", "a@acme.example") });
      const { files, notes } = promote(strange, folderSource(root, { label: "./account" }), { folder: {} });
      expect([...files]).toEqual([]);
      expect(notes).toEqual([
        expect.stringMatching(/^subaccount with the id 4711 is managed by another program: /),
        "subaccount Acme is not in account: its files stay, since deploying without them would delete it",
      ]);
    });

    test("that have swapped their names do not get what is the other's", () => {
      const swapped = ["b", "a"].map((who) => ({
        name: who === "a" ? "B" : "A",
        email: `${who}@mail.example`,
        account: own(who),
      }));
      const root = temporaryFolder(
        Object.fromEntries(
          ["a", "b"].flatMap((who) => [
            [`companies/${who}/company.yaml`, company(who.toUpperCase(), `${who}@mail.example`)],
            [`companies/${who}/emails/email-send/subject.txt`, who],
          ]),
        ),
      );
      const from = account({ companies: swapped });
      const { files, notes } = promote(from, folderSource(root, { label: "./account" }), { folder: {} });
      expect([...files]).toEqual([]);
      expect(notes).toEqual([
        expect.stringMatching(/^subaccount A has the email address of B: .* companies\/b\/company.yaml/),
        expect.stringMatching(/^subaccount B has the email address of A: .* companies\/a\/company.yaml/),
      ]);
    });

    test("that are chosen by their ids are those of the folder that have their names", () => {
      const both = ["Acme", "Other"].map((name, i) => ({
        id: `${i}`,
        name,
        email: `${name[0]!.toLowerCase()}@${name.toLowerCase()}.example`,
        account: own("after"),
      }));
      const { files, notes, remaining } = partner([both[1]!], ["1"]);
      expect([...files.keys()]).toEqual(["companies/other/emails/email-send/subject.txt"]);
      expect([notes, remaining.changes]).toEqual([[], []]);
      const root = temporaryFolder({
        "companies/other/company.yaml": company("Other", "o@other.example"),
        "companies/other/emails/email-send/subject.txt": "before",
      });
      const code = folderSource(root, { label: "./account" });
      const named = (choice: CompanyFilter) =>
        compare(code, account({ companies: both }), choice).changes.map(({ kind, company }) => [kind, company]);
      expect(named(["1"])).toEqual([["BrandingEmail", "Other"]]);
      expect(named(["0"])).toEqual([]);
      expect(named("none")).toEqual([]);
    });

    test("that are gone keep all that they have", () => {
      const root = temporaryFolder({
        "companies/acme/company.yaml": company("Acme", "a@acme.example"),
        "companies/acme/account.yaml": "webhooks: { all: { type: all, url: https://a.example/ } }\n",
        "companies/acme/emails/email-send/subject.txt": "before",
      });
      for (const complete of [true, false]) {
        const from = { ...account({ branding: { colour: "#222222" } }), complete };
        const { files, notes } = promote(from, folderSource(root, { label: "./account" }), { folder: {} });
        expect([...files.keys()]).toEqual(["account.yaml"]);
        expect(notes).toEqual([expect.stringContaining("its files stay")]);
      }
    });

    test("that the change is not about keep their e-mails where a partial is shared", () => {
      const body = "emails/email-send/body.html";
      const root = temporaryFolder({
        [body]: "<p>Hello</p>${include foot}",
        "emails/email-send/body.txt": "",
        "partials/foot.html": "<p>Bye</p>",
        "companies/acme/company.yaml": company("Acme", "a@acme.example"),
        [`companies/acme/${body}`]: "<p>Acme</p>${include foot}",
      });
      const from = account({ emails: { "email-send": { content: "<p>Hello</p><p>Good bye</p>" } } });
      for (const companies of ["all", "none"] as const) {
        const to = folderSource(root, { label: "./account" });
        const { files } = promote(from, to, { companies, folder: {} });
        expect([...files]).toEqual([[body, "<p>Hello</p><p>Good bye</p>"]]);
      }
    });

    test("that are gone are told in one sentence, and those that are not chosen in none", () => {
      const { notes } = partner([]);
      expect(notes.filter((note) => note.includes("Other"))).toEqual([
        "subaccount Other is not in account: its files stay, since deploying without them would delete it",
      ]);
      const chosen = partner([{ name: "Other", email: "o@other.example", account: own("after") }], ["Other"]);
      expect(chosen.notes).toEqual([]);
      expect([...chosen.files.keys()]).toEqual(["companies/other/emails/email-send/subject.txt"]);
    });
  });
});
