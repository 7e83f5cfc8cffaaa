/** The generated parts of the reference are those that the sources give: `npm run docs -- --reference` writes them. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { fill, pages } from "../../scripts/reference";
import { providerSchema, schemaPath } from "../../scripts/reference/provider-schema";

test.each(pages.map((page) => [basename(page), page]))(
  "docs/reference/%s is not stale (npm run docs -- --reference)",
  async (_, path) => {
    const page = readFileSync(path, "utf8");
    expect(page).toBe(await fill(page));
  },
);

test("schemas/provider.json is not stale (npm run docs -- --reference)", () => {
  expect(readFileSync(schemaPath, "utf8")).toBe(providerSchema());
});

test("a part that is stale or unknown is noticed", async () => {
  const stale = "<!-- generated: args Contact -->\n\n| argument |\n\n<!-- end -->\nrest";
  expect(await fill(stale)).toContain("| `email` | string | Email address of the contact.");
  expect(await fill(stale)).toMatch(/<!-- end -->\nrest$/);
  await expect(fill("<!-- generated: nothing -->\n<!-- end -->")).rejects.toThrow("nothing");
});
