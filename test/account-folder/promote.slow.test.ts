import { describe, expect, test } from "vitest";
import type { CompanyFilter } from "../../account-folder/company-filter";
import { compare } from "../../account-folder/diff/compare";
import type { ConfigSource } from "../../account-folder/diff/comparison";
import { folderSource } from "../../account-folder/diff/from-folder";
import { matchPlaceholders } from "../../account-folder/diff/match-placeholders";
import { findUnmanaged, modelOf } from "../../account-folder/diff/unmanaged";
import { fillPlaceholders, parsePlaceholders } from "../../account-folder/placeholders/placeholder-text";
import { SourceFile } from "../../account-folder/placeholders/source-map";
import { applyEdits, asPlaceholderText, editPlaceholderText } from "../../account-folder/promote/placeholder-edit";
import { type PromoteOptions, promote } from "../../account-folder/promote/promote";
import { splitAtValues } from "../../account-folder/promote/split-at-values";
import { cases, fc } from "../chance";
import { temporaryFolder } from "../files";
import { accountOf, noSections, type Sections, sectionsOf } from "./sections";

type Files = Record<string, string>;
type FolderOptions = PromoteOptions["folder"];

const parse = (text: string) => parsePlaceholders(new SourceFile("file", text), () => undefined, []);

describe("recognising values", () => {
  test.each<[string, string, "text" | "html", Files | undefined]>([
    ["${hooks}/signed", "https://a.example/signed", "text", { hooks: "https://a.example" }],
    ["<p>${a} and ${a}, ${b}</p>", "<p>x and x, R&amp;D</p>", "html", { a: "x", b: "R&D" }],
    ["${hooks}/signed", "https://a.example/sent", "text", undefined],
    ["${a} ${a}", "x y", "text", undefined],
    ["<p>${a}</p>", "<p>x</p><p>more</p>", "html", undefined],
    ["${a}", "two\nlines", "text", undefined],
  ])("learns them where %j and %j fit", (template, text, kind, values) => {
    expect(matchPlaceholders(parse(template), text, kind)).toEqual(values);
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

  const odd = "https://a-b.example/x?y=1&z=(2)[3]{4}|^$.*+\\-~";
  test.each([
    ["https://Hooks.example:443", "https://hooks.example/x", "https://hooks.example"],
    ["https://bücher.example/ä/", "https://xn--bcher-kva.example/%C3%A4/x", "https://xn--bcher-kva.example/%C3%A4/"],
    ["#1a5fb4", "colour: #1A5FB4;", "#1A5FB4"],
    [odd, `At ${odd}.`, odd],
  ])("finds %j as services answer it", (value, text, answered) => {
    expect(splitAtValues(text, { value }, "text")).toContainEqual({ text: answered, value: "value" });
  });
});

describe("editing a template", () => {
  const edited = (template: string, wished: string, values: Files = {}) => {
    const edits = editPlaceholderText(parse(template), wished, values, "text");
    return edits && (applyEdits(edits)?.get("file") ?? template);
  };
  const site = "https://a.example";
  const portal = { portal: site };
  const values = { site, name: "Acme", version: "2.1" };
  const alike = { a: "Acme", b: "Acme", site, all: `${site}/all` };
  const mark = { mark: "" };

  test.each<[template: string, wished: string, values: Files, expected: string]>([
    ["Go to ${site} now", `Please go to ${site}/new at ${site}`, { site }, "Please go to ${site}/new at ${site}"],
    // A literal that reads like a value.
    ["Acme: ${company}", "Acme: Acme!", { company: "Acme" }, "Acme: ${company}!"],
    // Nothing but an unknown value differs.
    ["Dear ${name}, hello", "Dear Ann, hello you", {}, "Dear ${name}, hello you"],
    // A value that is empty here.
    ["Hello ${mark} all", "Hello  everybody", mark, "Hello ${mark} everybody"],
    ["sign it ${mark} ${mark}", "Please sign it  ", mark, "Please sign it ${mark} ${mark}"],
    // Words of its own that have moved are no unknown value; what another environment may call it stays open.
    ["Text\nalpha\nFoot\n${portal}\n${name}", `Text\n${site}\nalpha`, portal, "Text\n${portal}\nalpha"],
    ["Text\nFoot\n${portal}\n${name}", `Text\n${site}\nalpha`, portal, "Text\n${portal}\n${name}"],
    ["price", "price ${x}", {}, "price $${x}"],
    // Beside an address that begins alike, and beside letters.
    ["At https://b.example/p ${site}\n", `At ${site}\n`, values, "At ${site}\n"],
    ["ようこそ${name}へ", "こんにちはAcmeへ", values, "こんにちは${name}へ"],
    ["New: v${version}s", "v2.1s is new", values, "v${version}s is new"],
    ["${name} and", "Acme and Acmeville", values, "${name} and Acmeville"],
    // Of values that read alike, the one that the template has.
    ["Dear ${b}", "Acme, dear Acme", alike, "${b}, dear ${b}"],
    ["At ${site}/all", `See: At ${site}/all`, alike, "See: At ${site}/all"],
  ])("%j that shall read %j with %j", (template, wished, values, expected) => {
    expect(edited(template, wished, values)).toBe(expected);
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
        let template = asPlaceholderText(before, {}, "text");
        for (const at of places)
          if (template[at] === " ") template = `${template.slice(0, at)} \${site}${template.slice(at)}`;
        const result = edited(template, wished, values) ?? asPlaceholderText(wished, values, "text");
        expect(fillPlaceholders(parse(result), { values }).text).toBe(wished);
      }),
      { numRuns: cases(40) },
    );
  });
});

