/** What a release refuses; what it publishes: release-files.nightly.test.ts. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../cli/esign";
import { temporaryFolder } from "../files";

const release = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, "tools/release/build.mjs"), ...args], { encoding: "utf8" });

test("is refused before anything is written: with a tag of another version, without a folder, or into a folder with files", () => {
  const out = temporaryFolder();
  expect(release(out, "v9.9.9")).toMatchObject({ status: 1, stderr: expect.stringContaining("the tag is v9.9.9") });
  expect(readdirSync(out)).toEqual([]);
  expect(release()).toMatchObject({ status: 2, stderr: expect.stringContaining("Name a folder") });
  const used = temporaryFolder({ "of-another-release": "" });
  expect(release(used)).toMatchObject({ status: 2, stderr: expect.stringContaining("is not empty") });
});
