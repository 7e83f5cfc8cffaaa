/** The file of `preview --save-plan`: the engine's plan with the effects on the account, which `up --plan` compares. */

import type { DeploymentPlan } from "../../../engine/index";
import { nameOf, typeOf } from "../../../engine/resource/urn";
import { writeDurably } from "../../../fs/atomic-write";
import { readText } from "../../../fs/files";
import { shortType } from "../../display/steps";
import { describe as describeError } from "../../output/error";
import { Exit, ExitError, UsageError } from "../../output/exit-codes";
import { errorColours, note } from "../../output/terminal";

/** What a step does to the account. */
export interface PlannedEffect {
  urn: string;
  op: string;
  effect: string;
  /** Id of the existing object. */
  id?: string;
  /** Names of the fields that are written, in conflict, or left unchanged. */
  fields?: string[];
}

export interface PlanFile extends DeploymentPlan {
  /** The Pulumi CLI passes over this member. */
  effects?: PlannedEffect[];
}

export async function writePlan(file: string, plan: DeploymentPlan, effects: readonly PlannedEffect[]): Promise<void> {
  const content: PlanFile = { ...plan, effects: [...effects] };
  await writeDurably(file, `${JSON.stringify(content, undefined, 4)}\n`, { mode: 0o600 }).catch((error: Error) => {
    throw new UsageError(`cannot write the plan ${file}: ${describeError(error).lines.join("\n")}`);
  });
  note(errorColours.dim(`The plan is in ${file}. \`esign up --plan ${file}\` does this and nothing else.`));
}

export async function readPlan(file: string): Promise<PlanFile> {
  const text = await readText(file).catch((error: Error) => {
    throw new UsageError(`cannot read the plan ${file}: ${error.message}`);
  });
  if (text === undefined) throw new UsageError(`${file} does not exist: write it with \`esign preview --save-plan\``);
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch {}
  if (typeof plan !== "object" || plan === null || !("manifest" in plan))
    throw new UsageError(`${file} is not a plan: write it with \`esign preview --save-plan\``);
  return plan as PlanFile;
}

/** @throws {ExitError} if the account is now such that a step would do something else to it than was planned */
export function rejectOtherEffects({ effects }: PlanFile, now: readonly PlannedEffect[]): void {
  // A plan of `pulumi preview` has none.
  if (effects === undefined) return;
  const planned = new Map(effects.map((effect) => [keyOf(effect), effect]));
  const deviations = now.flatMap((actual) => {
    const before = planned.get(keyOf(actual));
    if ((before !== undefined && isUnread(before)) || isUnread(actual)) return [];
    const [was, is] = [before === undefined ? "nothing" : describe(before), describe(actual)];
    const resource = `${shortType(typeOf(actual.urn))} ${JSON.stringify(nameOf(actual.urn))}`;
    return was === is ? [] : [`  ${resource}: planned ${was}, now ${is}`];
  });
  if (deviations.length === 0) return;
  const reason = "The account is not as it was when the plan was made, and nothing was changed:";
  note(errorColours.red([reason, ...deviations, "Save a new plan, and review it."].join("\n")));
  throw new ExitError(Exit.failed);
}

const keyOf = ({ urn, op }: PlannedEffect): string => `${op} ${urn}`;
const isUnread = ({ effect }: PlannedEffect): boolean => effect === "unread";
const describe = ({ effect, id, fields }: PlannedEffect): string =>
  [effect, ...(id ? [id] : []), ...(fields?.length ? [`(${[...fields].sort().join(", ")})`] : [])].join(" ");
