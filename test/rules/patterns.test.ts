/** Patterns of exceptions: `*` matches anything, and takes no time of its own. */
import { expect, it } from "vitest";
import { matchesAny } from "../../rules/name-patterns";

it.each([
  ["*", "", true],
  ["main", "Main", true],
  ["main", "main-2", false],
  ["main-*", "main-", true],
  ["*-email", "main-email", true],
  ["a*b*c", "aXbYbZc", true],
  ["a*b*c", "aXc", false],
  ["ab*ba", "aba", false],
  ["a.c", "abc", false],
  ["**x**", "x", true],
])("%s matches %s: %s", (pattern, name, expected) => {
  expect(matchesAny(["no", pattern], name)).toBe(expected);
});

it("of a thousand stars, none is tried twice", () => {
  expect(matchesAny([`${"*a".repeat(1000)}b`], "a".repeat(20_000))).toBe(false);
});
