/** The generated parts of the reference are those that the sources give: `npm run docs -- --reference` writes them. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { fill, pages } from "../../tools/reference";
import { schemaFiles } from "../../tools/reference/schema-files";

test.each(pages.map((page) => [basename(page), page]))(
  "docs/reference/%s is not stale (npm run docs -- --reference)",
  async (_, path) => {
    const page = readFileSync(path, "utf8");
    expect(page).toBe(await fill(page));
  },
);

test.each(schemaFiles().map(([path, text]) => ({ name: basename(path), path, text })))(
  "schemas/$name is not stale (npm run docs -- --reference)",
  ({ path, text }) => {
    expect(readFileSync(path, "utf8")).toBe(text);
  },
);
