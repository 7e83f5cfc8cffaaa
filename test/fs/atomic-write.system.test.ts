import { execFileSync, spawn } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, expect, it } from "vitest";
import { writeDurably } from "../../fs/atomic-write";
import { root, run } from "../cli/esign";
import { temporaryFolder } from "../files";

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "state.json");
  writeFileSync(file, "old");
});

it.each(["whole", "in pieces"])(
  "a file that does not fit on the disk any more stays the old one (written %s)",
  async (how) => {
    const text = how === "whole" ? '"x".repeat(100_000)' : 'Array(100).fill("x".repeat(1000))';
    const script = `
    process.on("SIGXFSZ", () => {});
    require(${JSON.stringify(join(root, "dist/.modules/fs/atomic-write.js"))})
      .writeDurably(${JSON.stringify(file)}, ${text})
      .then(() => console.log("written"), (error) => console.log(error.code));`;
    const limit = ["-c", 'ulimit -f 20; exec "$@"', "bash", process.execPath, "-e", script];
    expect((await run("bash", limit, { home: folder })).stdout).toBe("EFBIG\n");
    expect(readdirSync(folder)).toEqual(["state.json"]);
    expect(readFileSync(file, "utf8")).toBe("old");
  },
);

it.skipIf(process.platform === "win32")("a pipe is written to, by a link as well, and stays one", async () => {
  const [pipe, link] = [join(folder, "pipe"), join(folder, "link")];
  execFileSync("mkfifo", [pipe]);
  symlinkSync(pipe, link);
  for (const each of [pipe, link]) {
    const reader = spawn("cat", [pipe], { stdio: ["ignore", "pipe", "inherit"] });
    const received = text(reader.stdout);
    try {
      await writeDurably(each, Array(100).fill("x".repeat(1000)));
      expect(lstatSync(pipe).isFIFO()).toBe(true);
      expect(await received).toHaveLength(100_000);
    } finally {
      reader.kill();
    }
  }
  expect(readdirSync(folder).sort()).toEqual(["link", "pipe", "state.json"]);
});
