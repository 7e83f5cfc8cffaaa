/** The question between a plan and its run. */
import { kindNameOf } from "../../definitions/kind";
import type { ResourceKind } from "../../definitions/model";
import { countObjects } from "../../provider/plan/describe-effects";
import { type Effect, type Irreplaceable, isIrreplaceable, whyIrreplaceable } from "../../provider/plan/effect";
import type { StepWithEffect } from "../display/shown-step";
import { UsageError } from "../output/errors";
import { ask, errorColours, isInteractive, note } from "../output/terminal";
import type { DeployVerb } from "./run-options";

type Question = Exclude<DeployVerb, "preview"> | "rollback";

const questions: Record<Question, string> = {
  up: "Apply these changes?",
  refresh: "Update the state to match the account?",
  destroy: "Destroy this stack?",
  rollback: "Apply the earlier deployment?",
};

export interface Confirmation {
  verb: Question;
  stack: string;
  /** What the plan deletes. */
  deletions: readonly StepWithEffect[];
  /** Shows everything about the plan; it can be asked for where there is more than was shown. */
  showDetails?: () => void;
  signal?: AbortSignal;
}

/** @throws {UsageError} without a terminal */
export function assertCanAsk(): void {
  if (!isInteractive()) throw new UsageError("stdin is not a terminal: add --yes to apply without confirmation");
}

/**
 * Resolves to whether to go on. A destroy or a rollback that deletes what the stack cannot restore needs the stack's name.
 */
export async function confirmPlan({ verb, stack, deletions, showDetails, signal }: Confirmation): Promise<boolean> {
  const irreplaceable = verb === "destroy" || verb === "rollback" ? deletions.filter(isIrreplaceable) : [];
  const [how, accepted] =
    irreplaceable.length === 0
      ? [showDetails === undefined ? "[y/N]" : "[y/N/details]", /^y(es)?$/i]
      : [nameQuestion(irreplaceable), undefined];
  const prompt = `${errorColours.bold(questions[verb])} ${how} `;
  for (;;) {
    const answer = await ask(prompt, signal === undefined ? {} : { signal });
    if (accepted?.test(answer) ?? answer === stack) return true;
    if (showDetails === undefined || !/^d(etails)?$/i.test(answer)) {
      note("Nothing was changed.");
      return false;
    }
    showDetails();
  }
}

/** `1 webhook existed before this stack. Type the stack's name to confirm:` */
export function nameQuestion(deletions: readonly (Partial<Effect> & { type: string })[]): string {
  const list = (reason: Irreplaceable) => {
    const kinds = deletions.flatMap((step) => (whyIrreplaceable(step) === reason ? (kindNameOf(step.type) ?? []) : []));
    const count = (kind: ResourceKind) => kinds.filter((other) => other === kind).length;
    const phrases = [...new Set(kinds)].map((kind) => countObjects(kind, count(kind)));
    return phrases.join(phrases.length > 2 ? ", " : " and ");
  };
  const [adopted, filled, unknown] = [list("adopted"), list("filled"), list("unknown")];
  const losses = [
    ...(filled === "" ? [] : [`${filled} with data`]),
    ...(unknown === "" ? [] : [`${unknown} whose data cannot be read`]),
  ];
  return [
    ...(adopted === "" ? [] : [`${adopted} existed before this stack.`]),
    ...(losses.length === 0 ? [] : [`This deletes ${losses.join(" and ")}.`]),
    "Type the stack's name to confirm:",
  ].join(" ");
}
