/** Which stacks an operation is for, and which of them it passes over. */
import { plural } from "../../account-folder/text/display";
import { UsageError } from "../output/exit-codes";
import type { Journal } from "./journal";
import type { Outcome } from "./run-fleet";
import { hashOf, partOf, type Unit } from "./units";
import type { FleetVerb, FleetWorkspace } from "./workspace";

export interface SelectOptions {
  prefix: string;
  only?: string[];
  /** The part of one machine. */
  shard?: { index: number; of: number };
  /** What has no record any more, instead of what has one. */
  removed?: boolean;
}

export interface Selection {
  wanted: Unit[];
  /** Stacks without a customer. */
  removed: string[];
}

export async function select(
  units: readonly Unit[],
  verb: FleetVerb,
  workspace: Pick<FleetWorkspace, "stacks" | "customersWithoutRecord">,
  { prefix, only, shard, removed: isRemoval }: SelectOptions,
): Promise<Selection> {
  const isHere = (stack: string) => shard === undefined || partOf(stack, shard.of) === shard.index;
  const stacks = new Set(units.map(({ stack }) => stack));
  const removed = [...workspace.stacks].filter(
    (stack) => stack.startsWith(prefix) && !stacks.has(stack) && isHere(stack),
  );
  const here = units.filter(({ stack }) => isHere(stack));
  if (!isRemoval) return { wanted: only === undefined ? here : ofCustomers(only, here, units, verb), removed };
  if (only !== undefined) throw new UsageError("--only names customers who have a record; --removed is for the others");
  const wanted = removed.map(removedUnit);
  for (const unit of here) {
    // A list that cannot be read fails its stack, and not the others.
    const customers = await workspace.customersWithoutRecord(unit).catch(() => undefined);
    if (customers?.length !== 0) wanted.push({ ...unit, removedIds: customers?.map(({ id }) => id) ?? [] });
  }
  return { wanted, removed };
}

const removedUnit = (stack: string): Unit => ({ stack, ids: [], config: {}, unset: [], suspended: false });

function ofCustomers(only: readonly string[], here: readonly Unit[], all: readonly Unit[], verb: FleetVerb): Unit[] {
  const missing = only.filter((id) => !all.some(({ ids }) => ids.includes(id)));
  if (missing.length > 0) throw new UsageError(`--only: there is no customer ${missing.join(", ")}`);
  const wanted = here.filter(({ ids }) => ids.some((id) => only.includes(id)));
  for (const { stack, ids } of verb === "destroy" ? wanted : []) {
    const others = ids.filter((id) => !only.includes(id));
    if (others.length > 0)
      throw new UsageError(
        `${stack} is also the stack of ${list(others)}, whose objects would be deleted, too. Remove the records of ${list(only)}, and use --removed`,
      );
  }
  return wanted;
}

/** Most names in a message. */
const mostNames = 20;

const list = (names: readonly string[]): string =>
  `${names.slice(0, mostNames).join(", ")}${names.length > mostNames ? ", …" : ""}`;

/** What a question says is to be worked on. */
export function describe(units: readonly Unit[]): string {
  const whole = units.filter(({ removedIds }) => removedIds === undefined);
  // They are in no file that could be looked at.
  const withoutRecord = whole.filter(({ ids }) => ids.length === 0).map(({ stack }) => stack);
  const names = withoutRecord.length > 0 ? `: ${list(withoutRecord)}` : "";
  const ids = units.flatMap(({ removedIds = [] }) => removedIds);
  const unread = units.filter(({ removedIds }) => removedIds?.length === 0).map(({ stack }) => stack);
  const parts = [
    ...(whole.length > 0 || ids.length + unread.length === 0 ? [`${plural(whole.length, "stack")}${names}`] : []),
    ...(ids.length > 0 ? [`${plural(ids.length, "customer")} in shared stacks: ${list(ids)}`] : []),
    ...(unread.length > 0 ? [`${plural(unread.length, "stack")} whose customers cannot be read: ${list(unread)}`] : []),
  ];
  return parts.join(", and of ");
}

export const removedText = (removed: readonly string[], file: string): string =>
  `Not in ${file}, and unchanged: ${list(removed)}. To delete what they manage: esign fleet destroy --removed`;

/** Runs that have nothing to do with each other have each their journal. */
export const journalName = (verb: FleetVerb, { prefix, removed, shard }: SelectOptions): string =>
  `${verb}${removed ? "-removed" : ""}-${prefix}${shard ? `-${shard.index}-of-${shard.of}` : ""}`;

/** What is to be done, and what is not, with the reason. */
export function divide(
  units: readonly Unit[],
  verb: FleetVerb,
  { stacks }: Pick<FleetWorkspace, "stacks">,
  { past, salt }: Pick<Journal, "past" | "salt">,
): { todo: Unit[]; skipped: Outcome[] } {
  const todo: Unit[] = [];
  const skipped: Outcome[] = [];
  const creates = verb === "up" || verb === "preview";
  for (const unit of units) {
    const { stack, ids, suspended } = unit;
    const reason = suspended
      ? "suspended"
      : !creates && !stacks.has(stack)
        ? "not deployed"
        : past?.finished.get(stack) === hashOf(unit, salt)
          ? "finished before"
          : undefined;
    if (reason === undefined) todo.push(unit);
    else skipped.push({ stack, ids, status: "skipped", reason, changes: {}, seconds: 0 });
  }
  return { todo, skipped };
}
