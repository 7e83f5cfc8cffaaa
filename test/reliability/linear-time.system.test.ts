/**
 * Time is linear in what a stranger sends: a service's response, a notification, a template, a fork's files. Each public entry reads each
 * shape at two sizes; the larger one may take no more than its share, with room for chance.
 */
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { compare } from "../../account-folder/diff/compare";
import { formatComparison } from "../../account-folder/diff/format-diff";
import { renderPage } from "../../account-folder/email-page/page";
import { loadFolder } from "../../account-folder/folder/load-folder";
import { htmlToText } from "../../account-folder/text/html/to-text";
import { lookalikesOfText } from "../../account-folder/text/variable-lookalikes";
import { variablesOfText } from "../../account-folder/text/variables";
import { looseText, normalizeName, normalizeText, normalizeUrl } from "../../definitions/text/normalize";
import { SecretFilter } from "../../engine/secrets/secret-filter";
import { variableIssues, warningsOn } from "../../provider/resources/branding-email-variables";
import { receive, sign } from "../../receiver";
import { redactUrl } from "../../redaction/url-credentials";
import { textsWithoutFiles } from "../../rules/email-texts";
import { lintFolder } from "../../rules/lint/lint-folder";
import { rules } from "../../rules/registry";
import { requiredVariables } from "../../rules/required-variables";
import { checkSubject, type Subject } from "../../rules/rule";
import { withDefaults } from "../../rules/rule-configuration";
import { api } from "../../sdk/api";
import { validateApiKey, validateBaseUrl } from "../../sdk/auth/validate-key-and-url";
import { errorMessage } from "../../sdk/http/error-message";
import { parseResponse } from "../../sdk/http/parse-response";
import { Redactor } from "../../sdk/http/redact";
import { closeMatch } from "../../sdk/text/did-you-mean";
import { collapseWhitespace } from "../../sdk/text/one-line";
import { accountOf } from "../account-folder/sections";
import { spread, times } from "../chance";
import { lintTexts } from "../rules/lint-texts";

/** Nightly twice as long, which finds a square of half the cost. */
const small = times > 1 ? 4_000 : 2_000;
const factor = 8;
/** Three times the time of as many characters in short texts, and what a machine that does other things needs: a square takes eight times. */
const allowed = (inParts: number) => 3 * inParts + 100 * (small / 4_000) ** 2;

const repeated =
  (begin: string, part: string, end = "") =>
  (size: number) =>
    begin + part.repeat(Math.ceil(size / part.length)) + end;

const shapes: [string, (size: number) => string][] = [
  ...[
    "a",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\u200b",
    "\u00a0",
    "\u00e4",
    "<",
    ">",
    "{",
    "}",
    "{{",
    "{%",
    "[[",
    "&",
    "&#x0",
    "&#0",
    "%",
    "%25",
  ],
  ...[
    "%7b",
    "\\",
    "\\u005c",
    "\\\\n",
    '"',
    "'",
    "?",
    "?token",
    "&key=",
    "=",
    "=\n",
    "/",
    "//",
    "-",
    "_",
    ".",
    ":",
    ";",
    "(",
    "@",
    "#",
    "$",
  ],
  ...[
    "<a",
    "<a ",
    "</",
    "</a>",
    "<!--",
    "<![if",
    "<!--[if mso]>",
    "<style>",
    "<p a=",
    "<b>",
    "a=b&",
    "a[b]=",
    "{contract",
    "{contract url",
  ],
  ...[
    "contract url",
    "contract ",
    "url(",
    "@import ",
    "/*",
    "https://",
    "http://a",
    "https://a.example/?a=",
    "=?a?b?",
    "Ã",
    "*|",
    "%%a",
    "0",
    "e-",
  ],
  ...["[", "[1,", '{"a":', "\u0000", "a\u0000", "\ud800", "&nbsp;", "&zwnj; ", "|", "{a|", "color:", "!important"],
].map((part): [string, (size: number) => string] => [part, repeated("", part)]);
const mixed: typeof shapes = [
  ['"+ and line ends', repeated('"+', "\n")],
  ['"+ again and again', repeated("", '"\n+ ')],
  ["a quote and spaces", repeated('"', " ", "x")],
  ["a brace and words", repeated("{", "a ", "x")],
  ["a name and spaces", repeated("{contract", " ", "x")],
  ["a name and line ends", repeated("{contract url", "\n", "x")],
  ["an address and spaces", repeated('<a href="', " ", "x")],
  ["a style and spaces", repeated('<p style="color', " ", ":red")],
  ["a style and brackets", repeated('<p style="', "url(", '">')],
  ["a class and words", repeated('<style>.a{color:red}</style><p class="', "a ", '">x</p>')],
  ["a tag and spaces", repeated("<p", " ", ">")],
  ["an entity and zeros", repeated("&#x", "0", ";")],
  ["a set of pictures", repeated('<img srcset="', "a 1x, ", '">')],
  ["spaces and a letter", repeated("x", " ", "x")],
  ["a letter and marks below and above it", repeated("e", "\u0301\u0316")],
  ["a style sheet of selectors", repeated("<style>", ".a,", "{}</style>")],
  ["a query", repeated("https://a.example/?", "a", "")],
  ["a comment with dashes", repeated("<!--", "-", "")],
];

