import { describe, expect, it } from "vitest";
import {
  escapePlaceholders,
  fillPlaceholders,
  type PlaceholderIssue,
  parsePlaceholders,
  placeholdersIn,
} from "../../account-folder/placeholders/placeholder-text";
import { SourceFile } from "../../account-folder/placeholders/source-map";
import { fc } from "../chance";

const parse = (text: string, partials: Record<string, string> = {}) => {
  const faults: PlaceholderIssue[] = [];
  const files = Object.fromEntries(
    Object.entries(partials).map(([name, content]) => [name, new SourceFile(`partials/${name}`, content)]),
  );
  const unfilled = parsePlaceholders(new SourceFile("body.txt", text), (name) => files[name], faults);
  return { unfilled, faults };
};
const fill = (text: string, values: Record<string, string> = {}, partials: Record<string, string> = {}) => {
  const { unfilled, faults } = parse(text, partials);
  expect(faults).toEqual([]);
  return fillPlaceholders(unfilled, { values });
};

/** Texts in which the signs of the syntax meet often, beside any Unicode. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom("$", "{", "}", "${", "$${", "${a}", "${include a}", "{contract url}", "\r\n", "\n", "שלום", "🖋️"),
      fc.string({ unit: "binary" }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("template", () => {
  it("gives any text between values back, and the values", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), text, (texts, value) => {
        // A dollar right before a value is the one thing that must be written as a value itself.
        const pieces = texts.map((piece) => piece.replace(/\$+$/, ""));
        const filled = fill(pieces.map(escapePlaceholders).join("${v}"), { v: value });
        return filled.text === pieces.join(value);
      }),
    );
  });

  it("gives any text back that was escaped, and knows the place of every character that it copied", () => {
    fc.assert(
      fc.property(text, fc.nat(), (original, at) => {
        const written = escapePlaceholders(original);
        const filled = fill(written);
        expect(filled.text).toBe(original);
        if (original === "") return true;
        const offset = at % original.length;
        const { line, column } = filled.place(offset);
        // A line end itself lies behind the last column of its line.
        const character = written.split(/\r\n|\r|\n/)[line - 1]![column - 1];
        return character === undefined ? /[\r\n]/.test(original[offset]!) : character === original[offset];
      }),
    );
  });

  it.each([
    ["the service's variables", "Hello {client name}, {contract url}", {}, "Hello {client name}, {contract url}"],
    ["literals, from left to right", "$${a} $$${a} $ {a} $", {}, "${a} $${a} $ {a} $"],
    ["values, once", "${a}", { a: "${b} $${c} ${include d}" }, "${b} $${c} ${include d}"],
    ["no value of an object's prototype", "${constructor}", {}, "‹constructor›"],
  ])("reads %s", (_, unfilled, values, expected) => {
    expect(fill(unfilled, values).text).toBe(expected);
  });

  it("marks what it does not know", () => {
    const filled = fill("a ${missing} b");
    expect(filled.text).toBe("a ‹missing› b");
    expect(filled.hasUnresolved(0, 2)).toBe(false);
    expect(filled.hasUnresolved(2, 4)).toBe(true);
    expect(filled.place(4, 6)).toEqual({ file: "body.txt", line: 1, column: 3, endLine: 1, endColumn: 13 });
  });

  it("includes partials in partials, without their last line end, and knows their places", () => {
    const filled = fill("A ${include one}!", { v: "V" }, { one: "1\r\n${v}${include two}\r\n", two: "2\n" });
    expect(filled.text).toBe("A 1\r\nV2!");
    expect(filled.place(filled.text.indexOf("V"))).toMatchObject({ file: "partials/one", line: 2, column: 1 });
    expect(filled.place(filled.text.indexOf("2"))).toMatchObject({ file: "partials/two", line: 1, column: 1 });
    expect(filled.place(filled.text.indexOf("!"))).toMatchObject({ file: "body.txt", line: 1, column: 17 });
  });

  it("names a partial that is missing, and one that includes itself", () => {
    expect(parse("${include gone}").faults).toMatchObject([{ rule: "unknown-partial", offset: 0, length: 15 }]);
    const { faults } = parse("x ${include a}", { a: "${include b}", b: " ${include a}" });
    expect(faults).toMatchObject([
      { rule: "circular-partial", offset: 1, message: expect.stringContaining("partials/a → partials/b → partials/a") },
    ]);
  });

  it.each([["${}"], ["${a b}"], ["${1a}"], ["${a"], ["${a\n}"], ["${include}"], ["${include ../secret}"], ["${ a }"]])(
    "says that %j is no placeholder text, and keeps it as it is",
    (written) => {
      const { unfilled, faults } = parse(`ok ${written}`);
      expect(faults).toMatchObject([{ rule: "template-syntax", offset: 3 }]);
      expect(fillPlaceholders(unfilled, { values: {} }).text).toBe(`ok ${written}`);
    },
  );

  it("lists the values that it names with their places", () => {
    expect(placeholdersIn(parse("${a}\n${b-c.d_1}").unfilled)).toMatchObject([
      { name: "a", offset: 0 },
      { name: "b-c.d_1", offset: 5 },
    ]);
  });
});
