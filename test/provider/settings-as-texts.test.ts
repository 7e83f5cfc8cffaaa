import { expect, it } from "vitest";
import { normalizeSetting } from "../../definitions/text/settings-as-texts";

it.each([
  ["true", "true"],
  ['"yes"', "yes"],
  ["1.0", "1"],
  ["not JSON", "not JSON"],
])("an unknown setting of %s is compared as %s", (text, normal) => {
  expect(normalizeSetting("other.setting_new", text)).toBe(normal);
});

it("two integers that a number cannot hold are not the same", () => {
  const [a, b] = ["12345678901234567890", "12345678901234567891"].map((text) =>
    normalizeSetting("other.setting_new", text),
  );
  expect(a).not.toBe(b);
});
