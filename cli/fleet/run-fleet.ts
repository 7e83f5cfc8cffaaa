/** Works through the stacks of a fleet, several at once, batch after batch. It knows nothing of engines. */
import { hasChanges } from "../../engine/events";
import type { AccountSummary } from "../display/shown-step";
import { allowedFailures, type CountOrShare } from "./batches";
import { type CustomerStack, concerned } from "./customer-stacks";

/** Numbers of objects by what is done with them. */
export type ObjectCounts = Partial<Record<string, number>>;

export interface Outcome {
  stack: string;
  /** The customers that it was about. */
  ids: string[];
  status: "done" | "failed" | "skipped";
  /** Why it was skipped, or what failed. */
  reason?: string;
  /** Objects of the account by what was done with them, or would be. */
  changes: ObjectCounts;
  /** What that does to the account. Absent where it is only read. */
  account?: AccountSummary;
  /** True if the state changes otherwise: components, providers, the stack itself. */
  isStateChanged?: boolean;
  /** Customers of a shared stack who have no record any more, and remain. */
  orphans?: string[];
  seconds: number;
}

/** True if something was changed in a stack, or would be. */
export const isChanged = ({ changes, isStateChanged = false }: Pick<Outcome, "changes" | "isStateChanged">): boolean =>
  isStateChanged || hasChanges(changes);

interface FleetOptions {
  parallel: number;
  maxFailures: CountOrShare;
  run: (customerStack: CustomerStack) => Promise<Omit<Outcome, "stack" | "ids" | "seconds">>;
  /** Aborted: nothing more is begun, and what runs is waited for. */
  signal: AbortSignal;
  onBegin?: (customerStack: CustomerStack) => void;
  onEnd?: (outcome: Outcome) => void;
  onBatch?: (batch: number, outcomes: readonly Outcome[]) => void;
}

export interface FleetResult {
  outcomes: Outcome[];
  /** Why it ended early. */
  stopped?: "failures" | "cancelled";
  /** Stacks that were not begun. */
  left: string[];
}

export async function runFleet(
  batches: readonly (readonly CustomerStack[])[],
  options: FleetOptions,
): Promise<FleetResult> {
  const { signal, onBatch, onEnd } = options;
  const outcomes: Outcome[] = [];
  let begun = 0;
  let size = 0;
  let failures = 0;
  const stopped = () =>
    signal.aborted ? "cancelled" : failures > allowedFailures(options.maxFailures, size) ? "failures" : undefined;
  for (const [i, batch] of batches.entries()) {
    size += batch.length;
    const before = outcomes.length;
    const rest = [...batch];
    const work = async () => {
      while (stopped() === undefined) {
        const customerStack = rest.shift();
        if (customerStack === undefined) return;
        begun++;
        const outcome = await runOne(customerStack, options);
        if (outcome.status === "failed") failures++;
        outcomes.push(outcome);
        onEnd?.(outcome);
      }
    };
    await Promise.all(Array.from({ length: Math.min(options.parallel, batch.length) }, work));
    onBatch?.(i + 1, outcomes.slice(before));
    if (stopped() !== undefined) break;
  }
  const done = new Set(outcomes.map(({ stack }) => stack));
  const left = batches.flat().filter(({ stack }) => !done.has(stack));
  const why = stopped();
  return {
    outcomes,
    left: left.map(({ stack }) => stack),
    ...(why !== undefined && begun < batches.flat().length && { stopped: why }),
  };
}

async function runOne(customerStack: CustomerStack, { run, onBegin }: FleetOptions): Promise<Outcome> {
  const since = performance.now();
  onBegin?.(customerStack);
  const { stack } = customerStack;
  const result = await run(customerStack).catch((error: Error) => ({
    status: "failed" as const,
    reason: error.message,
    changes: {},
  }));
  return { stack, ids: concerned(customerStack), ...result, seconds: Math.round(performance.now() - since) / 1000 };
}