const account = (model: Partial<Sections>, more: Partial<ConfigSource> = {}): ConfigSource => ({
  model: accountOf(model),
  label: "account",
  isAuthoritative: true,
  ...more,
});
const folder = (files: Files, options: FolderOptions = {}) =>
  folderSource(temporaryFolder(files), { label: "./account", ...options });
/** Promotes into a folder of these files, with these values. */
const into = (
  files: Files,
  from: ConfigSource,
  folderOptions: FolderOptions = {},
  options: Omit<PromoteOptions, "folder"> = {},
) => promote(from, folder(files, folderOptions), { ...options, folder: folderOptions });
const fromStaging = (model: Partial<Sections>) => account(model, { environment: "staging" });

const subject = "emails/email-send/subject.txt";
const html = "emails/email-send/body.html";
const plain = "emails/email-send/body.txt";
const ours: Files = {
  "account.yaml":
    '# ours\nbranding:\n  colour: "#111111" # dark\nwebhooks:\n  signed:\n    type: signed-envelope\n    url: ${hooks}/signed\n',
  [subject]: "Sign at ${portal}\n",
  [html]: "<p>Hello</p>\n${include footer}\n",
  [plain]: "Hello\n",
  "emails/email-signed/body.html": "<p>Done</p>\n${include footer}\n",
  "emails/email-signed/body.txt": "",
  "partials/footer.html": "<p>Bye from ${portal}</p>\n",
};
const values = { hooks: "https://hooks.example", portal: "https://portal.example" };
const staging = { hooks: "https://hooks.staging.example", portal: "https://portal.staging.example" };
const production = { values, environment: "production" };
/** The account of staging, as far as it is the folder's. */
const live = (footer = "<p>Bye from https://portal.staging.example</p>") => ({
  branding: { colour: "#111111" },
  emails: {
    "email-send": {
      subject: "Sign at https://portal.staging.example",
      content: `<p>Hello</p>\n${footer}\n`,
      contentPlain: "Hello\n",
    },
    "email-signed": { content: `<p>Done</p>\n${footer}\n` },
  } as Sections["emails"],
  webhooks: [{ type: "signed-envelope", url: "https://hooks.staging.example/signed" }],
});
const run = (model: Partial<Sections>) => {
  const result = into(ours, fromStaging(model), { ...production, otherValues: staging });
  expect(result.remaining.changes).toEqual([]);
  return result;
};

