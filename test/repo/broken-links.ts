/** What a page points to and is not there: links, anchors of headings, and names of files in code. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const withoutBlocks = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```$/gm, "");

/** The anchors of a page's headings, as GitHub and the site make them. */
function anchorsOf(page: string): string[] {
  const headings = [...withoutBlocks(readFileSync(page, "utf8")).matchAll(/^#+ (.+)$/gm)];
  return headings.map((match) =>
    (match[1] as string)
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[^\w\s-]/g, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

/** A link in a text, with a title or without, the definition of one, or one in HTML. */
const linkForms = [/\]\(<?([^)\s>]*)>?(?:\s+"[^"]*")?\)/g, /^ *\[[^\]]+\]: *(\S+)/gm, /\b(?:href|src)="([^"]*)"/g];

/** The links of a page to files that do not exist, and to headings that no page has. Links to other hosts are not followed. */
export function brokenLinks(page: string): string[] {
  const text = withoutBlocks(readFileSync(page, "utf8"));
  const targets = linkForms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] as string));
  return targets.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = "", anchor] = link.split("#", 2);
    const target = file === "" ? page : join(dirname(page), file);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
}

/** The files that a page names in code (`sdk/errors.ts`) and that are neither in the root nor beside the page. `folders`: of the root. */
export function missingFiles(page: string, root: string, folders: readonly string[]): string[] {
  const names = readFileSync(page, "utf8").matchAll(new RegExp(`\`((?:${folders.join("|")})/[\\w./-]+)\``, "g"));
  const isFound = (name: string) => [root, dirname(page)].some((from) => existsSync(join(from, name)));
  return [...names].map((match) => match[1] as string).filter((name) => !isFound(name));
}
