import { describe, expect, it } from "vitest";
import { type LoadOptions, loadFolder } from "../../account-folder/folder/load-folder";
import { contrast, darkEnough, parseColour } from "../../account-folder/text/colour";
import { HtmlBody } from "../../account-folder/text/html/body";
import type { EmailText } from "../../definitions/branding-email";
import { type LintOptions, lintFolder } from "../../rules/lint/lint-folder";
import { rules } from "../../rules/registry";
import { brandingEmailVariables } from "../../sdk";
import { fc } from "../chance";
import { temporaryFolder } from "../files";
import { lintTexts } from "./lint-texts";

function lint(files: Record<string, string>, options: LintOptions & LoadOptions = {}) {
  return lintFolder(loadFolder(temporaryFolder(files), { requireValues: false, ...options }), options);
}

const find = (texts: EmailText, options: Parameters<typeof lintTexts>[2] = {}) =>
  lintTexts("email-cancelled", texts, options);
/** Findings as `place rule`, for texts without files. */
const say = (...args: Parameters<typeof find>) =>
  find(...args).map((f) => `${f.file}:${f.line}:${f.column}-${f.endColumn} ${f.rule}`);
const content = (html: string, options?: Parameters<typeof lintTexts>[2]) => say({ content: html }, options);

const variablesOf = (html: string) => new HtmlBody(html).variables;

describe("variables", () => {
  it("are found in the text and in attributes, at their places", () => {
    expect(variablesOf('<p>{client name}</p>\r\n<a href="{contract url}">x</a>')).toMatchObject([
      { name: "client name", where: "text", start: 3, end: 16 },
      { name: "contract url", where: "attribute", element: "a", start: 31, end: 45 },
    ]);
  });

  it.each([
    "<style>a { color: red } @media (x) { b{c d} } p{margin}</style>",
    "<script>if (a) { b } function(){ return {a}; }</script>",
    "<!-- .a{color} --><p>x</p>",
    '<p style="{color}">x</p>',
    "<p>{ } {1} {12 34} {} { a: b } {a;b} {\nx\n}</p>",
  ])("are not mistaken for the brackets of %j", (html) => {
    expect(variablesOf(html)).toEqual([]);
    expect(content(`${html}<p>x</p>`).filter((text) => /variable/.test(text))).toEqual([]);
  });

  it("count where a mail client's own conditions hide them", () => {
    const html = '<!--[if mso]><v:rect href="{contract url}"><![endif]--><style>/* {client name} */</style>';
    expect(variablesOf(html)).toMatchObject([
      { name: "contract url", where: "attribute", element: "v:rect", isShown: false },
      { name: "client name", where: "hidden", isShown: false },
    ]);
  });

  it("keep their places in any HTML, line ends and Unicode included", () => {
    const piece = fc.oneof(
      fc.constantFrom("<p>", "</p>", "<td>", "\r\n", "\r", "\n", "<b class='x'>", "&amp;", "שלום", "🖋️"),
      fc.constantFrom("<!-- c -->", "<style>a{b:c}</style>"),
      fc.string({ unit: "binary", maxLength: 5 }).map((text) => text.replace(/[<>{}&]/g, "")),
    );
    const name = fc.constantFrom(...brandingEmailVariables);
    fc.assert(
      fc.property(fc.array(piece), name, fc.array(piece), (before, name, after) => {
        const html = `${before.join("")}{${name}}${after.join("")}`;
        const found = variablesOf(html).filter((variable) => variable.where === "text");
        return found.length === 1 && html.slice(found[0]!.start, found[0]!.end) === `{${name}}`;
      }),
    );
  });

  it("never fail, whatever the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => Array.isArray(variablesOf(text))));
  });

  it.each([
    "{contrct url}",
    "{Contract URL}",
    "{contract_url}",
    "{contracturl}",
    "{ contract  url }",
    "{contract&nbsp;url}",
    "{contract\u00a0url}",
  ])("%s is misspelt", (written) => {
    const fix = "did you mean {contract url}?";
    expect(find({ content: `<p>${written}</p>` })).toMatchObject([
      { rule: "variable-typo", severity: "error", fix, line: 1, column: 4, endColumn: 4 + written.length },
    ]);
  });

  it("that nothing is near to are unknown", () => {
    expect(say({ subject: "a {first name}" })).toEqual(["subject:1:3-15 unknown-variable"]);
  });

  it("are required when the present text has them, or a table lists them", () => {
    const fields = { content: '<a href="{contract url}">', contentPlain: "{client name}" };
    const present = { BrandingEmail: [{ name: "email-cancelled", fields }] };
    const found = find({ content: "<p>x</p>", contentPlain: "x {contract url}" }, { present });
    expect(found.filter(({ rule }) => rule === "missing-variable")).toMatchObject([
      {
        file: "content",
        message:
          "the HTML body of email-cancelled is missing {contract url}, which the account's current text contains",
      },
      {
        file: "contentPlain",
        message:
          "the plain text of email-cancelled is missing {client name}, which the account's current text contains",
      },
    ]);
    const required = { "email-cancelled": ["contract url"], "email-rejected": ["client name"] };
    expect(content("<p>x</p>", { required })).toEqual(["content:1:1-1 missing-variable"]);
  });

  it.each([
    ['<a href="{contract url}">x</a>', []],
    ["<a href='{contract url}'>x</a>", []],
    ["<a href={contract url}>x</a>", ["content:1:9-23 variable-in-attribute"]],
    ['<a href="https://x.example/?u={contract url}">x</a>', ["content:1:31-45 variable-in-attribute"]],
    ['<img alt="{client name}" src="https://x.example/a.png">', ["content:1:11-24 variable-in-attribute"]],
    ['<p title="{contract url}">x</p>', ["content:1:11-25 variable-in-attribute"]],
    ["<p {client name}>x</p>", ["content:1:4-17 variable-in-attribute"]],
  ])("in attributes: %s", (html, expected) => {
    expect(content(html).filter((text) => /variable/.test(text))).toEqual(expected);
  });
});

