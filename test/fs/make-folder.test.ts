/** Folders and those above them: made, found, and refused where nothing can be made, at once. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder, makeFolderSync } from "../../fs/make-folder";
import { temporaryFolder } from "../files";

const ways = [
  ["awaited", makeFolder],
  ["at once", async (folder: string, mode?: number) => makeFolderSync(folder, mode)],
] as const;

describe.each(ways)("%s", (_, make) => {
  it("each missing one is made, with its permissions", async () => {
    const folder = join(temporaryFolder(), "a/b/c");
    await make(folder, 0o700);
    for (const one of [folder, join(folder, "..")]) expect(statSync(one).mode & 0o777).toBe(0o700);
    await make(folder);
  });

  it("by many at the same time", async () => {
    const home = temporaryFolder();
    await Promise.all(Array.from({ length: 20 }, (_, at) => make(join(home, "a/b/c/d", String(at % 3)))));
    expect(existsSync(join(home, "a/b/c/d/2"))).toBe(true);
  });

  it("below a file, or in the place of one, it is the system's error", async () => {
    const home = temporaryFolder({ file: "" });
    await expect(make(join(home, "file"))).rejects.toMatchObject({ code: "EEXIST" });
    await expect(make(join(home, "file/a/b"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  // Node's own never ends there.
  it.skipIf(!existsSync("/proc/self/status"))("where a folder is and none can be made, too", async () => {
    for (const folder of ["/proc/esign", "/proc/esign/a/b"])
      await expect(make(folder)).rejects.toMatchObject({ code: "ENOENT", syscall: "mkdir" });
  });
});

it("the topmost one that was made is known: its name has to be flushed", async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, "a"));
  expect(await makeFolder(join(home, "a/b/c"))).toBe(join(home, "a/b"));
  expect(await makeFolder(join(home, "a/b/c"))).toBeUndefined();
  expect(await makeFolder(join(home, "a/d"))).toBe(join(home, "a/d"));
});
