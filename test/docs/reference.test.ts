/** The generated parts of the reference are those that the sources give: `npm run docs -- --reference` writes them. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { fill, pages } from "../../scripts/reference";

test.each(pages.map((page) => [basename(page), page]))(
  "docs/reference/%s is not stale (npm run docs -- --reference)",
  async (_, path) => {
    const page = readFileSync(path, "utf8");
    expect(page).toBe(await fill(page));
  },
);

test("a part that is stale or unknown is noticed", async () => {
  const stale = "<!-- generated: args Contact -->\n\n| argument |\n\n<!-- end -->\nrest";
  expect(await fill(stale)).toContain("| `email` | string | Email address of the contact.");
  expect(await fill(stale)).toMatch(/<!-- end -->\nrest$/);
  await expect(fill("<!-- generated: nothing -->\n<!-- end -->")).rejects.toThrow("nothing");
});
