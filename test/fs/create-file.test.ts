import fs, { readdirSync, readFileSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { createFile } from "../../fs/create-file";
import { temporaryFolder } from "../files";

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it.each([undefined, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])(
  "the first of two creates it, with its content and permissions, and leaves nothing else: links fail with %s",
  (code) => {
    if (code !== undefined)
      vi.spyOn(fs, "linkSync").mockImplementation(() => {
        throw Object.assign(new Error(code), { code });
      });
    syncBuiltinESMExports();
    const folder = temporaryFolder();
    const path = join(folder, "key");
    expect([createFile(path, "first", { mode: 0o600, flush: true }), createFile(path, "second")]).toEqual([
      true,
      false,
    ]);
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["first", 0o600]);
    expect(readdirSync(folder)).toEqual(["key"]);
  },
);

it("another error is thrown, and leaves nothing", () => {
  vi.spyOn(fs, "linkSync").mockImplementation(() => {
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  syncBuiltinESMExports();
  const folder = temporaryFolder();
  expect(() => createFile(join(folder, "key"), "text")).toThrow("no space");
  expect(readdirSync(folder)).toEqual([]);
});
