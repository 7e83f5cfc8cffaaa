/** Enums that the service adds values to: a new value is sent with a warning, a misspelt one is refused with a suggestion. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { brandingEmailTypes, envelopeStatuses, webhookTypes } from "../../sdk";
import { emailType, envelopeStatus, findNewValues, knownValuesOf, openEnum, webhookType } from "../../sdk/enum-schemas";
import { parseWith } from "../../sdk/parse-rules";
import { toInputIssues } from "../../sdk/request/validate-input";
import { cases, fc } from "../chance";

const enums = [
  { name: "webhook types", schema: webhookType, values: webhookTypes, separator: "-", first: undefined },
  { name: "email types", schema: emailType, values: brandingEmailTypes, separator: "-", first: "email" },
  { name: "statuses", schema: envelopeStatus, values: envelopeStatuses, separator: "_", first: undefined },
] as const;

const word = fc.stringMatching(/^[a-z][a-z\d]{6,12}$/);
/** Far from every documented value: of long words that none of them has. */
const newValue = ({ separator, first }: (typeof enums)[number]) =>
  fc
    .array(
      word.map((text) => `zq${text}`),
      { minLength: 2, maxLength: 4 },
    )
    .map((words) => [...(first === undefined ? [] : [first]), ...words].join(separator));
const warnings = (schema: z.ZodType, value: unknown) => findNewValues({ field: schema }, { field: value });

describe.each(enums)("$name", (each) => {
  const { schema, values, separator } = each;

  test("documented values are accepted without a warning", () => {
    for (const form of [schema, schema.optional(), schema.nullable().optional()])
      expect(knownValuesOf(form)).toEqual(values);
    expect(knownValuesOf(schema.array())).toBeUndefined();
    for (const value of values) expect([schema.safeParse(value).success, warnings(schema, value)]).toEqual([true, []]);
  });

  test("a value in their format is accepted, with a warning, also in a list, and where it may be absent", () => {
    fc.assert(
      fc.property(newValue(each), newValue(each), (value, other) => {
        expect(schema.safeParse(value).data).toBe(value);
        const message = expect.stringContaining(`"${value}" is new to this version`);
        for (const form of [schema, schema.optional(), schema.nullable().optional()])
          expect(warnings(form, value)).toEqual([{ field: "field", message }]);
        const list = warnings(z.array(schema).optional(), [values[0], value, other]);
        expect(list.map((one) => one.message)).toEqual([message, expect.stringContaining(`"${other}"`)]);
      }),
      { numRuns: cases(50) },
    );
  });

  test("one wrong letter is a mistake, which the message corrects", () => {
    fc.assert(
      fc.property(fc.constantFrom(...values), fc.nat(), fc.constantFrom("x", "9", ""), (value, at, letter) => {
        const place = at % value.length;
        const wrong = value.slice(0, place) + letter + value.slice(place + 1);
        fc.pre(!(values as readonly string[]).includes(wrong) && wrong !== "");
        const { error } = z.object({ type: schema }).safeParse({ type: wrong });
        const [issue] = toInputIssues(error!, { type: wrong });
        expect(issue).toMatchObject({ path: "type", message: expect.stringMatching(/did you mean ".+"\? One of: /) });
        expect(warnings(schema, wrong)).toEqual([]);
      }),
    );
  });

  test("a message lists and suggests only what the same parse accepts", () => {
    const others = ["statu", `${values.at(-1)}x`, "", 7, ["x"], undefined, ...values];
    fc.assert(
      fc.property(fc.subarray<string>([...values]), fc.constantFrom<unknown>(...others), (allowed, value) => {
        const rules = { allowsNewValues: false, allowsValue: (one: string) => allowed.includes(one) };
        parseWith(rules, () => {
          const message = schema.safeParse(value).error?.issues[0]?.message;
          if (message === undefined) return expect(schema.safeParse(value).success).toBe(true);
          const [, suggested] = /did you mean "([^"]+)"/.exec(message) ?? [];
          const listed = message.split(/one of:? /i)[1]!.split(", ");
          for (const one of [...listed, ...(suggested ? [suggested] : [])]) {
            expect([one, schema.safeParse(one).success]).toEqual([one, true]);
          }
        });
      }),
    );
  });

  test.each(["moved", "Moved-Envelope", `moved${separator}`, "moved envelope", ` ${values[0]}`, "", " ", 7, null])(
    "%j is refused",
    (value) => expect(schema.safeParse(value).success).toBe(false),
  );
});

test("a number that looks like a value is refused as one that must be a string", () => {
  const schema = z.object({ role_id: openEnum(["1", "2", "3"]) });
  const [issue] = toInputIssues(schema.safeParse({ role_id: 1 }).error!, { role_id: 1 });
  expect(issue).toEqual({ path: "role_id", message: "must be a string: one of 1, 2, 3" });
});
