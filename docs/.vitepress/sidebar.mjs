/** The navigation, from the folders: each page with its heading, in the order of docs/README.md; new ones follow by name. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const parts = { tutorials: "Tutorials", "how-to": "How-to", reference: "Reference", explanation: "Explanation" };

/** @param {string} docs */
export function sidebar(docs) {
  const index = readFileSync(join(docs, "README.md"), "utf8");
  const place = (page) => {
    const at = index.indexOf(`(${page})`);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  return Object.entries(parts).map(([folder, text]) => ({
    text,
    collapsed: false,
    items: readdirSync(join(docs, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`)
      .sort((one, other) => (place(one) === place(other) ? one.localeCompare(other) : place(one) - place(other)))
      .map((page) => ({ text: titleOf(join(docs, page)), link: `/${page.replace(/\.md$/, "")}` })),
  }));
}

const titleOf = (path) => /^# (.+)$/m.exec(readFileSync(path, "utf8"))?.[1].replaceAll("`", "") ?? path;
