/** How steps, the plan and the counts read: symbols, words, a tree. */
import type { Colors } from "picocolors/types";
import width from "string-width";
import type { RunResult, StepInfo, StepOp } from "../../engine/events";
import { nameOf, STACK_TYPE, typeOf } from "../../engine/resource/urn";
import { clean, pad } from "./text";
import { propertyLines, textChangeOf, type ValueOptions } from "./values";

type Paint = (text: string) => string;

interface OpStyle {
  symbol: string;
  colour: keyof Colors;
  /** planned, in progress, done */
  words: readonly [string, string, string];
}

/** What people are shown: what happens to the object, which is not always what happens to the state. */
export type ShownOp = StepOp | "options" | "retain" | "gone";
/** A step as people see it. */
export type ShownStep = Omit<StepInfo, "op"> & { op: ShownOp };

const styles: Record<ShownOp, OpStyle> = {
  same: { symbol: "  ", colour: "dim", words: ["", "checking", "unchanged"] },
  create: { symbol: "+ ", colour: "green", words: ["create", "creating", "created"] },
  update: { symbol: "~ ", colour: "yellow", words: ["update", "updating", "updated"] },
  options: { symbol: "~ ", colour: "cyan", words: ["change options", "changing options", "options changed"] },
  delete: { symbol: "- ", colour: "red", words: ["delete", "deleting", "deleted"] },
  gone: { symbol: "- ", colour: "red", words: ["remove from state (not found)", "reading", "not found"] },
  retain: {
    symbol: "- ",
    colour: "cyan",
    words: ["retain (remove from state only)", "retaining", "retained (removed from state only)"],
  },
  replace: { symbol: "+-", colour: "magenta", words: ["replace", "replacing", "replaced"] },
  "create-replacement": {
    symbol: "++",
    colour: "green",
    words: ["create replacement", "creating replacement", "created replacement"],
  },
  "delete-replaced": {
    symbol: "--",
    colour: "red",
    words: ["delete original", "deleting original", "deleted original"],
  },
  read: { symbol: "> ", colour: "cyan", words: ["read", "reading", "read"] },
  refresh: { symbol: "~ ", colour: "yellow", words: ["refresh", "refreshing", "refreshed"] },
  discard: { symbol: "< ", colour: "cyan", words: ["discard", "discarding", "discarded"] },
  "remove-pending-replace": { symbol: "~ ", colour: "yellow", words: ["complete", "completing", "completed"] },
};

/** The order of the summary. */
const summaryOrder = Object.keys(styles) as ShownOp[];
/** One replacement is three steps: create, replace, delete. Only the middle one is a resource that changed. */
const partsOfReplace: ReadonlySet<ShownOp> = new Set(["create-replacement", "delete-replaced"]);

export const paintOf = (op: ShownOp, colours: Colors): Paint => colours[styles[op].colour] as Paint;
export const symbolOf = (op: ShownOp): string => styles[op].symbol;
export const plannedWord = (op: ShownOp): string => styles[op].words[0];
export const runningWord = (op: ShownOp): string => styles[op].words[1];
export const doneWord = (op: ShownOp): string => styles[op].words[2];

