import { expect, test } from "vitest";
import { receive } from "../../receiver";
import { actions, classic, formOf, minimal } from "../fixtures/notifications";

const keyOf = (body: string) => receive({}, body, { secrets: false }).idempotencyKey;

test.each(actions)(
  "%s: a second delivery has the same key, with other links and in another order of its fields",
  (action) => {
    const fields: Record<string, string> = classic[action];
    const renewed = Object.entries(fields).map(([name, value]) => [name, value.replace(/\?t=\d/g, "?t=9")] as const);
    expect(keyOf(formOf(fields))).toMatch(/^[0-9a-f]{64}$/);
    expect(keyOf(formOf(Object.fromEntries(renewed.toReversed())))).toBe(keyOf(formOf(fields)));
  },
);

test("other events have other keys", () => {
  const opened = classic["opened-envelope"];
  const others = [
    opened,
    { ...opened, action: "signed-envelope" },
    { ...opened, action_date: "2025-08-06T12:59:04+00:00" },
    { ...opened, company_id: "64035" },
    { ...opened, contact_id: "7418455" },
    { ...opened, envelope_fingerprint: "f".repeat(32) },
    classic["bounced-envelope"],
    { ...classic["bounced-envelope"], envelope_bounce_email: "bo@example.com" },
    classic["add-user"],
    { ...classic["add-user"], user_id: "840787" },
  ].map(formOf);
  const keys = [...others, ...Object.values(minimal).map((members) => JSON.stringify(members))].map(keyOf);
  expect(new Set(keys).size).toBe(keys.length);
});

test("of an unknown action every field counts, in any order", () => {
  const fields = { ...classic["add-user"], action: "archived-envelope", reason: "a" };
  expect(keyOf(formOf({ ...fields, reason: "b" }))).not.toBe(keyOf(formOf(fields)));
  expect(keyOf(formOf(Object.fromEntries(Object.entries(fields).toReversed())))).toBe(keyOf(formOf(fields)));
});
