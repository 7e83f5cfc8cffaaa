/** Content made to take long, of any size: the tests read each of them, `npm run bench growth` measures how the time grows with the size. */
import { loadFolder } from "../../account-folder/folder/load-folder";
import { parseValues } from "../../account-folder/folder/values-file";
import { htmlToText } from "../../account-folder/text/html/to-text";
import { looseText, normalizeText } from "../../definitions/text/normalize";
import { lintFolder } from "../../rules/lint/lint-folder";
import { lintTexts } from "../rules/lint-texts";

const lint = (content: string, contentPlain = "{contract url}") =>
  lintTexts("email-send", { subject: "Sign", content, contentPlain });

export const check = (files: Record<string, string>) => {
  const options = { allowUnknownValues: true };
  return lintFolder(loadFolder("account", { ...options, texts: new Map(Object.entries(files)) }), options);
};

export const numbered = (n: number, text: (i: number) => string, separator = "") =>
  Array.from({ length: n }, (_, i) => text(i)).join(separator);
const links = (n: number) => numbered(n, (i) => `<a href="https://a.example/${i}">x</a>`);
const hooks = (n: number) => numbered(n, (i) => `  w${i}: { type: all, url: "https://a.example/${i}" }\n`);
const keys = (n: number) => numbered(n, (i) => `v${i}: x\n`);
const read = (html: string) => [lint(html), htmlToText(html)];
const table = (cells: string) => htmlToText(`<table>${cells}</table>`);
export const body = (text: string, partials: Record<string, string>) =>
  check({ "emails/email-send/body.txt": text, ...partials });

/** What it is, a size, and the work for a size. */
export const longContents: [string, number, (n: number) => unknown][] = [
  ["comments", 800, (n) => lint("a<!-- {contract url} -->".repeat(n))],
  ["comments without an end", 800, (n) => lint("<!--".repeat(n))],
  ["errors between letters", 800, (n) => lint("a\0".repeat(n))],
  ["one attribute many times", 800, (n) => lint(`<p ${'a="1" '.repeat(n)}>x</p>`)],
  ["tags", 800, (n) => lint("<p>x</p>".repeat(n))],
  [
    "links that the other body lacks",
    1000,
    (n) =>
      lint(
        links(n),
        numbered(n, (i) => `https://b.example/${i}`, " "),
      ),
  ],
  ["variables in both bodies", 800, (n) => lint("{contract url}".repeat(n), "{contract url}".repeat(n))],
  ["a long table, as text", 1500, (n) => table("<tr><th>a</th><td>b</td></tr>".repeat(n))],
  ["a wide table, as text", 2500, (n) => table(`<tr>${"<th>a</th>".repeat(n)}</tr>`)],
  ["cells that span rows, as text", 250, (n) => table(`<tr><th rowspan=${n}>a</th></tr>`.repeat(n))],
  ["a cell that spans columns, as text", 2500, (n) => table(`<tr><th colspan=${n}>a</th></tr>`)],
  ["conditional comments", 800, (n) => read("<!--[if mso]><b>x</b><![endif]-->".repeat(n))],
  ["conditional comments without an end", 800, (n) => read("<![if !mso]>x".repeat(n))],
  ["rules of a style sheet", 800, (n) => read(`<style>${".a{display:none}".repeat(n)}</style>`)],
  ["classes", 800, (n) => read(`<style>.a{color:red}</style><p class="${"a ".repeat(n)}">x</p>`)],
  ["addresses of a set", 800, (n) => read(`<img srcset="${"https://a.example/a 1x, ".repeat(n)}">`)],
  ["braces", 800, (n) => read("{contract ".repeat(n))],
  ["entities", 800, (n) => read("&nbsp;&zwnj;".repeat(n))],
  ["brackets of CSS", 800, (n) => read(`<p style="${"url((".repeat(n)}">x</p>`)],
  ["spaces within a line", 8_000, (n) => normalizeText(`a${" ".repeat(n)}b`)],
  ["comments in a text that was rewritten", 800, (n) => looseText("<!-- a".repeat(n))],
  ["values by their names", 800, (n) => parseValues("values.yaml", keys(n))],
  ["webhooks in account.yaml", 250, (n) => check({ "account.yaml": `webhooks:\n${hooks(n)}` })],
  ["partials side by side", 1000, (n) => body("${include a}".repeat(n), { "partials/a.txt": "x" })],
];
