/** Files beside the state that a power failure, a full disk or a killed CLI has spoilt: none blocks more than itself, and each is named. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../test/files";
import { FileBackend } from "../backend/file-backend";

let backend: FileBackend;
beforeEach(() => {
  backend = new FileBackend(`file://${temporaryFolder()}`, "shop");
});
const put = (path: string, text: string) => {
  const file = join(backend.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const entry = (message: string) => ({ kind: "update", message, startTime: 1, endTime: 2 });
const messages = async () => (await backend.history("dev")).map(({ version, message }) => [version, message]);
const meta = "version: 1\n";
const truncated = (text: string) => Array.from(text, (_, length) => text.slice(0, length)).slice(1);
const emptied = ["", "\0".repeat(11), "\n"];

describe("the version of the layout", () => {
  it.each(emptied)(
    "is the current one where the file is emptied, and is written with the next stack: %j",
    async (text) => {
      put("meta.yaml", text);
      await backend.open();
      await backend.create("dev", undefined);
      expect(readFileSync(join(backend.folder, "meta.yaml"), "utf8")).toBe(meta);
      await backend.open();
    },
  );

  it("of stacks without projects is refused, also where the file is emptied", async () => {
    put("stacks/dev.json", "{}");
    put("meta.yaml", "");
    await expect(backend.open()).rejects.toThrow(/old versions of the CLI/);
  });

  it.each([...truncated(meta).slice(0, -2), "null", "[]", "{"])("is not known, with what to do: %j", async (text) => {
    const file = put("meta.yaml", text);
    await expect(backend.open()).rejects.toThrow(`${file} is damaged: it does not say the version`);
  });

  it("of another one is named", async () => {
    put("meta.yaml", "version: 2\n");
    await expect(backend.open()).rejects.toThrow("layout version 2");
  });
});

describe("the history", () => {
  const named = (n: number) => `history/shop/dev/dev-100000000000000000${n}`;
  const second = `${named(2)}.history.json`;
  beforeEach(() => {
    for (const n of [1, 2, 3]) put(`${named(n)}.history.json`, JSON.stringify(entry(`${n}`)));
  });

  it.each(emptied)("has the other entries, under their numbers, where one is emptied: %j", async (text) => {
    put(second, text);
    expect(await messages()).toEqual([
      [3, "3"],
      [1, "1"],
    ]);
  });

  it.each([...truncated(JSON.stringify(entry("2"))).filter((_, at) => at % 9 === 0), "null", "[]", "7", "{}"])(
    "names the file that is damaged: %j",
    async (text) => {
      const file = put(second, text);
      await expect(messages()).rejects.toThrow(
        new RegExp(
          `^${file} is damaged: it (is not JSON|has no object|does not say what).*Restore it from a backup, or remove it`,
        ),
      );
    },
  );

  it("has a state that is damaged under its file's name, and none that is emptied", async () => {
    const file = put(`${named(2)}.checkpoint.json`, '{"version":3,"check');
    await expect(backend.historyState("dev", 2)).rejects.toThrow(`${file} is damaged: it is not JSON`);
    put(`${named(2)}.checkpoint.json`, "\0\0");
    expect(await backend.historyState("dev", 2)).toBeUndefined();
  });

  it("is in the order of the runs, also where the clock was set back between two, or another machine's is ahead", async () => {
    const now = vi.spyOn(Date, "now");
    const start = Date.now();
    try {
      for (const [message, hours] of Object.entries({ a: 5, b: 0, c: -100, d: 1 })) {
        now.mockReturnValue(start + hours * 3_600_000);
        // As another process.
        vi.resetModules();
        const { FileBackend: Other } = await import("../backend/file-backend.js");
        await new Other(`file://${dirname(backend.folder)}`, "shop").addHistory("dev", entry(message));
      }
    } finally {
      now.mockRestore();
    }
    expect((await messages()).map(([, message]) => message)).toEqual(["d", "c", "b", "a", "3", "2", "1"]);
  });
});

it("tags that are damaged are named, and those that are emptied are none", async () => {
  const file = put("stacks/shop/dev.pulumi-tags", '{"version":1,"tags":{"a"');
  await expect(backend.tags("dev")).rejects.toThrow(`${file} is damaged: it is not JSON`);
  put("stacks/shop/dev.pulumi-tags", "");
  expect(await backend.tags("dev")).toEqual({});
});

it.each(["null", "[]", "{}", "7"])("what is not a state is damaged, and of no other version: %s", async (text) => {
  const file = put("stacks/shop/dev.json", text);
  await expect(backend.load("dev")).rejects.toThrow(/is damaged and was not used: it has no version.*\.bak/);
  expect(readFileSync(file, "utf8")).toBe(text);
});

it("a folder in the place of a file is named", async () => {
  mkdirSync(join(backend.folder, "stacks/shop/dev.json"), { recursive: true });
  await expect(backend.load("dev")).rejects.toThrow(join(backend.folder, "stacks/shop/dev.json"));
});
