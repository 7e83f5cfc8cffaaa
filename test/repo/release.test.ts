/** What a release needs, and states of released versions. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error a script without types
import { missingFor } from "../../scripts/release/check.mjs";

const changelog =
  "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- One\n\n## [0.1.0] - 2026-11-01\n";
const ready = { tag: "v0.2.0", version: "0.2.0", changelog, hasFixture: true };

test("a version with its tag, its section of the changelog and its fixture may be published", () => {
  expect(missingFor(ready)).toEqual([]);
});

test.each([
  [{ tag: "v0.2.1" }, "the tag is v0.2.1, and package.json has version 0.2.0"],
  [{ version: "0.3.0", tag: "v0.3.0" }, "CHANGELOG.md has no section [0.3.0]"],
  [{ changelog: changelog.replace("2026-12-01", "not released yet") }, "needs the date of the release"],
  [{ changelog: changelog.replace("- One", "") }, "the section of 0.2.0 is empty"],
  [{ changelog: changelog.replace("## [0.2.0]", "- More\n\n## [0.2.0]") }, "has entries under [Unreleased]"],
  [{ hasFixture: false }, "test/fixtures/state-0.2.0 is missing"],
])("%j is refused", (change, message) => {
  expect(missingFor({ ...ready, ...change })).toEqual([expect.stringContaining(message)]);
});

test("the changelog keeps the form of Keep a Changelog", () => {
  const headings = readFileSync("CHANGELOG.md", "utf8").match(/^##+ .*/gm)!;
  expect(headings[0]).toBe("## [Unreleased]");
  for (const heading of headings)
    expect(heading).toMatch(
      /^(## \[Unreleased\]|## \[\d+\.\d+\.\d+\] - (\d{4}-\d\d-\d\d|not released yet)|### (Added|Changed|Deprecated|Removed|Fixed|Security))$/,
    );
});
