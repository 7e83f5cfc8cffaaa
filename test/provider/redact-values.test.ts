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

it("leaves nothing of it before any ellipsis, and the rest as it is", () => {
  const words = fc.array(fc.constantFrom("near", "…", "is", "wrong:"), { maxLength: 6 });
  fc.assert(
    fc.property(words, words, fc.integer({ min: 12, max: secret.length - 1 }), (before, after, length) => {
      const message = (value: string) => [...before, `${value}…`, ...after].join(" ");
      expect(redactValues(message(secret.slice(0, length)), [secret])).toBe(message("[value]"));
    }),
  );
});