/** Dynamic resources all have the same first part in their type; people know them by the rest. */
export const shortType = (type: string): string =>
  type.replace(/^pulumi-nodejs:dynamic\//, "").replace(/^esign:(index:)?/, "");

/**
 * A step as people see it: without properties that begin with two underscores, which are bookkeeping, with its options
 * among its properties, and with what a refresh found as what it is.
 */
export function visible(step: StepInfo): ShownStep {
  const { diffs, options, inputs, ...rest } = step;
  const properties = diffs?.filter(({ path }) => !path.startsWith("__"));
  const shown = options
    ? [...(properties ?? []), ...options.map((diff) => ({ ...diff, path: `${diff.path} (option)` }))]
    : properties;
  const op = (): ShownOp => {
    if (step.op === "refresh") return step.result === "delete" ? "gone" : shown?.length ? "refresh" : "same";
    if (step.retained) return "retain";
    return step.op === "same" && options ? "options" : step.op;
  };
  return {
    ...rest,
    op: op(),
    ...(shown !== undefined && { diffs: shown }),
    ...(inputs !== undefined && {
      inputs: Object.fromEntries(Object.entries(inputs).filter(([key]) => !key.startsWith("__"))),
    }),
  };
}

/** One line of the plan, and those of its children. */
interface Row {
  step: ShownStep | undefined;
  urn: string;
  children: Row[];
}

export interface PlanOptions extends ValueOptions {
  /** Show the inputs of what is created and deleted. */
  inputs: boolean;
  showSames?: boolean;
}

/** The plan as a tree: what changes, below what it belongs to. Empty when nothing changes. */
export function planLines(steps: readonly ShownStep[], colours: Colors, options: PlanOptions): string[] {
  const changed = changedSteps(steps, options.showSames ?? false);
  if (changed.size === 0) return [];
  const repeated = options.brief ? repeatedChanges(changed.values()) : new Map<string, number>();
  const cells = treeOf(changed, steps).map(({ row, branch }) => {
    const { step } = row;
    const paint = step === undefined ? colours.dim : paintOf(step.op, colours);
    return {
      symbol: paint(step === undefined ? "  " : symbolOf(step.op)),
      tree: branch + shortType(step?.type ?? typeOf(row.urn)),
      name: clean(step?.name ?? nameOf(row.urn), false),
      plan:
        step === undefined ? "" : paint(plannedWord(step.op)) + (step.reason ? colours.dim(` (${step.reason})`) : ""),
      below: step === undefined ? [] : details(step, colours, options, repeated),
    };
  });
  const treeWidth = Math.min(60, Math.max(4, ...cells.map((cell) => width(cell.tree))));
  const nameWidth = Math.min(50, Math.max(4, ...cells.map((cell) => width(cell.name))));
  return [
    colours.bold(`     ${pad("Type", treeWidth)}  ${pad("Name", nameWidth)}  Plan`),
    ...cells.flatMap((cell) => [
      ` ${cell.symbol}  ${pad(cell.tree, treeWidth)}  ${pad(cell.name, nameWidth)}  ${cell.plan}`.trimEnd(),
      ...cell.below.map((line) => `${" ".repeat(7)}${line}`),
    ]),
  ];
}

/** One step for each resource: a replacement's parts are one row, its middle step; the diffs may be on any of them. */
function changedSteps(steps: readonly ShownStep[], showSames: boolean): Map<string, ShownStep> {
  const changed = new Map<string, ShownStep>();
  for (const step of steps) {
    if (step.op === "same" && !showSames) continue;
    const earlier = changed.get(step.urn);
    if (earlier !== undefined && !partsOfReplace.has(earlier.op)) {
      if (earlier.op === "replace" && earlier.diffs === undefined && step.diffs !== undefined) {
        changed.set(step.urn, { ...earlier, diffs: step.diffs });
      }
      continue;
    }
    const diffs = step.diffs ?? earlier?.diffs;
    changed.set(step.urn, {
      ...step,
      op: partsOfReplace.has(step.op) && earlier !== undefined ? "replace" : step.op,
      ...(diffs === undefined ? {} : { diffs }),
    });
  }
  return changed;
}

/** The rows in the order of the tree. The stack is no row: it is in the heading. */
function treeOf(changed: ReadonlyMap<string, ShownStep>, steps: readonly ShownStep[]) {
  const all = new Map(steps.map((step) => [step.urn, step]));
  const rows = new Map<string, Row>();
  const roots: Row[] = [];
  const rowOf = (urn: string): Row => {
    let row = rows.get(urn);
    if (row !== undefined) return row;
    row = { urn, step: changed.get(urn), children: [] };
    rows.set(urn, row);
    const parent = (changed.get(urn) ?? all.get(urn))?.parent;
    if (parent === undefined || typeOf(parent) === STACK_TYPE) roots.push(row);
    else rowOf(parent).children.push(row);
    return row;
  };
  for (const urn of changed.keys()) if (typeOf(urn) !== STACK_TYPE) rowOf(urn);

  const ordered: { row: Row; branch: string }[] = [];
  const visit = (row: Row, before: string, isLast: boolean, depth: number): void => {
    ordered.push({ row, branch: depth === 0 ? "" : `${before}${isLast ? "└─ " : "├─ "}` });
    const next = depth === 0 ? "" : `${before}${isLast ? "   " : "│  "}`;
    row.children.forEach((child, i) => {
      visit(child, next, i === row.children.length - 1, depth + 1);
    });
  };
  for (const root of roots) visit(root, "", true, 0);
  return ordered;
}

/** How many resources have the same change of a long text, by that change. */
function repeatedChanges(steps: Iterable<ShownStep>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { diffs = [] } of steps) {
    for (const change of new Set(diffs.map(textChangeOf).filter((each) => each !== undefined)))
      counts.set(change, (counts.get(change) ?? 0) + 1);
  }
  return counts;
}

