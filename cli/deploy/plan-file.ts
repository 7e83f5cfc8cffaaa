/** The file of `preview --save-plan`: the engine's plan with the effects on the account, which `up --plan` compares. */

import type { DeploymentPlan } from "../../engine/index";
import { nameOf, typeOf } from "../../engine/resource/urn";
import { writeDurably } from "../../fs/atomic-write";
import { parseJsonText } from "../../fs/json-text";
import { readText } from "../../fs/optional-files";
import { shortType } from "../display/shown-step";
import { asUsageError, describe as describeError } from "../output/describe-error";
import { UsageError } from "../output/errors";
import { Exit } from "../output/exit-codes";
import { errorColours, note } from "../output/terminal";

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
  /** Fingerprint of the key with which it was made: of a first deployment nothing else tells the account. */
  account?: string;
}

export async function writePlan(
  file: string,
  plan: DeploymentPlan,
  effects: readonly PlannedEffect[],
  account?: string,
): Promise<void> {
  const content: PlanFile = { ...plan, effects: [...effects], ...(account !== undefined && { account }) };
  await writeDurably(file, `${JSON.stringify(content, undefined, 4)}\n`, { mode: 0o600 }).catch((error: Error) => {
    throw new UsageError(`cannot write the plan ${file}: ${describeError(error).lines.join("\n")}`);
  });
  note(errorColours.dim(`The plan is in ${file}. \`esign up --plan ${file}\` applies it and nothing else.`));
}

export async function readPlan(file: string): Promise<PlanFile> {
  const text = await readText(file).catch((error) => {
    throw asUsageError(error);
  });
  if (text === undefined) throw new UsageError(`${file} does not exist: write it with \`esign preview --save-plan\``);
  let plan: unknown;
  try {
    plan = parseJsonText(text);
  } catch {}
  if (typeof plan !== "object" || plan === null || !("manifest" in plan))
    throw new UsageError(`${file} is not a plan: write it with \`esign preview --save-plan\``);
  return plan as PlanFile;
}

/**
 * Before any request.
 * @throws {UsageError} if the plan was made with the key of another account
 */
export function rejectOtherAccount({ account: planned }: PlanFile, file: string, account: string | undefined): void {
  // A plan of `pulumi preview` has none.
  if (planned === undefined || planned === account) return;
  const now = account === undefined ? "no key is configured now" : `the configured key has ${account}`;
  throw new UsageError(
    `the plan ${file} was made with a key whose fingerprint is ${planned}; ${now}. Nothing was changed.\nUse the stack and the key that it was made with; or, if the key was rotated, save a new plan and review it: esign preview --save-plan ${file}`,
  );
}

/** @throws {UsageError} if the account is now such that a step would do something else to it than was planned */
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
  const reason = "The account has changed since the plan was made, so nothing was applied:";
  throw new UsageError([reason, ...deviations, "Save a new plan, and review it."].join("\n"), Exit.failed);
}

const keyOf = ({ urn, op }: PlannedEffect): string => `${op} ${urn}`;
const isUnread = ({ effect }: PlannedEffect): boolean => effect === "unread";
const describe = ({ effect, id, fields }: PlannedEffect): string =>
  [effect, ...(id ? [id] : []), ...(fields?.length ? [`(${[...fields].sort().join(", ")})`] : [])].join(" ");
