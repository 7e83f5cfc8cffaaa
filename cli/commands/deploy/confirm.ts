/** The question between a plan and its run. */
import type { StepWithEffect } from "../../display/steps";
import { Exit, ExitError } from "../../output/exit-codes";
import { ask, errorColours, note } from "../../output/terminal";
import { describeIrreplaceable, isIrreplaceable } from "./deletion-effects";
import type { Verb } from "./options";

const questions: Record<Exclude<Verb, "preview">, string> = {
  up: "Apply these changes?",
  refresh: "Update the state to match the account?",
  destroy: "Destroy this stack?",
};

export interface Question {
  verb: Exclude<Verb, "preview">;
  stack: string;
  /** What the plan deletes. */
  deletions: readonly StepWithEffect[];
  /** Shows everything about the plan; it can be asked for where there is more than was shown. */
  showDetails?: () => void;
  signal?: AbortSignal;
}

/**
 * What a destroy cannot bring back needs the stack's name.
 * @throws {ExitError} if the answer is another one
 */
export async function confirmPlan({ verb, stack, deletions, showDetails, signal }: Question): Promise<void> {
  const irreplaceable = verb === "destroy" ? deletions.filter(isIrreplaceable) : [];
  const [how, accepted] =
    irreplaceable.length === 0
      ? [showDetails === undefined ? "[y/N]" : "[y/N/details]", /^y(es)?$/i]
      : [describeIrreplaceable(irreplaceable), undefined];
  const prompt = `${errorColours.bold(questions[verb])} ${how} `;
  for (;;) {
    const answer = await ask(prompt, signal === undefined ? {} : { signal });
    if (accepted?.test(answer) ?? answer === stack) return;
    if (showDetails === undefined || !/^d(etails)?$/i.test(answer)) {
      note("Nothing was changed.");
      throw new ExitError(Exit.cancelled);
    }
    showDetails();
  }
}
