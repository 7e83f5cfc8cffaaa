/** The line with the requests of a run, and when it is shown unasked. */
import type { RequestCounts } from "../../provider/reporting/request-counts";

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
