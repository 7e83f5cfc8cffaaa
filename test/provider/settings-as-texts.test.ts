import { expect, it } from "vitest";
import { normalizeSetting, writtenSetting } from "../../definitions/text/settings-as-texts";

it.each([
  ["true", "true"],
  ['"yes"', "yes"],
  ["1.0", "1"],
  ["not JSON", "not JSON"],
])("an unknown setting of %s is compared as %s", (text, normal) => {
  expect(normalizeSetting("other.setting_new", text)).toBe(normal);
});

it.each([
  ['"a word"', "a word"],
  ["true", "true"],
  ['{"a":1}', '{"a":1}'],
  ["[1,2]", "[1,2]"],
  ["null", "null"],
])("an unknown setting of %s is written as %s", (text, written) => {
  expect(writtenSetting("other.setting_new", text)).toBe(written);
});

it.each([
  ["integers that a number cannot hold", "12345678901234567890", "12345678901234567891"],
  ["objects", '{"a":1}', '{"a":2}'],
  ["lists", "[[1],2]", "[1,[2]]"],
])("two %s are not the same", (_, ...texts) => {
  const [a, b] = texts.map((text) => normalizeSetting("other.setting_new", text));
  expect(a).not.toBe(b);
});
