import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { removeTemporaryFiles, writeDurably } from "../../fs/atomic-write";
import { temporaryFolder } from "../cli/esign";

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, "state.json");
  writeFileSync(file, "old");
});
afterEach(() => folder.remove());

it("a file keeps its permissions, and the link that leads to it", async () => {
  const link = join(folder.path, "link");
  chmodSync(file, 0o640);
  symlinkSync(file, link);
  await writeDurably(link, "new");
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o640);
  await writeDurably(file, "private", { mode: 0o600 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("what killed processes left beside a file is removed, and nothing else", async () => {
  const others = ["state.json.bak", "state.json.lock", "state.json.2024.tmp", "other.json.0123456789ab.tmp"];
  for (const name of [...others, "state.json.0123456789ab.tmp"]) writeFileSync(join(folder.path, name), "");
  await removeTemporaryFiles(file);
  expect(readdirSync(folder.path).sort()).toEqual(["state.json", ...others].sort());
  await removeTemporaryFiles(join(folder.path, "no/such/folder/state.json"));
});