describe("promote", () => {
  test("another environment's values are no change", () => {
    const { comparison, files } = run(live());
    expect([comparison.changes, ...files]).toEqual([[]]);
  });

  test("texts that went through a form in a browser are the same, and unchanged lines stay unchanged", () => {
    const model = live();
    for (const email of Object.values(model.emails))
      for (const [field, text] of Object.entries(email))
        Object.assign(email, { [field]: `${text.trim().replaceAll("\n", "  \r\n")}\r\n` });
    expect(run(model).comparison.changes).toEqual([]);
    const email = model.emails["email-send"]!;
    email.content = email.content!.replace("Hello", "Hi");
    expect([...run(model).files]).toEqual([[html, "<p>Hi</p>  \n${include footer}\n"]]);
  });

  test("each file keeps its line ends, a partial those of its own", () => {
    const crlf = (text: string) => text.replaceAll("\n", "\r\n");
    const files = {
      "partials/head.html": crlf("<p>Hello</p>\n<hr>\n"),
      "emails/email-send/body.html": "${include head}\n${include foot}\n",
      "partials/foot.html": "<p>{contract url}</p>\n<p>Bye</p>\n",
    };
    const after = "<p>Hi</p>\n<p>new</p>\n<hr>\n<p>{contract url}</p>\n<p>Goodbye</p>\n";
    for (const content of [after, crlf(after)]) {
      const from = account({ emails: { "email-send": { content } } });
      expect([...into(files, from, production, { only: "managed" }).files]).toEqual([
        ["partials/foot.html", "<p>{contract url}</p>\n<p>Goodbye</p>\n"],
        ["partials/head.html", crlf("<p>Hi</p>\n<p>new</p>\n<hr>\n")],
      ]);
    }
  });

  test("settings keep the line ends and the indentation of their file", () => {
    const wide = ours["account.yaml"]!.replace(/^ +/gm, "$&$&").replaceAll("\n", "\r\n");
    const from = account({ branding: { colour: "#222222" } });
    const { files } = into({ "account.yaml": wide }, from, production, { only: "managed" });
    const kept = wide.slice(0, wide.indexOf("webhooks"));
    expect(files.get("account.yaml")).toContain(kept.replace("#111111", "#222222"));
  });

  test("edits settings beside their comments, texts around their values", () => {
    const model = live();
    model.branding.colour = "#222222";
    model.emails["email-send"]!.subject = "Please sign at https://portal.staging.example!";
    model.webhooks = [
      { type: "signed-envelope", url: "https://hooks.staging.example/v2/signed" },
      { type: "add-user", url: "https://hooks.staging.example/users" },
    ];
    const { files } = run(model);
    expect(files.get("account.yaml")).toContain('# ours\nbranding:\n  colour: "#222222" # dark\n');
    expect(files.get("account.yaml")).toContain("url: ${hooks}/users");
    expect(files.get("account.yaml")).toContain("url: ${hooks}/v2/signed");
    expect(files.get(subject)).toBe("Please sign at ${portal}!\n");
  });

  test("a change that all emails share is made in their partial", () => {
    const { files, notes } = run(live("<p>Good bye from https://portal.staging.example</p>"));
    expect([...files]).toEqual([["partials/footer.html", "<p>Good bye from ${portal}</p>\n"]]);
    expect(notes.join()).toContain("every email template that includes it");
  });

  test("a change that only one of them has is not", () => {
    const model = live();
    model.emails["email-send"]!.content = "<p>Hello</p>\n<p>Tschüß, https://portal.staging.example</p>\n";
    expect([...run(model).files]).toEqual([[html, "<p>Hello</p>\n<p>Tschüß, ${portal}</p>\n"]]);
  });

  test("a name that any text fits does not hide what a partial's new text does to other emails", () => {
    const content = (text: string) => ({ content: text });
    const from = account({
      emails: {
        "email-cancelled": content("Dear\nSandbox\n"),
        "email-send": content("Text\nSandbox"),
        "email-signed": content("Text\nother\nFoot"),
      },
    });
    const before = {
      "emails/email-cancelled/body.html": "Dear\n${product}\n",
      [html]: "Text\n${include foot}",
      "emails/email-signed/body.html": "Text\nbeta\n${include foot}",
      "partials/foot.html": "Foot\n",
    };
    expect(Object.fromEntries(into(before, from).files)).toEqual({
      [html]: "Text\n${product}",
      "emails/email-signed/body.html": "Text\nother\n${include foot}",
    });
  });

  test("what the other account lacks stays, and is reported; blanks are no text", () => {
    const model = live();
    delete model.emails["email-send"]!.contentPlain;
    const { comparison, files, notes } = run(model);
    expect([comparison.changes, ...files]).toEqual([[]]);
    expect(notes).toEqual(["account has no plain-text body for email template email-send: the target's stays"]);
    const blank = live();
    blank.emails["email-send"]!.subject = " \n ";
    blank.emails["email-reminder"] = { subject: "Reminder", contentPlain: "  " };
    const second = run(blank);
    expect([...second.files.keys()]).toEqual(["emails/email-reminder/subject.txt"]);
    expect(second.notes).toEqual(["account has no subject for email template email-send: the target's stays"]);
  });

  test("a derived plain text is what comes of the HTML with the values, blanks and all", () => {
    const to = folder(
      { [html]: "<p>Hello ${mark} all</p>" },
      { values: { mark: "Live" }, otherValues: { mark: "" }, environment: "production" },
    );
    const email = { content: "<p>Hello  all</p>", contentPlain: "Hello all" };
    expect(compare(to, fromStaging({ emails: { "email-send": email } })).changes).toEqual([]);
  });

  test("a colour is the same in capitals, as services answer it", () => {
    const before = {
      "account.yaml": "branding: { colour: '${brand}' }\n",
      "companies/acme/company.yaml": "name: Acme\n",
    };
    const options = { values: { brand: "#1a5fb4" }, otherValues: { brand: "#00ff00" }, environment: "production" };
    const branding = { colour: "#00FF00" };
    const acme = { name: "Acme", account: { ...noSections(), branding } };
    const { files } = into(before, fromStaging({ branding, companies: [acme] }), options);
    expect([...files]).toEqual([["companies/acme/account.yaml", "branding:\n  colour: ${brand}\n"]]);
  });

  test("what the folder does not manage is added", () => {
    const model = live();
    model.emails["email-reminder"] = { subject: "Reminder", content: "<p>${literal}</p>" };
    const { files, remaining } = run(model);
    expect(files.get("emails/email-reminder/subject.txt")).toBe("Reminder");
    expect(files.get("emails/email-reminder/body.html")).toBe("<p>$${literal}</p>");
    expect(files.get("emails/email-reminder/body.txt")).toBe("");
    expect(remaining.unmanaged).toEqual([]);
  });

  test("an object that exists twice is declared once", () => {
    const model = live();
    const duplicate = { type: "add-user", url: "https://users.example/" };
    model.webhooks.push(model.webhooks[0]!, duplicate, { ...duplicate, url: "https://USERS.example" });
    const { comparison, files, notes } = run(model);
    expect(comparison.changes).toEqual([expect.objectContaining({ name: "add-user https://USERS.example" })]);
    expect(files.get("account.yaml")!.match(/type:/g)).toHaveLength(2);
    expect(notes).toEqual([
      "webhook add-user https://users.example/ exists twice in account: a program may declare it once",
      "webhook signed-envelope https://hooks.staging.example/signed exists twice in account: a program may declare it once",
    ]);
  });

  test("types that this version does not know come along, but never out of the folder", () => {
    const model = live();
    model.emails["email-declined"] = { subject: "Password" };
    model.emails["../../email"] = { subject: "Out" };
    model.webhooks.push({ type: "returned-envelope", url: "https://bounced.example/" });
    const { files, notes } = run(model);
    expect([...files.keys()].sort()).toEqual([
      "account.yaml",
      "emails/%2e.%2f..%2femail/subject.txt",
      "emails/email-declined/subject.txt",
    ]);
    expect(notes).toEqual([]);
  });

  test("of a webhook whose address changes, the type comes along; what goes is no part of what comes", () => {
    const url = [{ field: "url", before: "https://a.example", after: "https://b.example" }];
    const change = { kind: "Webhook", name: "all https://a.example", action: "change", fields: url } as const;
    expect(sectionsOf(modelOf([change], accountOf({}))).webhooks).toEqual([{ type: "all", url: "https://b.example" }]);
    const fields = [{ field: "colour", before: "#111111" }];
    expect(sectionsOf(modelOf([{ kind: "Branding", action: "change", fields }], accountOf({}))).branding).toStrictEqual(
      {},
    );
  });

  test("a plain text that did not change with its HTML body stays, and parts of several bodies are edited in one place", () => {
    const before = {
      [html]: "<p>Sign</p>\n${include foot}",
      "emails/email-signed/body.html": "<p>Done</p>\n${include foot}",
      "partials/foot.html": "<p>Old footer</p>\n",
    };
    const from = (foot: string) => {
      const email = (word: string) => ({
        content: `<p>${word}</p>\n<p>New footer</p>`,
        contentPlain: `${word}\n\n${foot}\n`,
      });
      return account({ emails: { "email-send": email("Sign"), "email-signed": email("Done") } });
    };
    const first = into(before, from("Old footer"));
    expect(Object.fromEntries(first.files)).toEqual({
      "partials/foot.html": "<p>New footer</p>\n",
      [plain]: "Sign\n\nOld footer\n",
      "emails/email-signed/body.txt": "Done\n\nOld footer\n",
    });
    expect(first.remaining.changes).toEqual([]);
    // What is derived all the same, but for the line end that a service adds, needs no file.
    expect([...into(before, from("New footer")).files.keys()]).toEqual(["partials/foot.html"]);
  });

  test("a removed name is reported where its value is unknown", () => {
    const emails = { "email-send": { subject: "https://portal.staging.example is there" } };
    const { notes } = into({ [subject]: "Sign at ${portal} now" }, fromStaging({ emails }), production);
    expect(notes).toEqual([
      expect.stringMatching(/subject.txt: \$\{portal\} was removed; its value in account is not known/),
    ]);
  });

  test("values of an account that no stack has are learnt from what did not change", () => {
    const model = live();
    model.emails["email-send"]!.content = "<p>Hello, see https://portal.staging.example/x</p>\n<p>Bye from all</p>\n";
    model.webhooks.push({ type: "add-user", url: "https://hooks.staging.example/users" });
    const { files } = into(ours, fromStaging(model), production);
    expect(files.get(html)).toBe("<p>Hello, see ${portal}/x</p>\n<p>Bye from all</p>\n");
    expect(files.get("account.yaml")).toContain("url: ${hooks}/users\n");
    expect([...files.values()].join()).not.toContain("staging");
  });
});

