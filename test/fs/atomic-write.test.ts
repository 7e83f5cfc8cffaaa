import callbacks, { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join, relative } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { removeTemporaryFiles, writeDurably } from "../../fs/atomic-write";
import { temporaryFolder } from "../files";

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "state.json");
  writeFileSync(file, "old");
});

it("a file keeps its permissions, and the link that leads to it", async () => {
  const link = join(folder, "link");
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
  for (const name of [...others, "state.json.0123456789ab.tmp"]) writeFileSync(join(folder, name), "");
  await removeTemporaryFiles(file);
  expect(readdirSync(folder).sort()).toEqual(["state.json", ...others].sort());
  await removeTemporaryFiles(join(folder, "no/such/folder/state.json"));
});

/** The names that are flushed and renamed while `work` runs, in order. */
async function flushed(work: () => Promise<void>): Promise<string[]> {
  const order: string[] = [];
  const name = (path: string) => relative(dirname(folder), path).replace(/\.[0-9a-f]{12}\.tmp$/, ".tmp");
  const opened = new Map<number, string>();
  const { open, rename } = fs;
  const { fsync } = callbacks;
  vi.spyOn(fs, "open").mockImplementation(async (path, ...more) => {
    const handle = await open(path, ...more);
    opened.set(handle.fd, String(path));
    return handle;
  });
  vi.spyOn(callbacks, "fsync").mockImplementation((fd, done) =>
    fsync(fd, (error) => {
      order.push(`flush ${name(opened.get(fd)!)}`);
      done(error);
    }),
  );
  vi.spyOn(fs, "rename").mockImplementation(async (from, to) => {
    await rename(from, to);
    order.push(`rename ${name(String(to))}`);
  });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  return order;
}

it.skipIf(process.platform === "win32")(
  "a file survives a power failure: its content is flushed, then its name, and those of new folders",
  async () => {
    const home = relative(dirname(folder), folder);
    expect(await flushed(() => writeDurably(file, "new"))).toEqual([
      `flush ${home}/state.json.tmp`,
      `rename ${home}/state.json`,
      `flush ${home}`,
    ]);
    expect(await flushed(() => writeDurably(join(folder, "a/b/mark.json"), "new"))).toEqual([
      `flush ${home}/a`,
      `flush ${home}`,
      `flush ${home}/a/b/mark.json.tmp`,
      `rename ${home}/a/b/mark.json`,
      `flush ${home}/a/b`,
    ]);
    expect(await flushed(() => writeDurably(file, "newer", { flush: false }))).toEqual([`rename ${home}/state.json`]);
  },
);

it("new folders have the permissions that are asked for", async () => {
  await writeDurably(join(folder, "private/mark.json"), "", { folderMode: 0o700 });
  expect(statSync(join(folder, "private")).mode & 0o777).toBe(0o700);
});
