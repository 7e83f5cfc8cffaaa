/** The last line of a run: how many resources by effect, and what is written to the account. */

import type { Colors } from "picocolors/types";
import { plural } from "../../definitions/text/display";
import { describeAmount } from "../../provider/plan/describe-effects";
import type { AccountSummary } from "./shown-step";
import { countWord, paintOf, type StepVerb, verbs } from "./verbs";

export interface Counts {
  /** Number of objects by what happens to them. */
  shown: Partial<Record<StepVerb, number>>;
  failed: number;
  preview: boolean;
  /** True where something else changes: an explicit provider. */
  changesOthers?: boolean;
}

export function summaryLine(
  { shown, failed, preview, changesOthers = false }: Counts,
  account: AccountSummary | undefined,
  colours: Colors,
) {
  const counted = verbs.filter((verb) => verb !== "same" && shown[verb]);
  const parts = counted.map((verb) => paintOf(verb, colours)(`${shown[verb]} ${countWord(verb, preview)}`));
  if (failed > 0) parts.push(colours.red(`${failed} failed`));
  const { same = 0 } = shown;
  const writes = account === undefined ? "" : ` ${accountWrites(account, preview, colours)}.`;
  if (parts.length === 0) {
    const none = colours.green(changesOthers ? "No changes to the account's resources." : "No changes.");
    return `${none} ${plural(same, "resource")} up to date.${writes}`;
  }
  if (same > 0) parts.push(`${same} unchanged`);
  return `${parts.join(", ")}.${writes}`;
}

/** `Account writes: 0`, `Account writes: at most 3` */
export function accountWrites(account: AccountSummary, preview: boolean, colours: Colors): string {
  const writes = describeAmount(account.writes);
  const isUnread = account.unread > 0 && preview && account.offline;
  return `Account writes: ${writes === "0" ? colours.green(writes) : writes}${isUnread ? " (the account was not read)" : ""}`;
}
