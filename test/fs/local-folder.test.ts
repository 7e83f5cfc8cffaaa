import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assertNoLink, makeLocalFolder } from "../../fs/local-folder";
import { OriginalsJournal } from "../../provider/recovery/originals-journal";
import { appendToLog } from "../../provider/reporting/write-log";
import { temporaryFolder } from "../files";

test.each([".esign", ".esign/journal", ".esign/pending-creates", ".esign/writes.jsonl", ".esign/journal/x.json"])(
  "%s is neither read nor written where it is a symbolic link",
  async (link) => {
    const [program, elsewhere] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(program, link, ".."), { recursive: true });
    symlinkSync(elsewhere, join(program, link));
    expect(() => assertNoLink(join(program, link, "below"))).toThrow(`${join(program, link)} is a symbolic link`);
    if (link === ".esign") expect(() => makeLocalFolder(join(program, link))).toThrow("is a symbolic link");
    const entry = { originals: { a: "b" }, sentFingerprints: {}, lastWrite: "w" };
    if (/^\.esign(\/journal)?$/.test(link))
      await expect(async () => new OriginalsJournal(program).append("o", entry)).rejects.toThrow("ELOOP");
    appendToLog(program, { stack: "dev", urns: {} });
    expect(readdirSync(elsewhere)).toEqual([]);
  },
);

test("links above it are the user's own", () => {
  const real = temporaryFolder();
  const link = join(temporaryFolder(), "program");
  symlinkSync(real, link);
  makeLocalFolder(join(link, ".esign"));
  expect(readdirSync(join(real, ".esign"))).toEqual([".gitignore"]);
});