const secret = "sk_live_0123456789abcdef";
const redactor = new Redactor();
redactor.add(secret);
const filter = new SecretFilter();
filter.addText(secret);
const quiet = (work: () => unknown) => {
  try {
    work();
  } catch {
    // A refusal is an answer.
  }
};
const list = api.webhooks.list;
const context = { operation: "webhooks.list", method: list.method, path: list.path };
const notify = (body: string) => {
  const raw = Buffer.from(body);
  const headers = { signature: sign(raw, "secret"), "content-type": "application/json" };
  receive(headers, raw, { secrets: false });
  receive({ ...headers, "content-type": "application/x-www-form-urlencoded" }, raw, { secrets: false });
};
const source = (text: string, isAuthoritative: boolean) => ({
  label: "x",
  isAuthoritative,
  model: accountOf({
    emails: { "email-send": { content: text, contentPlain: text, subject: text } },
    webhooks: [{ type: "all", url: text, name: text }],
  }),
});

/** Each reads a text that is not ours. */
const entries: Record<string, (text: string) => unknown> = {
  "redaction: a message of the service": (text) => redactor.redact(text),
  "redaction: all output of the engine": (text) => filter.redact(text),
  "redaction: URLs": redactUrl,
  "client: a response": (text) => {
    for (const body of [text, JSON.stringify({ http: 200, webhooks: [], note: text }), `{"http":400,"message":${text}`])
      parseResponse(
        list,
        context,
        { status: 200, headers: { location: text, "retry-after": text }, text: body },
        redactor,
      );
  },
  "client: an error's message": (text) =>
    errorMessage({ message: text, errors: [text, { field: text, message: text }] }),
  "client: whitespace": collapseWhitespace,
  "client: a key and an address": (text) => [validateApiKey(text), validateBaseUrl(`https://a.example/${text}`)],
  "client: the near name": (text) => closeMatch(text.slice(0, 1000), ["contract url"]),
  "receiver: a notification": notify,
  "receiver: a form": (text) => notify(`action=signed&${text}`),
  "receiver: JSON": (text) => notify(JSON.stringify({ action: "signed", action_date: text, envelope_title: text })),
  "folder: variables": variablesOfText,
  "folder: what looks like a variable": (text) => lookalikesOfText(text, variablesOfText(text)),
  "folder: HTML as a text": htmlToText,
  "folder: lint of a template": (text) => lintTexts("email-send", { subject: text, content: text, contentPlain: text }),
  "folder: files": (text) =>
    lintFolder(
      loadFolder("account", {
        texts: new Map([
          ["account.yaml", text],
          ["emails/email-send/body.txt", text],
        ]),
      }),
    ),
  "folder: what is the same": (text) => [normalizeText(text), looseText(text), normalizeName(text), normalizeUrl(text)],
  "folder: a comparison": (text) => formatComparison(compare(source(text, true), source(`${text} `, false))),
  "folder: a preview": (text) =>
    renderPage({
      shown: { label: "x", model: source(text, true).model },
      before: { label: "y", model: source(`${text}<`, true).model },
    }),
  "rules: of a resource": (text) =>
    rules.map((rule) => {
      const args = { type: "email-send", subject: text, content: text, contentPlain: text, url: text, value: text };
      const texts = textsWithoutFiles(args.type, args, { required: requiredVariables(args.type) });
      const { config } = withDefaults(rule, { except: [`${text.slice(0, 100)}*`] });
      return rule.kinds.map((kind) => [...checkSubject(rule, { kind, name: text, args, texts } as Subject, config)]);
    }),
  "provider: variables in a plan": (text) => [
    variableIssues("content", text),
    warningsOn("email-send", { content: text, contentPlain: text }, { content: "x" }),
  ],
};

const milliseconds = (work: () => unknown): number => {
  const start = process.cpuUsage();
  quiet(work);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

/** Whether a text takes more than its share. */
async function isSlow(entry: (text: string) => unknown, shape: (size: number) => string): Promise<boolean> {
  const [short, long] = [shape(small), shape(factor * small)];
  /** As many characters in short texts, of which so many are read. */
  const takesInParts = (parts: number) =>
    (factor / parts) *
    milliseconds(() => {
      for (let part = 0; part < parts; part++) quiet(() => entry(`${short}${" ".repeat(part)}`));
    });
  let whole = milliseconds(() => entry(long));
  // What is allowed whatever the parts take needs no comparison.
  let inParts = whole <= allowed(0) ? 0 : takesInParts(2);
  // What other threads of the process do meanwhile (collect garbage, compile) counts, too: it ends after some time, a square takes it each time.
  for (let again = 1; again <= 6 && whole > allowed(inParts); again++) {
    await setTimeout(100 * again);
    whole = milliseconds(() => entry(`${long}${" ".repeat(again)}`));
    inParts = takesInParts(factor);
  }
  return whole > allowed(inParts);
}

it.each(Object.entries(entries))("%s", async (_, entry) => {
  const slow: string[] = [];
  for (const [name, shape] of spread([...shapes, ...mixed], 50)) if (await isSlow(entry, shape)) slow.push(name);
  expect(slow).toEqual([]);
});
