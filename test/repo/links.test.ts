/** What the pages point to is there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { groups } from "../../cli/commands/index";

const root = resolve(__dirname, "../..");

const pages = ["", "decisions", "docs", "engine", "examples", "registry"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== "", withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name)),
);

/** The anchors of a page's headings, as GitHub and the site make them. */
function anchorsOf(page: string): string[] {
  const headings = [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map((match) => match[1] as string);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[^\w\s-]/g, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

const order: Record<string, { rows: string[] }> = require("../../tools/room-imports.cjs");
/** Files and folders of this repository, as pages name them: `sdk/errors.ts`, `test/provider`. */
const placeIn = new RegExp(`\`((?:${[...Object.keys(order), "tools", "test"].join("|")})/[\\w./-]+)\``, "g");

it.each(pages.map((page) => relative(root, page)))(
  "%s names files that exist, and links to headings that do",
  (page) => {
    const text = readFileSync(join(root, page), "utf8");
    const links = [...text.replace(/^ *```[\s\S]*?^ *```$/gm, "").matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)];
    const broken = links.filter(([, file = "", anchor]) => {
      const target = file === "" ? join(root, page) : join(root, dirname(page), file);
      if (/^[a-z]+:/.test(file)) return false;
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
    const names = [...text.matchAll(placeIn)].map((match) => match[1] as string);
    const isFound = (name: string) => [root, join(root, dirname(page))].some((from) => existsSync(join(from, name)));
    expect(names.filter((name) => !isFound(name))).toEqual([]);
  },
);

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
