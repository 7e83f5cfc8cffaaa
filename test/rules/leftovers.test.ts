/** Texts that are wrong in a way that only their readers see: what a program, a form or another encoding has left in them. */
import { expect, it, test } from "vitest";
import { loadFolder } from "../../account-folder/folder/load-folder";
import { htmlToText } from "../../account-folder/text/html/to-text";
import type { EmailText } from "../../definitions/branding-email";
import { MOST_FINDINGS } from "../../rules/lint/limit-findings";
import { lintAccount } from "../../rules/lint/lint-folder";
import { formatFindings } from "../../rules/lint/reporters";
import { save, temporaryFolder } from "../files";
import { lintTexts } from "./lint-texts";

const mine = [
  ...["html-in-text", "encoded-subject", "mojibake", "control-character", "nested-document"],
  ...["dead-link", "empty-link", "logo-address"],
];
const found = (texts: EmailText) =>
  lintTexts("email-rejected", texts)
    .filter(({ rule }) => mine.includes(rule))
    .map(({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`);

test.each<[EmailText, string]>([
  [{ subject: "Terms &amp; conditions" }, "subject:1:7 html-in-text"],
  [{ subject: "Sign<br>{contract title}" }, "subject:1:5 html-in-text"],
  [{ contentPlain: "Dear all,\nread&nbsp;it" }, "contentPlain:2:5 html-in-text"],
  [{ subject: "=?UTF-8?B?SGVsbG8=?=" }, "subject:1:1 encoded-subject"],
  [{ subject: "=?iso-8859-1?Q?Caf=E9?= now" }, "subject:1:1 encoded-subject"],
  [{ subject: "CafÃ© unterschreiben" }, "subject:1:4 mojibake"],
  [{ contentPlain: "itâ€™s here" }, "contentPlain:1:3 mojibake"],
  [{ content: "<p>5\ufffd</p>" }, "content:1:5 mojibake"],
  [{ contentPlain: "a\u0000b" }, "contentPlain:1:2 control-character"],
  [{ content: "<p>a\u0085b</p>" }, "content:1:5 control-character"],
  [{ content: "<html><body><p>x</p><html><body>y</body></html></body></html>" }, "content:1:21 nested-document"],
  [{ content: '<a href="https://https://x.example">x</a>' }, "content:1:10 dead-link"],
  [{ content: '<a href="htps://x.example">x</a>' }, "content:1:10 dead-link"],
  [{ content: '<a href="https:x.example">x</a>' }, "content:1:10 dead-link"],
  [{ content: '<img alt="" src="file:///C:/logo.png">' }, "content:1:18 dead-link"],
  [{ content: '<a href="https://localhost:3000/a">x</a>' }, "content:1:10 dead-link"],
  [{ contentPlain: "See https://192.168.1.5/a" }, "contentPlain:1:5 dead-link"],
  [{ content: '<a href="#">x</a>' }, "content:1:10 empty-link"],
  [{ content: '<img alt="Logo">' }, "content:1:1 empty-link"],
  [{ content: '<img alt="" src="cid:logo">' }, "content:1:18 empty-link"],
])("%j", (texts, expected) => {
  expect(found(texts)).toEqual([expected]);
});

test.each<EmailText>([
  { subject: "R&D & more: 3 < 5 > 2, a&b; AT&T; Straße, São Paulo, ÂME, Ça va — “yes”" },
  { contentPlain: "Dear {client name},\n\n<https://x.example/?a=1&b=2> or <mail@x.example>\t\u200fمرحبا" },
  { content: '<p>NÃO</p><a href="https://x.example/#a">x</a><a name="x"></a><a href="mailto:a@x.example">m</a>' },
  {
    content:
      '<a href="tel:+441">x</a><a href="{contract url}">y</a><img alt="" src="https://x.example/?u=http://y.example">',
  },
  { content: "<!--[if mso]><html><body><![endif]--><p>x</p>" },
])("nothing is wrong with %j", (texts) => {
  expect(found(texts)).toEqual([]);
});

test.each([
  ["http://cdn.example/logo.png", 1],
  ["https://b.s3.example/logo.png?X-Amz-Signature=0a&X-Amz-Expires=60", 1],
  ["https://b.blob.example/logo.png?se=2026-01-01&sig=x", 1],
  ["https://localhost/logo.png", 1],
  ["https://cdn.example/logo.png?v=3", 0],
])("the logo at %s", (logoUrl, count) => {
  const folder = temporaryFolder();
  save(folder, { "account.yaml": `branding:\n  logoUrl: ${logoUrl}\n` });
  const findings = lintAccount(loadFolder(folder, {}).account).filter(({ rule }) => rule === "logo-address");
  expect(findings.map(({ line }) => line)).toEqual(Array(count).fill(2));
});

it("what one rule finds in a file is listed up to a limit, and counted beyond it", () => {
  const count = 2000;
  const findings = lintTexts("email-rejected", { content: `<p>x</p>${"<".repeat(count)}` });
  const broken = findings.filter(({ rule }) => rule === "broken-html");
  expect(broken).toHaveLength(MOST_FINDINGS + 1);
  expect(broken.at(-1)!.message).toMatch(/^\d+ more of this rule in this file, from here on$/);
  expect(Number.parseInt(broken.at(-1)!.message, 10)).toBeGreaterThan(count - 2 * MOST_FINDINGS);
  expect(formatFindings({ root: "x", findings, sources: new Map() }).length).toBeLessThan(50_000);
});

it("a derived plain text keeps the ends of words, and the breaks around details", () => {
  expect(htmlToText("<p>ភាសា\u200bខ្មែរ</p><p>\u200b a\u200b\u200b b \u200b</p>")).toBe("ភាសា\u200bខ្មែរ\n\na b");
  expect(htmlToText("<p>a</p><details><summary>More</summary>text</details>b")).toBe("a\n\nMore\ntext\nb");
});
