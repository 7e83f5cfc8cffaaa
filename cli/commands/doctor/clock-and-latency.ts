/** How far the service's clock is from this machine's, and how long a request takes. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { CheckResult } from "./check-result";

/** The most seconds by which a clock may be off before certificates and time stamps make trouble. */
const clockTolerance = 30;

/** Differences between the service's clock and this machine's, from the Date headers of all responses. */
export function watchDates() {
  const differences: number[] = [];
  const onHeaders = (message: unknown) => {
    const { headers } = (message as { response: { headers: Buffer[] } }).response;
    for (let i = 0; i + 1 < headers.length; i += 2) {
      if (String(headers[i]).toLowerCase() !== "date") continue;
      const seconds = (Date.parse(String(headers[i + 1])) - Date.now()) / 1000;
      if (!Number.isNaN(seconds)) differences.push(seconds);
    }
  };
  subscribe("undici:request:headers", onHeaders);
  return { values: () => differences, stop: () => unsubscribe("undici:request:headers", onHeaders) };
}

export function clock(differences: number[]): CheckResult {
  const check = "clock";
  if (differences.length === 0) return { check, state: "skip", finding: "skipped (no Date header)" };
  const seconds = Math.round(median(differences));
  const off = Math.abs(seconds) > clockTolerance;
  return {
    check,
    state: off ? "warn" : "ok",
    finding:
      Math.abs(seconds) <= 1
        ? "in sync"
        : `the service's is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} this machine's`,
    ...(off && { advice: "Set this machine's clock: certificates and time stamps depend on it." }),
  };
}

export function latency(all: number[]): CheckResult {
  const check = "latency";
  // The first response includes the connection.
  const settled = all.length > 1 ? all.slice(1) : all;
  if (settled.length === 0) return { check, state: "skip", finding: "skipped (no response)" };
  return { check, state: "ok", finding: `${Math.round(median(settled))} ms per request (median of ${settled.length})` };
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
