/** Errors of files and folders are words: what, why, and what to do. */
import { chownSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, describe as group, test } from "vitest";
import { EffectsFile } from "../../cli/deploy/effects-file";
import { describe } from "../../cli/output/describe-error";
import { temporaryFolder } from "../files";

const folder = temporaryFolder({ file: "" });
const at = (...names: string[]) => join(folder, ...names);

function errorOf(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it has not failed");
}

const systemError = (code: string, syscall: string, path: string) =>
  Object.assign(new Error(`${code}: words of the system, ${syscall} '${path}'`), { code, syscall, path });

group("the folder for temporary files", () => {
  const setTmpdir = "    Set TMPDIR to a folder that exists, and that you may write to.";
  test.each([
    ["missing", "it does not exist (ENOENT)"],
    ["file", "a part of it is a file, not a folder (ENOTDIR)"],
  ])("that is %s", (name, reason) => {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = at(name);
    try {
      const { lines, exitCode } = describe(errorOf(() => new EffectsFile()));
      expect([lines, exitCode]).toEqual([
        [`cannot make a folder for temporary files, ${at(name)}: ${reason}`, setTmpdir],
        1,
      ]);
    } finally {
      process.env.TMPDIR = TMPDIR;
    }
  });

  test.each([
    ["ENOSPC", "the disk is full", "    Free disk space, or set TMPDIR to a folder on another disk."],
    ["EROFS", "its file system is read-only", setTmpdir],
    ["EACCES", "you have no permission", setTmpdir],
  ])("with %s", (code, reason, remedy) => {
    const { lines } = describe(systemError(code, "mkdtemp", at("esign-effects-XXXXXX")));
    expect(lines).toEqual([`cannot make a folder for temporary files, ${folder}: ${reason} (${code})`, remedy]);
  });

  test("of another user", () => {
    if (process.getuid?.() !== 0) return;
    const other = mkdtempSync(at("other-"));
    chownSync(other, 12_345, 12_345);
    const { lines } = describe(systemError("EACCES", "mkdtemp", join(other, "esign-effects-XXXXXX")));
    expect(lines[0]).toBe(`cannot make a folder for temporary files, ${other}: it belongs to another user (EACCES)`);
    const file = describe(systemError("EPERM", "open", join(other, "shop.json")));
    expect(file.lines[0]).toBe(`cannot open ${join(other, "shop.json")}: ${other} belongs to another user (EPERM)`);
  });
});

test.each<[string, () => unknown, RegExp]>([
  ["a folder that is read", () => readFileSync(folder), /^EISDIR: .*read$/],
  [
    "a file that does not exist",
    () => readFileSync(at("nothing")),
    /^cannot open .*nothing: it does not exist \(ENOENT\)$/,
  ],
  [
    "a file as a folder",
    () => writeFileSync(at("file", "inner"), ""),
    /^cannot open .*: a part of it is a file, not a folder/,
  ],
])("%s", (_, run, words) => {
  expect(describe(errorOf(run)).lines[0]).toMatch(words);
});

group("the temporary file beside one that is written", () => {
  const temporary = at("Pulumi.dev.yaml.0123456789ab.tmp");
  test.each([
    ["open", "EACCES", "you have no permission for its folder", "    Make it readable and writable for you."],
    ["write", "ENOSPC", "the disk is full", "    Free disk space, then rerun the command."],
    ["write", "EFBIG", "the file would be too large", "    Raise the limit of a file's size, then rerun the command."],
    ["fsync", "EIO", "the disk reported an error", "    Check the disk, then rerun the command."],
    ["open", "EROFS", "its file system is read-only", "    Make it readable and writable for you."],
  ])("%s: %s is said of the file", (syscall, code, reason, remedy) => {
    const { lines } = describe(systemError(code, syscall, temporary));
    expect(lines).toEqual([`cannot write ${at("Pulumi.dev.yaml")}: ${reason} (${code})`, remedy]);
  });

  test("that of a state says that it may be kept elsewhere", () => {
    const { lines } = describe(systemError("EACCES", "open", at(".pulumi", "stacks", "dev.json.0123456789ab.tmp")));
    expect(lines[1]).toContain("PULUMI_BACKEND_URL");
  });

  test("a file of a user that only looks so is named as it is", () => {
    const { lines } = describe(systemError("EACCES", "open", at("notes.tmp")));
    expect(lines[0]).toBe(`cannot open ${at("notes.tmp")}: you have no permission (EACCES)`);
  });
});

test("what is not known is said as the system says it", () => {
  expect(describe(systemError("EWEIRD", "open", "/x")).lines).toEqual(["EWEIRD: words of the system, open '/x'"]);
  expect(describe(new Error("ENOENT is in the text only")).lines).toEqual(["ENOENT is in the text only"]);
});
