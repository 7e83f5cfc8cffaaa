/** What is kept of a program's output: its end, and never more than a bound. */
import { expect, it } from "vitest";
import { OutputTail } from "../../cli/engine/output-tail";
import { fc } from "../chance";

const textOf = (lines: Iterable<string>) => {
  const kept = new OutputTail();
  for (const line of lines) kept.add(line);
  return kept.text;
};

it("short output is kept as it is", () => {
  expect(textOf([])).toBe("");
  expect(textOf(["", "Error: a", "  at b", ""])).toBe("\nError: a\n  at b\n");
});

it("of long output the last whole lines, with a mark; of a long line its beginning", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30_000), { maxLength: 20 }), (lengths) => {
      const lines = lengths.map((length, at) => String.fromCharCode(97 + at).repeat(length));
      const text = textOf(lines);
      expect(text.length).toBeLessThanOrEqual(20_002);
      const cut = (line: string) => (line.length > 20_000 ? `${line.slice(0, 19_999)}…` : line);
      const all = lines.map(cut).join("\n");
      if (all.length <= 20_000) expect(text).toBe(all);
      else {
        const [mark, ...rest] = text.split("\n");
        expect(mark).toBe("…");
        expect(rest).toEqual(lines.slice(lines.length - rest.length).map(cut));
        expect(rest.length).toBeGreaterThan(0);
      }
    }),
  );
});

it("as much memory for a million lines, empty ones too, as for a few", () => {
  function* lines() {
    for (let at = 0; at < 1_000_000; at++) yield at % 3 === 0 ? "" : `${at}`;
  }
  const text = textOf(lines());
  expect(text.length).toBeLessThanOrEqual(20_002);
  expect(text.endsWith("\n999998\n")).toBe(true);
});