const webFont =
  '<link rel="stylesheet" href="https://x.example/a.css"><style>@import url(https://x.example/a.css);</style>';

describe("HTML", () => {
  it.each([
    ["<script>x</script><p>x</p>", ["content:1:1-9 script"]],
    ['<script type="application/ld+json">{ "@type": "Order" }</script><p>x</p>', []],
    ['<script type="text/javascript; application/ld+json">x</script><p>x</p>', ["content:1:1-53 script"]],
    ['<p onclick="x()">x</p>', ["content:1:4-17 script"]],
    ['<a href="javascript:x()">x</a>', ["content:1:10-24 script"]],
    ['<link rel="stylesheet" href="https://x.example/a.css"><p>x</p>', ["content:1:1-55 external-style"]],
    ["<style>\n@import url(https://x.example/a.css);</style><p>x</p>", ["content:2:13-36 external-style"]],
    // As MJML and builders of emails write web fonts.
    [`<!--[if !mso]><!-->\n${webFont}<!--<![endif]--><p>x</p>`, []],
    [`<!--[if !mso]><!-- -->${webFont}<!--<![endif]--><p>x</p>`, []],
    [`<![if !mso]>${webFont}<![endif]><p>x</p>`, []],
    [
      `<!--[if !mso]><!--><b>x</b><!--<![endif]-->${webFont}`,
      ["content:1:44-98 external-style", "content:1:117-140 external-style"],
    ],
    [
      `<!--[if mso]>${webFont}<![endif]--><p>x</p>`,
      ["content:1:14-68 external-style", "content:1:87-110 external-style"],
    ],
    ["<form><button>x</button></form>", ["content:1:1-7 unsupported-element", "content:1:7-15 unsupported-element"]],
    ['<img src="https://x.example/a.png">', ["content:1:1-36 image-alt"]],
    ['<img alt="" src="https://x.example/a.png">', []],
    ["<p>a < b</p>", ["content:1:7-7 broken-html"]],
    ["<div><b>x</div>", ["content:1:6-9 broken-html"]],
    ["x</b>", ["content:1:2-6 broken-html"]],
    ["<p>one<p>two<table><tr><td>x</table>", []],
    ['<a href="http://x.example/a">x</a>', ["content:1:10-28 insecure-link"]],
    ["<td style=\"background:url('http://x.example/a.png')\">x</td>", ["content:1:28-50 insecure-link"]],
    ['<svg xmlns="http://www.w3.org/2000/svg"></svg>x', ["content:1:1-41 unsupported-element"]],
    ['<a href="/a">x</a>', ["content:1:10-12 relative-link"]],
    ['<a href="//x.example">x</a>', ["content:1:10-21 relative-link"]],
    ['<a href="">x</a>', ["content:1:10-10 relative-link"]],
    ['<a href="mailto:a@b.example">a</a> <a href="tel:+1">b</a> <a href="#top">c</a>', []],
    ['<img alt="x" src="data:image/png;base64,AAAA">', ["content:1:19-24 embedded-image"]],
    ["<p> </p><style>a{b:c}</style>", ["content:1:1-1 empty-body"]],
    ["\ufeff<p>x</p>", ["content:1:1-2 byte-order-mark"]],
  ])("%s", (html, expected) => {
    expect(content(html)).toEqual(expected);
  });

  it("of more than 100 kB is too large, however it is made", () => {
    const table = (rows: number) => `<table>${"<tr><td>שורה</td></tr>\r\n".repeat(rows)}</table>`;
    expect(content(table(4500))).toEqual(["content:1:1-1 large-html"]);
    expect(content(table(1000))).toEqual([]);
  });

  it("that is addressed by a value is judged when the value is known", () => {
    const files = { "emails/email-cancelled/body.html": '<a href="${site}/a">x</a>' };
    expect(lint(files)).toEqual([]);
    expect(lint(files, { values: { site: "https://x.example" } })).toEqual([]);
    expect(lint(files, { values: { site: "http://x.example" } })).toMatchObject([
      { rule: "insecure-link", line: 1, column: 10, endColumn: 17 },
    ]);
  });
});

