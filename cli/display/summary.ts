/** The last line of a run: how many resources by effect, and what is written to the account. */
import type { Colors } from "picocolors/types";
import type { Operation } from "../../engine/events";
import { describeAmount } from "../../provider/plan/describe-effects";
import type { RequestCounts } from "../../provider/reporting/request-counts";
import type { AccountSummary } from "./steps";
import { countWord, paintOf, type Verb, verbs } from "./verbs";

export interface Counts {
  /** Number of objects by what happens to them. */
  shown: Partial<Record<Verb, number>>;
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
  const writes = account === undefined ? "" : ` ${accountWrites(account, preview, colours)}`;
  if (parts.length === 0) {
    const none = colours.green(changesOthers ? "No changes to the account's resources." : "No changes.");
    return `${none} ${same} resource${same === 1 ? "" : "s"} up to date.${writes}`;
  }
  if (same > 0) parts.push(`${same} unchanged`);
  return `${parts.join(", ")}.${writes}`;
}

/** What a plan did not look at, and what to do about what stops it. */
export function adviceLines({ shown }: Pick<Counts, "shown">, operation: Operation, refreshed: boolean): string[] {
  if (shown.conflict)
    return [
      "To continue, run `esign refresh`: it reads the changes into the state, and the next plan shows what `up` overwrites.",
      "To always keep the declared values: `esign config set esign:onConflict overwrite`.",
    ];
  const { same = 0, ...others } = shown;
  const comparesState = (operation === "preview" || operation === "update") && !refreshed;
  if (!comparesState || same === 0 || Object.values(others).some(Boolean)) return [];
  return ["Compared with the state only. To find what has changed in the account since: `esign drift`, or --refresh."];
}

/** `Account writes: 0.`, `Account writes: at most 3.` */
export function accountWrites(account: AccountSummary, preview: boolean, colours: Colors): string {
  const writes = describeAmount(account.writes);
  const isUnread = account.unread > 0 && preview && account.offline;
  return `Account writes: ${writes === "0" ? colours.green(writes) : writes}${isUnread ? " (the account was not read)" : ""}.`;
}

/** `Requests: 12, retries: 2, waited 3.4s (by subaccount: 4711: 5).` */
export function requestsLine(accounts: Record<string, RequestCounts>): string {
  const all = Object.values(accounts);
  const sum = (name: keyof RequestCounts) => all.reduce((total, counts) => total + counts[name], 0);
  const others = Object.entries(accounts).filter(([account]) => account !== "");
  const shown = others.slice(0, 5).map(([account, { requests }]) => `${account}: ${requests}`);
  const rest = others.length > 5 ? [`${others.length - 5} more`] : [];
  const bySubaccount = others.length === 0 ? "" : ` (by subaccount: ${[...shown, ...rest].join(", ")})`;
  return `Requests: ${sum("requests")}, retries: ${sum("retries")}, waited ${(sum("waited") / 1000).toFixed(1)}s${bySubaccount}.`;
}

/** True for a run that was slowed down: people ask why. */
export const isSlowedDown = (accounts: Record<string, RequestCounts>): boolean =>
  Object.values(accounts).some(({ retries, waited }) => retries > 0 || waited > 60_000);
