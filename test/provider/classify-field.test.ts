/** What an update does with one field. */
import { expect, it } from "vitest";
import { classifyField, type FieldFacts } from "../../provider/plan/classify-field";

const facts: FieldFacts = {
  isDeclared: true,
  wasDeclared: true,
  isUnconfirmed: false,
  isLive: false,
  isDisplayed: false,
  isExpected: true,
  needsRestore: false,
};
const dropped = { isDeclared: false, isDisplayed: false };

it.each([
  ["a changed argument", {}, "write"],
  ["a new argument", { wasDeclared: false }, "write"],
  ["a new argument with the displayed value", { wasDeclared: false, isDisplayed: true }, "write"],
  ["an unchanged argument of a field that has drifted", { isDisplayed: true, isExpected: false }, "leave"],
  [
    "an unchanged argument after a lost response",
    { isDisplayed: true, isExpected: false, isUnconfirmed: true },
    "write",
  ],
  ["an unchanged argument whose lost update was not applied", { isDisplayed: true, isUnconfirmed: true }, "leave"],
  ["an argument that the account has already", { isLive: true }, "record"],
  ["an argument that was never set", { ...dropped, wasDeclared: false }, "ignore"],
  ["a removed argument", dropped, "release"],
  ["a removed argument with an original value", { ...dropped, needsRestore: true }, "restore"],
  [
    "a lost update of a removed argument",
    { ...dropped, wasDeclared: false, isUnconfirmed: true, needsRestore: true },
    "restore",
  ],
] as const)("%s", (_, difference, action) => {
  expect(classifyField({ ...facts, ...difference })).toBe(action);
});
