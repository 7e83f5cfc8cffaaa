/** Works through the stacks of a fleet, several at once, wave after wave. It knows nothing of engines. */
import type { AccountSummary } from "../display/steps";
import type { Unit } from "./units";
import { type Amount, allowedFailures } from "./waves";

export type Changes = Partial<Record<string, number>>;

export interface Outcome {
  stack: string;
  /** The customers in it. */
  ids: string[];
  status: "done" | "failed" | "skipped";
  /** Why it was skipped, or what failed. */
  reason?: string;
  /** Objects of the account by what was done with them, or would be. */
  changes: Changes;
  /** What that does to the account. Absent where it is only read. */
  account?: AccountSummary;
  /** True if the state changes otherwise: components, providers, the stack itself. */
  isStateChanged?: boolean;
  /** Customers of a shared stack who have no record any more, and remain. */
  kept?: string[];
  seconds: number;
}

export interface FleetOptions {
  parallel: number;
  maxFailures: Amount;
  run: (unit: Unit) => Promise<Omit<Outcome, "stack" | "ids" | "seconds">>;
  /** Aborted: nothing more is begun, and what runs is waited for. */
  signal: AbortSignal;
  onBegin?: (unit: Unit) => void;
  onEnd?: (outcome: Outcome) => void;
  onWave?: (wave: number, outcomes: readonly Outcome[]) => void;
}

export interface FleetResult {
  outcomes: Outcome[];
  /** Why it ended early. */
  stopped?: "failures" | "cancelled";
  /** Stacks that were not begun. */
  left: string[];
}

export async function runFleet(waves: readonly (readonly Unit[])[], options: FleetOptions): Promise<FleetResult> {
  const { signal, onWave, onEnd } = options;
  const outcomes: Outcome[] = [];
  let begun = 0;
  let size = 0;
  let failures = 0;
  const stopped = () =>
    signal.aborted ? "cancelled" : failures > allowedFailures(options.maxFailures, size) ? "failures" : undefined;
  for (const [i, wave] of waves.entries()) {
    size += wave.length;
    const before = outcomes.length;
    const rest = [...wave];
    const work = async () => {
      while (stopped() === undefined) {
        const unit = rest.shift();
        if (unit === undefined) return;
        begun++;
        const outcome = await runOne(unit, options);
        if (outcome.status === "failed") failures++;
        outcomes.push(outcome);
        onEnd?.(outcome);
      }
    };
    await Promise.all(Array.from({ length: Math.min(options.parallel, wave.length) }, work));
    onWave?.(i + 1, outcomes.slice(before));
    if (stopped() !== undefined) break;
  }
  const done = new Set(outcomes.map(({ stack }) => stack));
  const left = waves.flat().filter(({ stack }) => !done.has(stack));
  const why = stopped();
  return {
    outcomes,
    left: left.map(({ stack }) => stack),
    ...(why !== undefined && begun < waves.flat().length && { stopped: why }),
  };
}

async function runOne(unit: Unit, { run, onBegin }: FleetOptions): Promise<Outcome> {
  const since = performance.now();
  onBegin?.(unit);
  const { stack, ids } = unit;
  const result = await run(unit).catch((error: Error) => ({
    status: "failed" as const,
    reason: error.message,
    changes: {},
  }));
  return { stack, ids, ...result, seconds: Math.round(performance.now() - since) / 1000 };
}
