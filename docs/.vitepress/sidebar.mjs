/** The navigation, from the folders: each page with its heading, in the order of docs/README.md; new ones follow by name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const parts = { tutorials: "Tutorials", "how-to": "How-to", reference: "Reference", explanation: "Explanation" };

/** @param {string} docs */
export function sidebar(docs) {
  const index = readFileSync(join(docs, "README.md"), "utf8");
  const place = (page) => {
    const at = index.indexOf(`(${page})`);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  /** A folder with the name of a page has those that belong to it. */
  const pagesIn = (folder) =>
    readdirSync(join(docs, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`)
      .sort((one, other) => (place(one) === place(other) ? one.localeCompare(other) : place(one) - place(other)))
      .map((page) => {
        const path = page.replace(/\.md$/, "");
        const own = existsSync(join(docs, path)) && { collapsed: true, items: pagesIn(path) };
        return { text: titleOf(join(docs, page)), link: `/${path}`, ...own };
      });
  return Object.entries(parts).map(([folder, text]) => ({
    text,
    collapsed: false,
    items: pagesIn(folder),
  }));
}

const titleOf = (path) => /^# (.+)$/m.exec(readFileSync(path, "utf8"))?.[1].replaceAll("`", "") ?? path;
