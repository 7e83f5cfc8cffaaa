/** The last line of a run: how many resources by effect, and what is written to the account. */
import type { Colors } from "picocolors/types";
import type { AccountSummary } from "./steps";
import { countWord, paintOf, type Verb, verbs } from "./verbs";

export interface Counts {
  /** Number of objects by what happens to them. */
  shown: Partial<Record<Verb, number>>;
  failed: number;
  preview: boolean;
}

export function summaryLine({ shown, failed, preview }: Counts, account: AccountSummary | undefined, colours: Colors) {
  const counted = verbs.filter((verb) => verb !== "same" && shown[verb]);
  const parts = counted.map((verb) => paintOf(verb, colours)(`${shown[verb]} ${countWord(verb, preview)}`));
  if (failed > 0) parts.push(colours.red(`${failed} failed`));
  const { same = 0 } = shown;
  const writes = account === undefined ? "" : ` ${accountWrites(account, preview, colours)}`;
  if (parts.length === 0) {
    return `${colours.green("No changes.")} ${same} resource${same === 1 ? "" : "s"} up to date.${writes}`;
  }
  if (same > 0) parts.push(`${same} unchanged`);
  return `${parts.join(", ")}.${writes}`;
}

/** `Account writes: 0.` */
function accountWrites({ writes, unread, offline }: AccountSummary, preview: boolean, colours: Colors): string {
  if (unread === 0) return `Account writes: ${writes === 0 ? colours.green("0") : writes}.`;
  const least = writes > 0 ? `at least ${writes}` : "not known";
  return `Account writes: ${least}${preview && offline ? " (the account was not read)" : ""}.`;
}