describe("values of an account that no stack has, where every text has changed", () => {
  const twice = { [subject]: "Sign at ${portal}\n", [html]: "<p>See ${portal}</p>\n", [plain]: "See ${portal}\n" };
  const promoted = (subject: string, content: string, contentPlain: string) =>
    into(twice, fromStaging({ emails: { "email-send": { subject, content, contentPlain } } }), production);

  test("are what stands in their places, where these agree", () => {
    const { files, notes } = promoted(
      "Please sign at https://portal.staging.example",
      "<p>Look: https://portal.staging.example</p>\n<p>Help: https://portal.staging.example/help</p>\n",
      "Look: https://portal.staging.example\n",
    );
    expect(files.get(html)).toBe("<p>Look: ${portal}</p>\n<p>Help: ${portal}/help</p>\n");
    expect(notes).toEqual([
      'taken as the value of ${portal} in account: "https://portal.staging.example"; check that it is',
    ]);
  });

  /** The files of a subaccount with these settings. */
  const subaccount = (name: string, settings: string, subjectText: string, plainText: string): Files => ({
    [`companies/${name}/company.yaml`]: `name: ${name}\n${settings}`,
    [`companies/${name}/${subject}`]: subjectText,
    [`companies/${name}/${plain}`]: plainText,
  });
  const inStaging = (name: string, subject: string, contentPlain: string) => ({
    name,
    account: { ...noSections(), emails: { "email-send": { subject, contentPlain } } },
  });

  test.each(["values: { customer: Live }\n", ""])("are not those of another subaccount with %j", (settings) => {
    const acme = inStaging("Acme", "Hi Acme Staging", "Good day Acme Staging, sign here\n");
    const beta = inStaging("Beta", "Hello, a partner of Acme Staging", "Hello\n");
    const { files, notes } = into(
      {
        ...subaccount("Acme", settings, "Hello ${customer}", "Dear ${customer}, sign it\n"),
        ...subaccount("Beta", settings, "Hello", "Hello ${customer}\n"),
      },
      fromStaging({ companies: [acme, beta] }),
      { values: { customer: "Live" }, environment: "production" },
    );
    expect(files.get(`companies/Beta/${subject}`)).toBe("Hello, a partner of Acme Staging");
    expect(files.get(`companies/Acme/${plain}`)).toBe("Good day ${customer}, sign here\n");
    expect(notes.filter((note) => note.includes("Acme Staging"))).toEqual([
      'taken as the value of ${customer} in account: "Acme Staging"; check that it is',
    ]);
  });

  test.each([
    ["", "Hello, see ${portal}"],
    ["values: { portal: https://beta.example }\n", "Hello, see https://portal.staging.example"],
  ])("are the account's in a subaccount with %j as well, unless it sets them", (settings, expected) => {
    const [subjectText, plainText] = [
      "Please sign at https://portal.staging.example",
      "Look: https://portal.staging.example\n",
    ];
    const { files } = into(
      {
        [subject]: twice[subject]!,
        [plain]: twice[plain]!,
        ...subaccount("Beta", settings, "Hello", "At ${portal}\n"),
      },
      fromStaging({
        emails: { "email-send": { subject: subjectText, contentPlain: plainText } },
        companies: [inStaging("Beta", "Hello, see https://portal.staging.example", "At us\n")],
      }),
      production,
    );
    expect(files.get(`companies/Beta/${subject}`)).toBe(expected);
  });

  test("are not the middle of a word", () => {
    const { notes } = promoted("Please sign at Ann", "<p>Look: Annual</p>\n", "Look: Annual\n");
    expect(notes).toEqual([expect.stringMatching(/^\$\{portal\} is kept where account has "Ann" and "Annual"/)]);
  });

  test("are asked for where these differ", () => {
    const { notes } = promoted(
      "Please sign at our office",
      "<p>Look: https://portal.staging.example?a=1&amp;b</p>\n",
      "Look: https://portal.staging.example\n",
    );
    expect(notes).toEqual([
      '${portal} is kept where account has "our office" and "https://portal.staging.example?a=1&b" and "https://portal.staging.example": check that this is its value there',
    ]);
  });

  test("settings that are booleans stay booleans", () => {
    const { files } = into(
      { "account.yaml": "settings:\n  emailPdfAttach: true\n" },
      fromStaging({ settings: { emailPdfAttach: "false", emailMainEmail: "true" } }),
      production,
    );
    expect(files.get("account.yaml")).toBe("settings:\n  emailPdfAttach: false\n  emailMainEmail: true\n");
  });
});

