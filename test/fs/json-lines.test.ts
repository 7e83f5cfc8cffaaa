/** Lines that are appended after one another, of which a full disk or a power failure takes any part: each other one is read. */
import fs, { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { appendJsonLine, parseJsonLines } from "../../fs/json-lines";
import { fc } from "../chance";
import { temporaryFolder } from "../files";

const path = join(temporaryFolder(), "lines");
const read = () => parseJsonLines(readFileSync(path, "utf8"));

/** The system reports no error for a part that it has written. */
function withRoomFor(most: number, work: () => void): void {
  const { writeSync } = fs;
  const writePart = (file: number, bytes: Buffer) => writeSync(file, bytes.subarray(0, most));
  const spy = vi.spyOn(fs, "writeSync").mockImplementation(writePart as typeof writeSync);
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    spy.mockRestore();
    syncBuiltinESMExports();
  }
}

const value = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("12", '"', "\\", "\n", "}", "not 7", "{}", "[1]"),
  fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  fc.array(fc.nat(), { maxLength: 3 }),
);

it("what is whole is read, in its order, wherever the others are cut off", () => {
  const append = fc.record({
    value,
    part: fc.option(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
    hasZeros: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.constantFrom("", "a header\n"), fc.array(append, { maxLength: 8 }), (header, appends) => {
      writeFileSync(path, header);
      const whole: unknown[] = [];
      for (const { value, part, hasZeros } of appends) {
        const before = statSync(path).size;
        appendJsonLine(path, value);
        const size = statSync(path).size - before;
        // That its end alone is cut off, and the value is whole, is below.
        const kept = part === null ? size : Math.floor(part * (size - 1));
        truncateSync(path, before + kept);
        // After a power failure the length may be that of the whole line.
        if (hasZeros) truncateSync(path, before + size);
        if (kept === size) whole.push(JSON.parse(JSON.stringify(value)));
      }
      expect(read()).toEqual(whole);
    }),
  );
});

it("at every byte of a line", () => {
  const line = { id: "12", name: "é 日本 👩‍👩‍👧" };
  const size = Buffer.byteLength(JSON.stringify(line));
  for (let kept = 0; kept <= size; kept++) {
    writeFileSync(path, "");
    expect(() => withRoomFor(kept, () => appendJsonLine(path, line))).toThrow(/^ENOSPC: .*lines'$/);
    expect(statSync(path).size).toBe(kept);
    appendJsonLine(path, "next");
    expect(read(), `${kept} bytes`).toEqual(kept < size ? ["next"] : [line, "next"]);
  }
});

it("what is no line of JSON with a text or members is passed over", () => {
  const text = '12\nnull\ntrue\n"a"\n\n{"b":1}\nc\n\0\0\0\n["d"]\n"e';
  expect(parseJsonLines(text)).toEqual(["a", { b: 1 }, ["d"]]);
});

it("a file is made for its owner alone, unless it has to exist", () => {
  rmSync(path, { force: true });
  expect(() => appendJsonLine(path, "a", { mustExist: true })).toThrow("ENOENT");
  appendJsonLine(path, "b");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  appendJsonLine(path, "c", { mustExist: true, flush: true });
  expect(read()).toEqual(["b", "c"]);
});
