/** The generated parts of the reference are those that the sources give: `npm run docs -- --reference` writes them. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { fill, pages } from "../../tools/reference";
import { providerSchema, schemaPath } from "../../tools/reference/provider-schema";

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