function details(
  step: ShownStep,
  colours: Colors,
  options: PlanOptions,
  repeated: ReadonlyMap<string, number>,
): string[] {
  const diffs = step.diffs ?? [];
  if (diffs.length > 0) {
    return diffs.flatMap((diff) => {
      const lines = propertyLines(diff, colours, options);
      const count = repeated.get(textChangeOf(diff) ?? "") ?? 0;
      return count > 1 ? [...lines.slice(0, -1), `${lines.at(-1)} ${colours.dim(`(same in ${count})`)}`] : lines;
    });
  }
  if (!options.inputs || step.inputs === undefined) return [];
  const kind = step.op === "delete" || step.op === "delete-replaced" ? "delete" : "add";
  return Object.entries(step.inputs).flatMap(([path, value]) =>
    propertyLines({ path, kind, replaces: false, [kind === "add" ? "after" : "before"]: value }, colours, options),
  );
}

/** `[~subject, +content]`, behind a resource that was changed. */
export function changedKeys(step: ShownStep): string {
  const signs = { add: "+", delete: "-", update: "~" };
  const keys = [...new Set((step.diffs ?? []).map((d) => signs[d.kind] + clean(d.path, false).split(/[.[]/)[0]))];
  return keys.length === 0 ? "" : ` [${keys.join(", ")}]`;
}

/** True when a run changed, or would change, a resource. */
export const hasChanges = (changes: RunResult["changes"]): boolean =>
  Object.entries(changes).some(([op, count]) => op !== "same" && op !== "read" && op !== "refresh" && (count ?? 0) > 0);

/**
 * The counts at the end, on one line. What `shown` has as retained or not found is among the deletions of the result, what
 * has other options among what is the same. The stack itself, `stackOp`, does not count.
 */
export function summaryLine(
  result: RunResult,
  shown: Partial<Record<ShownOp, number>>,
  failed: number,
  colours: Colors,
  stackOp?: StepOp,
): string {
  const { retain = 0, gone = 0, options = 0 } = shown;
  const counted = { ...result.changes };
  if (stackOp !== undefined && counted[stackOp]) counted[stackOp]--;
  const changes: Partial<Record<ShownOp, number>> = {
    ...counted,
    same: (counted.same ?? 0) - options,
    options,
    delete: (counted.delete ?? 0) - retain - (result.operation === "refresh" ? gone : 0),
    retain,
    gone,
  };
  const parts: string[] = [];
  for (const op of summaryOrder) {
    const count = changes[op] ?? 0;
    if (count === 0 || op === "same" || (partsOfReplace.has(op) && (changes.replace ?? 0) > 0)) continue;
    const word = result.preview ? `to ${plannedWord(op)}` : doneWord(op);
    parts.push(paintOf(op, colours)(`${count} ${word}`));
  }
  if (failed > 0) parts.push(colours.red(`${failed} failed`));
  if (parts.length === 0) {
    const { same = 0 } = changes;
    return `${colours.green("No changes.")} ${same} resource${same === 1 ? "" : "s"} up to date.`;
  }
  if (changes.same) parts.push(`${changes.same} unchanged`);
  return parts.join(", ");
}
