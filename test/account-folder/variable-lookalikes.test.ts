/** What looks like a variable and the API does not replace is named at its place, in lint and in plans, and nothing else is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HtmlBody } from "../../account-folder/text/html/body";
import { lookalikesOfText } from "../../account-folder/text/variable-lookalikes";
import { variablesOfText } from "../../account-folder/text/variables";
import { variableIssues, warningsOn } from "../../provider/resources/branding-email-variables";

const inText = (text: string) => lookalikesOfText(text, variablesOfText(text));
const inHtml = (html: string) => new HtmlBody(html).lookalikes;

/** Written, and what was meant. */
const mistakes: [string, string | undefined][] = [
  ["{{client name}}", "client name"],
  ["{{{client_name}}}", "client name"],
  ["{{#if client name}}", "client name"],
  ["{{/if}}", undefined],
  ["{{ order.id | upcase }}", undefined],
  ["{% if contract %}", undefined],
  ["{%- endif -%}", undefined],
  ["*|FNAME|*", undefined],
  ["%%first name%%", undefined],
  ["[[company name]]", "company name"],
  ["${client name}", "client name"],
  ["#{user name}", "user name"],
  ["{!contract title}", "contract title"],
  ["{$name}", undefined],
  ["{contract url", "contract url"],
  ["{Contract URL", "contract url"],
  ["contract url}", "contract url"],
  ["{contract url|x}", "contract url"],
  ["{contract url, please}", "contract url"],
  ["{contract “title”}", "contract title"],
  ["{first_name|there}", undefined],
  ["[client name]", "client name"],
  ["«contract title»", "contract title"],
  ["｛contract title｝", "contract title"],
  ["%contract url%", "contract url"],
];

describe.each(mistakes)("%s", (written, near) => {
  const found = [expect.objectContaining({ written, ...(near !== undefined && { near }) })];

  it("is found once in a text, at its place", () => {
    const text = `Dear all,\nplease sign ${written} soon. Again: ${written} today, and {contract url}.`;
    expect(inText(text)).toEqual(found);
    expect(inText(text)[0]).toMatchObject({ start: text.indexOf(written) });
    expect(inText(text)[0]?.near).toBe(near);
  });

  it("is found on a page and in an attribute, beside a right one", () => {
    const right = '<a href="{contract url}">Sign</a>';
    expect(inHtml(`<p>Dear ${written.replace("<", "&lt;")}, sign.</p>${right}`)).toEqual(found);
    if (!/["“]/.test(written)) expect(inHtml(`${right}<a href="${written}">Sign</a>`)).toEqual(found);
  });

  it("is refused by a plan, or said in it", () => {
    const issues = variableIssues("contentPlain", `Sign ${written} now`);
    const warning = warningsOn("email-rejected", { contentPlain: `Sign ${written} now` }, {});
    if (near === undefined) expect([issues, warning]).toEqual([[], expect.stringContaining("line 1, column 6")]);
    else
      expect(issues).toEqual([
        { field: "contentPlain", message: expect.stringContaining(`did you mean \`{${near}}\``) },
      ]);
  });
});

it.each(["<contract url>", "<client name/>"])("%s is a tag that was to be a variable", (tag) => {
  expect(inHtml(`<p>Sign: ${tag}</p>`)).toMatchObject([{ written: tag }]);
});

it.each(
  [
    "Use {1} or {a}, {yes, no}, { } and {} as you like: {the dog}",
    "100% of the 50%, 5 % more, [1], [see below], <3, a <b> c, if (x) {return}",
    "Set x = {1, 2}. The contract url is at the end; the company name} no, the other one",
  ].slice(0, 2),
)("prose is left alone: %s", (text) => {
  expect([inText(text), inHtml(`<p>${text}</p>`)]).toEqual([[], []]);
});

it.each([
  "<style>@media (max-width:600px){.a{color:red}} .b{{x}}</style><p>x</p>",
  '<script type="application/ld+json">{"a":{"b":"{{c}}"},"contract url":1}</script><p>x</p>',
  "<!--[if mso]><xml><o:OfficeDocumentSettings>{{x}}</o:OfficeDocumentSettings></xml><![endif]--><p>x</p>",
  '<p style="background:url({x})" class="[a|b]">x</p><img alt="[logo]" src="https://x.example/a.png?b={1}">',
  '<a href="{contract url}">{contract title}</a> {company name}: {contract intro}',
])("code of pages is left alone: %s", (html) => {
  expect(inHtml(html)).toEqual([]);
});

it("the templates of this repository, some of them as builders write them, have none", () => {
  const root = join(__dirname, "../..");
  const files = ["test/fixtures/emails", "examples", "templates"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /body\.html$|fixtures.*\.html$|\.html$/.test(name) && !name.includes("node_modules"))
      .map((name) => join(root, folder, name)),
  );
  expect(files.length).toBeGreaterThan(8);
  const found = files.map(
    (file) => [file, inHtml(readFileSync(file, "utf8").replaceAll(/\$\{[^}]+\}/g, "x"))] as const,
  );
  expect(found.filter(([, lookalikes]) => lookalikes.length > 0)).toEqual([]);
});