describe("colours", () => {
  it("have the contrast that WCAG works out", () => {
    const ratio = (a: string, b: string) => contrast(parseColour(a)!, parseColour(b)!);
    expect(ratio("#000", "white")).toBeCloseTo(21, 5);
    expect(ratio("#777777", "#fff")).toBeCloseTo(4.478, 3);
    expect(ratio("rgb(118, 118, 118)", "#ffffff")).toBeCloseTo(4.542, 3);
  });

  it("are suggested dark enough", () => {
    const channel = fc.nat(255);
    fc.assert(
      fc.property(fc.tuple(channel, channel, channel), (rgb) => contrast(darkEnough(rgb), [255, 255, 255]) >= 4.5),
    );
  });

  it("of the account carry white text", () => {
    const of = (colour: string) => lint({ "account.yaml": `branding:\n  colour: "${colour}"` });
    expect(of("#558CAA")).toMatchObject([
      { rule: "brand-contrast", severity: "warning", file: "account.yaml", line: 2, column: 11 },
    ]);
    expect(of("#558CAA")[0]!.message).toContain("3.67:1");
    expect(of("#0B5C6B")).toEqual([]);
  });

  it.each([
    ['<td bgcolor="#0b5c6b"><font color="#000">dark</font></td>', ["content:1:42-46 brand-contrast"]],
    ['<td style="background: #0B5C6B; color: white">fine</td>', []],
    [
      '<td style="background:#0B5C6B;color:#222"><p style="color:#fff">fine</p><br>dark</td>',
      ["content:1:77-81 brand-contrast"],
    ],
    ['<td style="background:#0B5C6B;color:#222"><p style="background:#fff">fine</p></td>', []],
    ['<td style="background:url(https://x.example) #0B5C6B;color:#222">unknown</td>', []],
    ['<td style="background:#0B5C6B;color:#222"><a href="https://x.example">its own colour</a></td>', []],
  ])("of text on it: %s", (html, expected) => {
    expect(content(html, { colour: "#0B5C6B" })).toEqual(expected);
  });
});

