/**
 * Records the plan of a run, and enforces an earlier plan: a step that it does not contain is rejected before the resource is changed.
 *
 * Used for: `preview --save-plan` and `up --plan`.
 */
import type { StepOp } from "../../events";
import type { Goal } from "../../resource/goal";
import type { ValueMap } from "../../resource/property-value";
import type { ResourceState } from "../../resource/resource-state";
import type { Step } from "../step";
import {
  type Deviation,
  isAllowed,
  optionDeviations,
  planOfGoal,
  planOfValues,
  type ResourcePlan,
  valueDeviations,
} from "./resource-plan";

export class UpdatePlan {
  /** What this run plans, by URN. */
  readonly resources = new Map<string, ResourcePlan>();
  /** Planned steps that have not occurred yet, by URN. */
  readonly #expected = new Map<string, StepOp[]>();

  readonly #planned: ReadonlyMap<string, ResourcePlan> | undefined;

  /** @param planned by URN; undefined for a run without a plan to enforce */
  constructor(planned?: ReadonlyMap<string, ResourcePlan>) {
    this.#planned = planned;
    for (const [urn, { steps = [] }] of planned ?? []) this.#expected.set(urn, [...steps]);
  }

  /** Records a registration with its checked inputs; returns why the plan does not allow it. */
  addGoal(urn: string, goal: Goal, olds: ValueMap, inputs: ValueMap, isNew: boolean): string | undefined {
    const actual = planOfGoal(goal, olds, inputs);
    this.resources.set(urn, { ...this.resources.get(urn), goal: actual });
    if (this.#planned === undefined) return undefined;
    const planned = this.#planned.get(urn);
    // A new resource that is not planned is rejected by its step.
    if (planned === undefined) return isNew ? undefined : describe(valueDeviations({}, olds, inputs));
    if (planned.goal === undefined) return "its deletion was planned, but the program declares it";
    return describe([
      ...optionDeviations(planned.goal, actual),
      ...valueDeviations(planned.goal.inputDiff, olds, inputs),
    ]);
  }

  /** Records the outputs of a component or the stack. */
  addOutputs(urn: string, olds: ValueMap, outputs: ValueMap): string | undefined {
    const goal = this.resources.get(urn)?.goal;
    if (goal !== undefined) goal.outputDiff = planOfValues(olds, outputs);
    const planned = this.#planned?.get(urn)?.goal;
    return planned && describe(valueDeviations(planned.outputDiff, olds, outputs));
  }

  /** Records a step, in the order of planning. */
  addStep({ op }: Step, urn: string): string | undefined {
    const plan = this.resources.get(urn);
    if (plan !== undefined) plan.steps = [...(plan.steps ?? []), op];
    else if (op !== "same") this.resources.set(urn, { steps: [op] });
    if (this.#planned === undefined) return undefined;
    const planned = this.#expected.get(urn)?.shift();
    if (planned === undefined) return op === "same" ? undefined : `planned: no change, now: ${op}`;
    return isAllowed(op, planned) ? undefined : `planned: ${planned}, now: ${op}`;
  }

  /** Planned steps that did not occur, by URN, except deletions of resources that no longer exist. */
  missing(olds: ReadonlyMap<string, ResourceState>): Map<string, string> {
    const missing = [...this.#expected].filter(
      ([urn, steps]) => steps.some((op) => op !== "same") && (olds.has(urn) || steps.some((op) => op !== "delete")),
    );
    return new Map(missing.map(([urn, steps]) => [urn, `planned: ${steps.join(", ")}, now: nothing`]));
  }
}

function describe(deviations: readonly Deviation[]): string | undefined {
  if (deviations.length === 0) return undefined;
  return deviations
    .map(
      ({ path, planned, actual }) =>
        `${path}: planned ${shown(planned)}, now ${shown(actual)}${whereFrom(planned, actual)}`,
    )
    .join("\n");
}

const longest = 200;

/** A value on one line. Of a long one only the length, since an excerpt could contain part of a secret. */
function shown(value: unknown): string {
  const text = textOf(value);
  return text.length > longest ? `${text.length} characters` : text;
}

const textOf = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

/** Where long values begin to differ. */
function whereFrom(planned: unknown, actual: unknown): string {
  const [a, b] = [textOf(planned), textOf(actual)];
  if (Math.min(a.length, b.length) <= longest) return "";
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return `, which differ from character ${same + 1}`;
}

/** The message for what a plan does not allow. */
export const deviationMessage = (what: string): string =>
  `the plan does not allow this, and nothing of it was changed:\n${what.replace(/^/gm, "  ")}\nSave a new plan with \`preview --save-plan\`, and review it.`;
