/** Selects the stacks of an operation, and says which ones it skips. */
import { plural } from "../../definitions/text/display";
import { UsageError } from "../output/errors";
import { inShell } from "../output/shell";
import { type CustomerStack, concerned, configurationHash, partOf } from "./customer-stacks";
import type { FleetWorkspace } from "./fleet-workspace";
import type { Journal } from "./journal";
import type { Outcome } from "./run-fleet";
import type { FleetVerb } from "./stack/stack-operation";

export interface SelectOptions {
  prefix: string;
  only?: string[];
  /** The part of one machine. */
  shard?: { index: number; of: number };
  /** What has no record any more, instead of what has one. */
  removed?: boolean;
}

export interface Selection {
  wanted: CustomerStack[];
  /** Stacks without a customer. */
  removed: string[];
}

export async function selectStacks(
  customerStacks: readonly CustomerStack[],
  verb: FleetVerb,
  workspace: Pick<FleetWorkspace, "stacks" | "orphansOf">,
  { prefix, only, shard, removed: isRemoval }: SelectOptions,
): Promise<Selection> {
  const isHere = (stack: string) => shard === undefined || partOf(stack, shard.of) === shard.index;
  const stacks = new Set(customerStacks.map(({ stack }) => stack));
  const removed = [...workspace.stacks].filter(
    (stack) => stack.startsWith(prefix) && !stacks.has(stack) && isHere(stack),
  );
  const here = customerStacks.filter(({ stack }) => isHere(stack));
  if (!isRemoval) return { wanted: only === undefined ? here : ofCustomers(only, here, customerStacks, verb), removed };
  if (only !== undefined)
    throw new UsageError("--only is for customers who have a record, --removed for the others: use one of them");
  const wanted = removed.map(stackWithoutRecord);
  for (const customerStack of here) {
    // A list that cannot be read fails its stack, and not the others.
    const customers = await workspace.orphansOf(customerStack).catch(() => undefined);
    if (customers?.length !== 0) wanted.push({ ...customerStack, removedIds: customers?.map(({ id }) => id) ?? [] });
  }
  return { wanted, removed };
}

const stackWithoutRecord = (stack: string): CustomerStack => ({
  stack,
  ids: [],
  config: {},
  unset: [],
  suspended: false,
});

function ofCustomers(
  only: readonly string[],
  here: readonly CustomerStack[],
  all: readonly CustomerStack[],
  verb: FleetVerb,
): CustomerStack[] {
  const missing = only.filter((id) => !all.some(({ ids }) => ids.includes(id)));
  if (missing.length > 0) throw new UsageError(`--only: there is no customer ${missing.join(", ")}`);
  const wanted = here.filter(({ ids }) => ids.some((id) => only.includes(id)));
  for (const { stack, ids } of verb === "destroy" ? wanted : []) {
    const others = ids.filter((id) => !only.includes(id));
    if (others.length > 0)
      throw new UsageError(
        `${stack} is also the stack of ${list(others)}: their objects would be deleted, too. Remove the records of ${list(only)}, then use --removed`,
      );
  }
  return wanted;
}

/** Most names in a message. */
const mostNames = 20;

const list = (names: readonly string[]): string =>
  `${names.slice(0, mostNames).join(", ")}${names.length > mostNames ? ", …" : ""}`;

/** What a question says is to be worked on. */
export function describeSelection(customerStacks: readonly CustomerStack[]): string {
  const whole = customerStacks.filter(({ removedIds }) => removedIds === undefined);
  // They are in no file that could be looked at.
  const withoutRecord = whole.filter(({ ids }) => ids.length === 0).map(({ stack }) => stack);
  const names = withoutRecord.length > 0 ? `: ${list(withoutRecord)}` : "";
  const ids = customerStacks.flatMap(({ removedIds = [] }) => removedIds);
  const unread = customerStacks.filter(({ removedIds }) => removedIds?.length === 0).map(({ stack }) => stack);
  const parts = [
    ...(whole.length > 0 || ids.length + unread.length === 0 ? [`${plural(whole.length, "stack")}${names}`] : []),
    ...(ids.length > 0 ? [`${plural(ids.length, "customer")} in shared stacks: ${list(ids)}`] : []),
    ...(unread.length > 0 ? [`${plural(unread.length, "stack")} whose customers cannot be read: ${list(unread)}`] : []),
  ];
  return parts.join(", and of ");
}

export const removedText = (removed: readonly string[], file: string): string =>
  `Unchanged, since no customer in ${file} has them: ${list(removed)}. To delete what these stacks manage: esign fleet destroy ${inShell(file)} --removed`;

/** Runs that have nothing to do with each other have each their journal. */
export const journalName = (verb: FleetVerb, { prefix, removed, shard }: SelectOptions): string =>
  `${verb}${removed ? "-removed" : ""}-${prefix}${shard ? `-${shard.index}-of-${shard.of}` : ""}`;

/** What is to be done, and what is not, with the reason. */
export function dividePending(
  customerStacks: readonly CustomerStack[],
  verb: FleetVerb,
  { stacks }: Pick<FleetWorkspace, "stacks">,
  { past, salt }: Pick<Journal, "past" | "salt">,
): { todo: CustomerStack[]; skipped: Outcome[] } {
  const todo: CustomerStack[] = [];
  const skipped: Outcome[] = [];
  const creates = verb === "up" || verb === "preview";
  for (const customerStack of customerStacks) {
    const { stack, suspended } = customerStack;
    const reason = suspended
      ? "suspended"
      : !creates && !stacks.has(stack)
        ? "not deployed"
        : past?.finished.get(stack) === configurationHash(customerStack, salt)
          ? "finished before"
          : undefined;
    if (reason === undefined) todo.push(customerStack);
    else skipped.push({ stack, ids: concerned(customerStack), status: "skipped", reason, changes: {}, seconds: 0 });
  }
  return { todo, skipped };
}
