/** What a step does to the account is the same, in whatever order its events and the provider's records come. */
import { expect, it } from "vitest";
import type { EffectName, EffectRecord } from "../../provider/plan/effect";
import { type EngineStep, type Entry, keyOf, StepEffects } from "../../provider/plan/step-effects";
import { cases, fc } from "../chance";

const type = "pulumi-nodejs:dynamic/esign:Webhook";
const urnOf = (n: number) => `urn:pulumi:dev::p::${type}::w${n}`;

type Entries = Entry<EngineStep>[];
/** What happens to one resource: the steps and the records of it, each in their order. */
interface Resource {
  steps: Entries;
  records: Entries;
  /** By operation, the effect that they say. */
  says: Record<string, EffectName | undefined>;
}

const step = (n: number, op: string, status: "planned" | "done", id?: string): Entry<EngineStep> => ({
  step: { urn: urnOf(n), type, op, custom: true, ...(id !== undefined && { id }) },
  status,
});
const record = (n: number, effect: EffectName, id: string | undefined, done: boolean): Entry<EngineStep> => ({
  record: { kind: "Webhook", effect, writes: 0, done, urn: urnOf(n), ...(id !== undefined && { id }) },
});

const ops = ["create", "adopt", "update", "delete", "replace", "pass"] as const;

/** A resource of the plan: `id` may be that of another one, in another account. */
function planned(n: number, op: (typeof ops)[number], id: string): Resource {
  const plan = (name: string, of?: string) => step(n, name, "planned", of);
  const about = (effect: EffectName, of?: string) => record(n, effect, of, false);
  // A resource that is registered later may change the first decision.
  if (op === "create")
    return { steps: [plan("create")], records: [about("adopt", id), about("create")], says: { create: "create" } };
  if (op === "adopt") return { steps: [plan("create")], records: [about("adopt", id)], says: { create: "adopt" } };
  if (op === "update")
    return { steps: [plan("update", id)], records: [about("conflict", id)], says: { update: "conflict" } };
  const deletion = (name: string): Entry<EngineStep> => ({
    deletion: { urn: urnOf(n), type, op: name, id },
    effect: { effect: "delete", writes: 1 },
  });
  if (op === "delete")
    return { steps: [plan("delete", id), deletion("delete")], records: [], says: { delete: "delete" } };
  const parts = [plan("create-replacement"), plan("replace", id), plan("delete-replaced", id)];
  // Deleted first, an object is created again, although it was found.
  if (op === "replace")
    return {
      steps: [...parts.reverse(), deletion("delete-replaced")],
      records: [about("adopt", id)],
      says: { "create-replacement": "create", "delete-replaced": "delete" },
    };
  return {
    steps: [...parts, deletion("delete-replaced")],
    records: [about("adopt", id)],
    says: { "create-replacement": "adopt", "delete-replaced": "delete" },
  };
}

/** The same of a run. */
function done(n: number, op: (typeof ops)[number], id: string): Resource {
  const end = (name: string, of = id) => step(n, name, "done", of);
  const about = (effect: EffectName, of = id) => record(n, effect, of, true);
  if (op === "create" || op === "adopt") return { steps: [end("create")], records: [about(op)], says: { create: op } };
  if (op === "update") return { steps: [end("update")], records: [about("restore")], says: { update: "restore" } };
  if (op === "delete") return { steps: [end("delete")], records: [about("restore")], says: { delete: "restore" } };
  const other = op === "replace" ? `${id}0` : id;
  const said = op === "replace" ? "delete" : "release";
  return {
    steps: [end("create-replacement", other), end("replace"), end("delete-replaced")],
    records: [about("adopt", other), about(said)],
    says: { "create-replacement": "adopt", "delete-replaced": said },
  };
}

/** One list of several, each in its own order. */
function interleave(lists: readonly Entries[], choices: readonly number[]): Entries {
  const rest = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const all: Entries = [];
  for (let i = 0; rest.length > 0; i++) {
    const at = (choices[i % choices.length] ?? 0) % rest.length;
    all.push(rest[at]!.shift()!);
    if (rest[at]!.length === 0) rest.splice(at, 1);
  }
  return all;
}

const effectsIn = (entries: Entries) =>
  Object.fromEntries(
    new StepEffects(new Map(), entries).steps().map((each) => [keyOf(each.step), each.effect?.effect]),
  );

const deployment = fc.array(fc.record({ op: fc.constantFrom(...ops), id: fc.constantFrom("1", "2", "3") }), {
  minLength: 1,
  maxLength: 6,
});
const choices = fc.array(fc.nat(20), { minLength: 1, maxLength: 40 });

it.each([
  ["a plan", planned],
  ["a run", done],
] as const)("of %s, whatever of it is known when", (_, happen) => {
  fc.assert(
    fc.property(deployment, choices, (resources, order) => {
      const happened = resources.map(({ op, id }, n) => happen(n, op, id));
      const said = Object.fromEntries(
        happened.flatMap(({ says }, n) =>
          Object.entries(says).map(([op, effect]) => [keyOf({ urn: urnOf(n), op }), effect]),
        ),
      );
      // Of each resource, events and records come on ways of their own.
      expect(
        effectsIn(
          interleave(
            happened.flatMap(({ steps, records }) => [steps, records]),
            order,
          ),
        ),
      ).toEqual(said);
    }),
    { numRuns: cases(60) },
  );
});

/** Deletions whose hooks know no URN: each is of the next step with the id. */
it("of deletions of one id in several accounts, without URNs", () => {
  const effects = fc.array(fc.constantFrom<EffectName[]>("delete", "release", "restore"), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(effects, choices, (names, order) => {
      const steps = names.map((_, n) => step(n, "delete", "done", "1"));
      const records = names.map((effect): Entry<EngineStep> => {
        const unnamed: EffectRecord = { kind: "Webhook", effect, writes: 0, done: true, id: "1" };
        return { record: unnamed };
      });
      const expected = Object.fromEntries(names.map((effect, n) => [keyOf({ urn: urnOf(n), op: "delete" }), effect]));
      expect(effectsIn(interleave([steps, records], order))).toEqual(expected);
    }),
    { numRuns: cases(40) },
  );
});

it("the run after a plan begins with what the plan has found, and what it has done replaces that", () => {
  fc.assert(
    fc.property(deployment, choices, (resources, order) => {
      const plans = resources.map(({ op, id }, n) => planned(n, op, id));
      const plan = new StepEffects(
        new Map(),
        interleave(
          plans.flatMap(({ steps, records }) => [steps, records]),
          order,
        ),
      );
      const run = new StepEffects<EngineStep>(plan.expectations);
      for (const { step: one, effect } of plan.steps()) {
        run.add({ step: one, status: "started" });
        expect(run.effectOf(one, "started")?.effect).toBe(effect?.effect);
      }
      expect(run.steps()).toEqual([]);
      const runs = resources.map(({ op, id }, n) => done(n, op, id));
      for (const entry of interleave(
        runs.flatMap(({ steps, records }) => [steps, records]),
        order,
      ))
        run.add(entry);
      const alone = effectsIn(runs.flatMap(({ steps, records }) => [...steps, ...records]));
      expect(Object.fromEntries(run.steps().map((each) => [keyOf(each.step), each.effect?.effect]))).toEqual(alone);
    }),
    { numRuns: cases(40) },
  );
});
