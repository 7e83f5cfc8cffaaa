import { expect, it } from "vitest";
import { redactValues } from "../../provider/core/redact-values";
import { fc } from "../chance";

const secret = "https://hooks.example.com/very-secret-token";

it("removes a value, and its beginning where the message or a part of it was truncated", () => {
  expect(redactValues(`bad url ${secret} (code 10301)`, [secret])).toBe("bad url [value] (code 10301)");
  for (const before of ["", 'bad value near "abc…": ', "…"]) {
    const message = `${before}${secret.slice(0, 35)}… (code 10301)`;
    expect(redactValues(message, [secret])).toBe(`${before}[value]… (code 10301)`);
  }
});

it("removes a text that is kept as JSON", () => {
  expect(redactValues(`setting_word: ${secret} is not allowed`, [JSON.stringify(secret)])).toBe(
    "setting_word: [value] is not allowed",
  );
});

it.each([
  ["in JSON, in one line", "Dear\r\n  all", String.raw`near "Dear\r\n all"`, 'near "[value]"'],
  [
    "in JSON as PHP writes it",
    "https://r.example/ü/hush",
    String.raw`"https:\/\/r.example\/\u00fc\/hush"`,
    '"[value]"',
  ],
  ["in another case", "Hush-Hush-Token", "no user hush-hush-token", "no user [value]"],
  [
    "as URL parsers write it",
    "https://R.example?key=hush#ü",
    "https://r.example/?key=hush#%C3%BC is down",
    "[value] is down",
  ],
  [
    "before three dots, of which the client removes one",
    secret,
    `bad url ${secret.slice(0, 30)}..`,
    "bad url [value]..",
  ],
])("removes a value %s", (_, value, message, expected) => {
  expect(redactValues(message, [value])).toBe(expected);
});

it("removes of several values that of which more is left: another one may begin as the rest ends", () => {
  const values = [
    `${secret} {contract title}`,
    "{contract title} of a text that is much longer than the address before it",
  ];
  expect(redactValues(`bad ${secret} {contract titl… end`, values)).toBe("bad [value]… end");
});

it("leaves nothing of it before any ellipsis, and the rest as it is", () => {
  const words = fc.array(fc.constantFrom("near", "…", "is", "wrong:"), { maxLength: 6 });
  fc.assert(
    fc.property(words, words, fc.integer({ min: 12, max: secret.length - 1 }), (before, after, length) => {
      const message = (value: string) => [...before, `${value}…`, ...after].join(" ");
      expect(redactValues(message(secret.slice(0, length)), [secret])).toBe(message("[value]"));
    }),
  );
});