describe("from folder to folder", () => {
  const between = (before: Files, after: Files, options: FolderOptions = {}, others = options) =>
    into(before, folder(after, others), options);

  test("values that are open keep their names in new texts", () => {
    const yaml = "webhooks:\n  all:\n    type: all\n    url: ${hooks}/all\n";
    const after = { [subject]: "Hello ${portal}", [html]: "<p>${portal}</p>", "account.yaml": yaml };
    const { files } = between({ [subject]: "Hello" }, after);
    expect(Object.fromEntries(files)).toEqual({ ...after, [plain]: "${portal}" });
  });

  test("a text in the place of a name is a change: a folder contains the value of each of its names", () => {
    const { files } = between({ [subject]: "Hello ${name}" }, { [subject]: "Hello all" });
    expect([...files]).toEqual([[subject, "Hello all"]]);
    expect(between({ [subject]: "Hello" }, { [subject]: "Hello" }).comparison.changes).toEqual([]);
  });

  test("values of the stacks are no difference, of several lines and side by side as well", () => {
    const texts = { [plain]: "${a}${b}", [subject]: "${b}${a}" };
    const valuesOf = (environment: string) => ({
      environment,
      values: { a: `${environment}\n1`, b: `${environment} 2` },
    });
    expect(between(texts, texts, valuesOf("production"), valuesOf("staging")).comparison.changes).toEqual([]);
  });

  test("each has names of its own for its webhooks", () => {
    const yaml = (one: string) =>
      `webhooks:\n  one: { type: all, url: "${one}" }\n  two: { type: all, url: "\${hooks}/2" }\n`;
    const { files } = between(
      { "account.yaml": yaml("${hooks}/1") },
      { "account.yaml": yaml("${hooks}/1/v2") },
      production,
      { values: staging, environment: "staging" },
    );
    expect([...files]).toEqual([["account.yaml", yaml("${hooks}/1/v2")]]);
  });

  test("names that look like numbers, and texts that stand in two places, are edited where they are", () => {
    const yaml = (one: string, two: string, url: string) =>
      `webhooks:\n  1:\n    type: ${one}\n    url: ${url} # first\n  b:\n    type: ${two}\n    url: https://a.example/b\n`;
    const { files, remaining } = between(
      { "account.yaml": yaml("&t all", "*t", "https://a.example/1") },
      { "account.yaml": yaml("add-user", "all", "https://a.example/2") },
    );
    expect(files.get("account.yaml")).toBe(yaml("add-user", "all", "https://a.example/2"));
    expect(remaining.changes).toEqual([]);
  });

  test("what a subaccount gives itself stays its own", () => {
    const files = (customer: string, text: string) => ({
      "companies/acme/company.yaml": `name: Acme\nvalues:\n  customer: ${customer}\n`,
      [`companies/acme/${subject}`]: text,
      [`companies/acme/${html}`]: "<p>${customer}</p>",
    });
    // The stack has a value of this name as well.
    const options = { values: { customer: "Stack" } };
    const result = between(files("Ours", "Dear ${customer}"), files("Theirs", "Dear ${customer}, hello"), options);
    expect([...result.files]).toEqual([[`companies/acme/${subject}`, "Dear ${customer}, hello"]]);
  });
});

