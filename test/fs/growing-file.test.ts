import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GrowingFile } from "../../fs/growing-file";
import { temporaryFolder } from "../files";

const path = join(temporaryFolder(), "log");

it("whole lines are read once, whatever is cut off between two looks", () => {
  writeFileSync(path, "earlier\n");
  const file = new GrowingFile(path, "earlier\n".length);
  expect(file.lines()).toEqual([]);
  const text = Buffer.from("an é\nand 日本\n");
  for (const byte of text) appendFileSync(path, Buffer.from([byte]));
  expect(file.lines()).toEqual(["an é", "and 日本"]);
  const read = [...text].flatMap((byte) => {
    appendFileSync(path, Buffer.from([byte]));
    return file.lines();
  });
  expect(read).toEqual(["an é", "and 日本"]);
});

it("a file that is begun again is read from its beginning, also when it is longer by then", () => {
  const file = new GrowingFile(path);
  writeFileSync(path, '{"timestamp":1}\nfirst\nhalf a li');
  expect(file.lines()).toEqual(['{"timestamp":1}', "first"]);
  writeFileSync(path, `{"timestamp":2}\n${"second\n".repeat(30)}`);
  expect(file.lines()).toEqual(['{"timestamp":2}', ...Array(30).fill("second")]);
  expect(file.lines()).toEqual([]);
});