describe("texts", () => {
  it("have a subject of one line", () => {
    expect(say({ subject: "  " })).toEqual(["subject:1:1-1 empty-subject"]);
    expect(say({ subject: "a\nBcc: x" })).toEqual(["subject:1:2-1 subject-line-break"]);
    expect(lint({ "emails/email-cancelled/subject.txt": "\n" })).toMatchObject([
      { rule: "empty-subject", file: "emails/email-cancelled/subject.txt" },
    ]);
  });

  it("go together", () => {
    const html =
      '<p>{client name}</p><a href="{contract url}">x</a><a href="https://a.example/">a</a><a href="mailto:b@c.example">b</a>';
    expect(
      say({ content: html, contentPlain: "{client name} {contract url} https://a.example, b@c.example." }),
    ).toEqual([]);
    const found = find({ content: html, contentPlain: "{user name} https://b.example." });
    expect(found.map(({ message, column }) => `${column} ${message}`).sort()).toEqual([
      "1 the HTML body is missing {user name}, which the plain text contains",
      "1 the plain text is missing the link https://a.example/, which the HTML body contains",
      "1 the plain text is missing the link mailto:b@c.example, which the HTML body contains",
      "1 the plain text is missing {client name}, which the HTML body contains",
      "1 the plain text is missing {contract url}, which the HTML body contains",
      "13 the HTML body is missing the link https://b.example, which the plain text contains",
    ]);
  });

  it("are never out of step when the plain text is derived", () => {
    expect(
      lint({ "emails/email-cancelled/body.html": '<h1>{contract title}</h1><a href="https://x.example">x</a>' }),
    ).toEqual([]);
  });

  it("may have the label of a picture, as the derived one has", () => {
    const found = say({
      content: '<img alt="{company name}" src="https://x.example/a.png">',
      contentPlain: "{company name}",
    });
    expect(found.filter((text) => /mismatch/.test(text))).toEqual([]);
  });

  it("say that a plain text was left empty", () => {
    const files = { "emails/email-cancelled/body.html": "<p>x</p>", "emails/email-cancelled/body.txt": "" };
    expect(lint(files)).toMatchObject([{ rule: "missing-plain-text", severity: "warning" }]);
  });
});

describe("rules", () => {
  const picture = "<img src='https://x.example/a.png'>";
  const files = {
    "emails/email-cancelled/body.html": picture,
    "emails/email-rejected/body.html": picture,
    "companies/acme/company.yaml": "name: A",
    "companies/acme/emails/email-cancelled/body.html": picture,
  };
  const found = (off: string, where = "account.yaml") =>
    lint({ ...files, [where]: `lint:\n  off:\n    ${off}` }).map(({ file, rule }) => `${file} ${rule}`);

  it("are switched off everywhere, in a file, or in a directory", () => {
    expect(found("image-alt: true")).toEqual([]);
    expect(found("image-alt: [emails, companies/acme/emails]")).toEqual([]);
    expect(found("image-alt: [emails/email-cancelled/body.html]")).toEqual([
      "companies/acme/emails/email-cancelled/body.html image-alt",
      "emails/email-rejected/body.html image-alt",
    ]);
    expect(found("image-alt: [emails/]")).toEqual(["companies/acme/emails/email-cancelled/body.html image-alt"]);
    expect(found("image-alt: [emails/email-cancelled]", "companies/acme/account.yaml")).toEqual([
      "emails/email-cancelled/body.html image-alt",
      "emails/email-rejected/body.html image-alt",
    ]);
  });

  it.each([
    ["image-al", 'unknown rule "image-al", did you mean "image-alt"?'],
    ["pictures", 'unknown rule "pictures"'],
  ])("that do not exist cannot be switched off: %s", (rule, message) => {
    const [finding, ...others] = lint({ "account.yaml": `lint:\n  off:\n    ${rule}: true` });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ rule: "settings", line: 3, column: 5 });
    expect(finding!.message).toContain(message);
  });

  it("require nothing of an email that does not exist", () => {
    const yaml = { "account.yaml": "lint:\n  requiredVariables:\n    email-sned: [contract url]" };
    const message = 'unknown email template type "email-sned", did you mean "email-send"?';
    expect(lint(yaml)).toMatchObject([{ rule: "settings", line: 3, column: 5, message }]);
    expect(lint(yaml, { allowUnknownValues: true })).toEqual([]);
  });

  it("name themselves once for each kind of thing, and ask for something", () => {
    for (const rule of rules) {
      expect(rule.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(rule.description).toMatch(/\.$/);
    }
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  });

  it("say what is wrong in a partial once, in its own file", () => {
    const all = lint({
      "partials/footer.html": "<p>\n  {clent name}</p>",
      "emails/email-cancelled/body.html": "<p>a</p>${include footer}",
      "emails/email-rejected/body.html": "<p>b</p>${include footer}",
    });
    expect(all).toMatchObject([{ file: "partials/footer.html", line: 2, column: 3, rule: "variable-typo" }]);
  });
});
