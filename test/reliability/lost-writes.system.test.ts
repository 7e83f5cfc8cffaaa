/** Two cases that have failed; `lost-writes.nightly.test.ts` tries many. */
import { expect, it } from "vitest";
import { type Case, live } from "./lost-writes";

it.each([
  { form: "dynamic", act: "create", seed: 1, nexts: ["changed"] },
  { form: "yaml", act: "replace", seed: 2, nexts: ["back"] },
] satisfies Partial<Case>[])(
  "a killed run ($act, $form) loses some of its writes, and what comes next is right",
  async (one) => {
    expect(await live({ engine: "embedded", victim: "engine", ...one })).toEqual([]);
  },
);
