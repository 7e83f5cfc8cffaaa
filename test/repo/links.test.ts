/** What the pages point to is there. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { groups } from "../../cli/commands/index";
import { temporaryFolder } from "../files";
import { brokenLinks, missingFiles } from "./broken-links";

const root = resolve(__dirname, "../..");

const pages = ["", "decisions", "docs", "engine", "examples", "registry", "templates", "test", "tools"].flatMap(
  (folder) =>
    readdirSync(join(root, folder), { recursive: folder !== "", withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && !entry.parentPath.includes("node_modules"))
      .map((entry) => join(entry.parentPath, entry.name)),
);

const order: Record<string, { rows: string[] }> = require("../../tools/room-imports.cjs");
/** Folders of this repository, as pages name them. */
const folders = [...Object.keys(order), "tools", "test"];

it.each(pages.map((page) => relative(root, page)))(
  "%s names files that exist, and links to headings that do",
  (page) => {
    expect(brokenLinks(join(root, page))).toEqual([]);
    expect(missingFiles(join(root, page), root, folders)).toEqual([]);
  },
);

it("finds what is not there, in each form of a link, and nothing else", () => {
  const folder = temporaryFolder({
    "docs/page.md": `# A [first](other.md) page: it's here

## Two  words

[other](other.md) [self](#a-first-page-its-here) [there](other.md#set-up) [titled](other.md "Other")
[away](https://example.com/none.md#nothing) ![picture](pictures/a.png) [folder](../docs) <img src="pictures/a.png">

[gone](gone.md) [no heading](#nowhere) [none there](other.md#nowhere) [in a block](other.md#comment) [gone, titled](gone-titled.md "Gone")
[![lost picture](lost.png)](lost-target.md) <a href="lost.html">lost</a> [bracketed](<lost-brackets.md>)

[definition]: lost-definition.md
[fine]: other.md

\`\`\`md
[not a link](in-a-block.md)
\`\`\`

\`sdk/errors.ts\` \`docs/other.md\` \`sdk/gone.ts\` \`test/\` \`elsewhere/gone.ts\`
`,
    "docs/other.md": "# Other\n\n```sh\n# comment\n```\n\n## `Set`-up\n",
    "docs/pictures/a.png": "",
    "sdk/errors.ts": "",
  });
  const page = join(folder, "docs/page.md");
  expect(brokenLinks(page).sort()).toEqual([
    "#nowhere",
    "gone-titled.md",
    "gone.md",
    "lost-brackets.md",
    "lost-definition.md",
    "lost-target.md",
    "lost.html",
    "lost.png",
    "other.md#comment",
    "other.md#nowhere",
  ]);
  expect(missingFiles(page, folder, ["sdk", "docs", "test"])).toEqual(["sdk/gone.ts"]);
});

it("docs/README.md lists every page", () => {
  const index = readFileSync(join(root, "docs/README.md"), "utf8");
  const missing = pages.map((page) => relative(join(root, "docs"), page)).filter((page) => !page.startsWith(".."));
  expect(missing.filter((page) => page !== "README.md" && !index.includes(`(${page})`))).toEqual([]);
});

it("ARCHITECTURE.md has the number of rooms, and the order of each room's folders", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const sections = text.split("\n### ").slice(1);
  const written = sections.map((section) => [/^`(.*)`/.exec(section)?.[1], /^Order: (.*)$/m.exec(section)?.[1]]);
  const numbers = ["twelve", "thirteen", "fourteen", "fifteen", "sixteen"];
  expect(text).toContain(`one npm package of ${numbers[Object.keys(order).length - 12]} rooms`);
  const inWords = (row: string) => row.replace(/[^|]+/g, "`$&`").replaceAll("|", " ");
  expect(Object.fromEntries(written)).toEqual(
    Object.fromEntries(Object.entries(order).map(([room, { rows }]) => [room, rows.map(inWords).join(" → ")])),
  );
});

it("every decision is in the index, and has a status and a date", () => {
  const status = /^# .+\n\nStatus: \w+, \d{4}-\d\d-\d\d/;
  for (const [folder, page, prefix] of [
    ["decisions", "decisions/README.md", ""],
    ["engine/decisions", "engine/README.md", "decisions/"],
  ] as const) {
    const index = readFileSync(join(root, page), "utf8");
    const names = readdirSync(join(root, folder)).filter((name) => name !== "README.md");
    expect(names.filter((name) => !index.includes(`(${prefix}${name})`))).toEqual([]);
    const withoutStatus = names.filter((name) => !status.test(readFileSync(join(root, folder, name), "utf8")));
    expect(withoutStatus).toEqual([]);
  }
});

it("the README names only commands that exist", () => {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const commandNames = [...groups.flatMap(({ commands }) => Object.keys(commands)), "help", "<area>"];
  const named = [...text.matchAll(/(?:`|npx pulumi-|^ {4})esign ([a-z<][\w>-]*)/gm)].map((match) => match[1] as string);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !commandNames.includes(name))).toEqual([]);
});

it("the oldest Node that pages and scripts name is that of the package", () => {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const scripts = ["", ".cmd"].map((ending) => join(root, `plugin/bin/pulumi-resource-esign${ending}`));
  const named = [...pages, ...scripts].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/Node ([\d.]+\d) or newer/g)].map(([, version]) => [file, `>=${version}`]),
  );
  expect(named.filter(([, version]) => version !== engines.node)).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});