describe("subaccounts", () => {
  const own = (subject: string): Sections => ({ ...noSections(), emails: { "email-send": { subject } } });
  /** The files of a subaccount in a directory: who it is, and the subject that it has. */
  const company = (slug: string, name: string, email: string, text?: string): Files => ({
    [`companies/${slug}/company.yaml`]: `name: ${name}\nuserEmail: ${email}\nemail: ${email}\n`,
    ...(text !== undefined && { [`companies/${slug}/${subject}`]: text }),
  });
  const acme = company("acme", "Acme", "a@acme.example", "before");
  const other = company("other", "Other", "o@other.example", "before");
  const three = { ...acme, ...company("acme-2", "Acme", "b@acme.example", "before"), ...other };
  const otherAfter = { id: "1", name: "Other", email: "o@other.example", account: own("after") };
  const yamls = (files: Map<string, string>) => [...files.keys()].filter((path) => path.endsWith(".yaml"));

  test("of one name are identified by their ids in an inventory, and not written into each other's files", () => {
    const [first, second] = ["a", "b"].map((letter, i) => ({
      id: String(4711 + i),
      name: "Acme",
      email: `${letter}@acme.example`,
      account: { ...own(letter), webhooks: [{ id: String(i), type: "all", url: `https://${letter}.example/` }] },
    }));
    const whole = account({ companies: [first!, second!] });
    const { id, name, account: content } = second!;
    const companies = [{ id, name, account: { ...content, webhooks: [] } }];
    const owner = account({ companies }, { label: "stack:dev", isAuthoritative: false });
    const left = findUnmanaged(whole, [owner]);
    expect(left.map((item) => [item.action, item.id, item.company, item.companyId])).toEqual(
      expect.arrayContaining([
        ["add", "4711", undefined, undefined],
        ["add", "1", "Acme", "4712"],
      ]),
    );
    const model = modelOf(left, whole.model);
    expect(sectionsOf(model).companies).toEqual([
      first,
      { ...second, account: { ...noSections(), webhooks: content.webhooks } },
    ]);
    const onlySecond = { ...whole, model: { ...model, Company: [model.Company![1]!] } };
    const before = company("acme", "Acme", "a@acme.example");
    const { files, notes } = into(before, onlySecond, {}, { only: "additions", whole });
    expect([...files]).toEqual([]);
    expect(notes).toEqual([expect.stringContaining("several subaccounts are named Acme")]);
  });

  test("that one owner does not know are owned by another in parts", () => {
    const acme = { id: "4711", name: "Acme", email: "a@acme.example" };
    const whole = account({ companies: [{ ...acme, account: own("Hello") }] });
    const code = (label: string, model: Partial<Sections>) => account(model, { label, isAuthoritative: false });
    const knows = code("stack:acme", { companies: [{ id: "4711", name: "Acme", account: noSections() }] });
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
    const both = ["before", "after"].map((text, i) => ({
      name: "Acme",
      email: `${"ab"[i]}@acme.example`,
      account: own(text),
    }));
    const { files, notes } = into(three, account({ companies: [...both, otherAfter] }));
    expect([...files]).toEqual([[`companies/other/${subject}`, "after"]]);
    expect(notes).toEqual([expect.stringContaining("several subaccounts are named Acme")]);
  });

  test("are the same as the service writes them", () => {
    const before = {
      ...company("rd", "R&D  Ltd", "Ann@rd.example", "before"),
      "companies/rd/account.yaml": "webhooks: { all: { type: all, url: https://old.example/ } }\n",
    };
    const webhooks = [{ type: "all", url: "https://new.example/" }];
    const rd = { name: "R&amp;D Ltd", email: "ann@rd.example", account: { ...own("after"), webhooks } };
    const { files, notes } = into(before, account({ companies: [rd] }));
    expect([...files]).toEqual([
      ["companies/rd/account.yaml", expect.stringContaining("https://new.example/")],
      [`companies/rd/${subject}`, "after"],
    ]);
    expect(notes).toEqual([]);
  });

  test("that are new get directories of their own, whoever is chosen", () => {
    const news = ["Acme", "ACME!"].map((name, i) => ({ name, email: `${i}@acme.example`, account: own(name) }));
    const before = company("Acme", "Acme Ltd", "ltd@acme.example");
    const { files, remaining } = into(before, account({ companies: news }), {}, { companies: ["Acme", "ACME!"] });
    expect(yamls(files)).toEqual(["companies/acme-2/company.yaml", "companies/acme-3/company.yaml"]);
    expect(remaining.changes).toEqual([]);
  });

  test("that are new keep the values of an environment by their names, but for who they are", () => {
    const options = {
      values: { brand: "#1A5FB4", hooks: "https://live.example", customer: "Acme" },
      otherValues: { brand: "#00FF00", hooks: "https://staging.example", customer: "Acme R&D" },
      environment: "production",
    };
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
    const from = account({ companies: [acme] }, { isAuthoritative: false, environment: "staging" });
    const { files, remaining } = into({ "account.yaml": "" }, from, options);
    expect(Object.fromEntries(files)).toEqual({
      "companies/acme/company.yaml": "name: Acme\nuserName: Acme\nuserEmail: a@acme.example\n",
      "companies/acme/account.yaml":
        'branding:\n  colour: "${brand}"\nwebhooks:\n  all:\n    type: all\n    url: ${hooks}/acme\n',
      [`companies/acme/${html}`]: "<p>${customer} at ${hooks}/x and $${literal}</p>",
      [`companies/acme/${plain}`]: "",
    });
    expect(remaining.changes).toEqual([]);
  });

  test("that have a new name are not written a second time", () => {
    const named = [
      { id: "1", name: "Acme Group", email: "A@acme.example", account: own("after") },
      { id: "2", name: "New", email: "n@new.example", account: own("after") },
    ];
    const yaml = (name: string) => ({
      ...acme,
      "companies/acme/company.yaml": `name: ${name}\nuserEmail: a@acme.example\n`,
    });
    const whole = account({ companies: named });
    const { files, notes, remaining } = into(yaml("Acme"), whole);
    const paths = ["companies/new/company.yaml", `companies/new/${subject}`];
    expect([...files.keys()]).toEqual(paths);
    expect(notes).toEqual([
      expect.stringMatching(/^subaccount Acme Group has the email address of Acme: .* companies\/acme\/company.yaml/),
    ]);
    expect(remaining.changes).toEqual([]);
    expect(into(yaml("Acme"), whole, {}, { only: "managed" }).notes).toEqual(notes);
    const left = modelOf(findUnmanaged(whole, [folder(yaml("Acme"))]), whole.model);
    const unowned = { ...whole, model: left };
    expect([...into(yaml("Acme"), unowned, {}, { only: "additions", whole }).files.keys()]).toEqual(paths);
    const shared = { id: "3", name: "Third", email: "a@acme.example", account: own("after") };
    expect(yamls(into(yaml("Acme"), account({ companies: [...named, shared] })).files)).toEqual([
      "companies/acme-group/company.yaml",
      "companies/new/company.yaml",
      "companies/third/company.yaml",
    ]);
    expect(into(yaml("Acme Group"), whole).files.get(`companies/acme/${subject}`)).toBe("after");
  });

  test("with only an id belong to no directory", () => {
    const stub = { id: "4711", account: own("after") };
    const before = company("acme", "Acme", "a@acme.example");
    const { files, notes } = into(before, account({ companies: [stub] }, { isAuthoritative: false }));
    expect([...files]).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(/^subaccount with the id 4711 is managed by another program: /),
      "subaccount Acme is not in account: its files stay, since deploying without them would delete it",
    ]);
  });

  test("that have swapped their names do not get what is the other's", () => {
    const before = { ...company("a", "A", "a@mail.example", "a"), ...company("b", "B", "b@mail.example", "b") };
    const companies = [
      { name: "A", email: "b@mail.example", account: own("b") },
      { name: "B", email: "a@mail.example", account: own("a") },
    ];
    const { files, notes } = into(before, account({ companies }));
    expect([...files]).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(/^subaccount A has the email address of B: .* companies\/b\/company.yaml/),
      expect.stringMatching(/^subaccount B has the email address of A: .* companies\/a\/company.yaml/),
    ]);
  });

  test("that are chosen by their ids are those of the folder that have their names", () => {
    const { files, notes, remaining } = into(three, account({ companies: [otherAfter] }), {}, { companies: ["1"] });
    expect([...files.keys()]).toEqual([`companies/other/${subject}`]);
    expect([notes, remaining.changes]).toEqual([[], []]);
    const acme = { id: "0", name: "Acme", email: "a@acme.example", account: own("after") };
    const named = (choice: CompanyFilter) =>
      compare(folder(other), account({ companies: [acme, otherAfter] }), choice).changes.map(({ kind, company }) => [
        kind,
        company,
      ]);
    expect(named(["1"])).toEqual([["BrandingEmail", "Other"]]);
    expect([...named(["0"]), ...named("none")]).toEqual([]);
  });

  test("that are gone keep all that they have, and are reported in one sentence, unless they are not chosen", () => {
    const before = {
      ...acme,
      "companies/acme/account.yaml": "webhooks: { all: { type: all, url: https://a.example/ } }\n",
    };
    const gone = into(before, account({ branding: { colour: "#222222" } }));
    expect([...gone.files.keys()]).toEqual(["account.yaml"]);
    expect(gone.notes).toEqual([expect.stringContaining("its files stay")]);
    const { notes } = into(three, account({ companies: [] }));
    expect(notes.filter((note) => note.includes("Other"))).toEqual([
      "subaccount Other is not in account: its files stay, since deploying without them would delete it",
    ]);
    const chosen = into(three, account({ companies: [otherAfter] }), {}, { companies: ["Other"] });
    expect([chosen.notes, ...chosen.files.keys()]).toEqual([[], `companies/other/${subject}`]);
  });

  test("that the change is not about keep their emails where a partial is shared", () => {
    const before = {
      [html]: "<p>Hello</p>${include foot}",
      [plain]: "",
      "partials/foot.html": "<p>Bye</p>",
      ...company("acme", "Acme", "a@acme.example"),
      [`companies/acme/${html}`]: "<p>Acme</p>${include foot}",
    };
    const from = account({ emails: { "email-send": { content: "<p>Hello</p><p>Good bye</p>" } } });
    for (const companies of ["all", "none"] as const) {
      const { files } = into(before, from, {}, { companies });
      expect([...files]).toEqual([[html, "<p>Hello</p><p>Good bye</p>"]]);
    }
  });
});
