/** How steps, the plan and the counts read: symbols, words, a tree. */
import type { Colors } from "picocolors/types";
import width from "string-width";
import type { RunResult, StepInfo, StepOp } from "../../engine/events";
import { nameOf, typeOf } from "../../engine/resource/urn";
import { clean, pad } from "./text";
import { propertyLines } from "./values";

type Paint = (text: string) => string;

interface OpStyle {
  symbol: string;
  colour: keyof Colors;
  /** planned, under way, done */
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
  gone: { symbol: "- ", colour: "red", words: ["forget, it is gone", "looking for", "gone"] },
  retain: { symbol: "- ", colour: "cyan", words: ["forget, not delete", "forgetting", "forgotten, not deleted"] },
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
export const shortType = (type: string): string => type.replace(/^pulumi-nodejs:dynamic\//, "");

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

/** One line of the plan, and what is written below it. */
interface Row {
  step: ShownStep | undefined;
  urn: string;
  children: Row[];
}

/** The plan as a tree: what changes, below what it belongs to. Empty when nothing changes. */
export function planLines(
  steps: readonly ShownStep[],
  colours: Colors,
  options: { diff: boolean; limit: number; showSames?: boolean },
): string[] {
  const changed = new Map<string, ShownStep>();
  const all = new Map(steps.map((step) => [step.urn, step]));
  for (const step of steps) {
    if (step.op === "same" && !options.showSames) continue;
    const known = changed.get(step.urn);
    // A replacement's parts are one row, its middle step; the diffs may be on any of them.
    if (known !== undefined && !partsOfReplace.has(known.op)) {
      if (known.op === "replace" && known.diffs === undefined && step.diffs !== undefined) {
        changed.set(step.urn, { ...known, diffs: step.diffs });
      }
      continue;
    }
    const diffs = step.diffs ?? known?.diffs;
    changed.set(step.urn, {
      ...step,
      op: partsOfReplace.has(step.op) && known !== undefined ? "replace" : step.op,
      ...(diffs === undefined ? {} : { diffs }),
    });
  }
  if (changed.size === 0) return [];

  const rows = new Map<string, Row>();
  const roots: Row[] = [];
  const rowOf = (urn: string): Row => {
    let row = rows.get(urn);
    if (row !== undefined) return row;
    row = { urn, step: changed.get(urn), children: [] };
    rows.set(urn, row);
    const parent = (changed.get(urn) ?? all.get(urn))?.parent;
    (parent === undefined ? roots : rowOf(parent).children).push(row);
    return row;
  };
  for (const urn of changed.keys()) rowOf(urn);

  const cells: { symbol: string; tree: string; name: string; plan: string; below: string[] }[] = [];
  const walk = (row: Row, before: string, last: boolean, depth: number): void => {
    const branch = depth === 0 ? "" : `${before}${last ? "└─ " : "├─ "}`;
    const { step } = row;
    const paint = step === undefined ? colours.dim : paintOf(step.op, colours);
    cells.push({
      symbol: paint(step === undefined ? "  " : symbolOf(step.op)),
      tree: branch + shortType(step?.type ?? typeOf(row.urn)),
      name: clean(step?.name ?? nameOf(row.urn), false),
      plan:
        step === undefined ? "" : paint(plannedWord(step.op)) + (step.reason ? colours.dim(` (${step.reason})`) : ""),
      below: step === undefined ? [] : details(step, colours, options),
    });
    const next = depth === 0 ? "" : `${before}${last ? "   " : "│  "}`;
    row.children.forEach((child, i) => {
      walk(child, next, i === row.children.length - 1, depth + 1);
    });
  };
  for (const root of roots) walk(root, "", true, 0);

  const treeWidth = Math.min(60, Math.max(4, ...cells.map((cell) => width(cell.tree))));
  const nameWidth = Math.min(50, Math.max(4, ...cells.map((cell) => width(cell.name))));
  return [
    colours.bold(`     ${pad("Type", treeWidth)}  ${pad("Name", nameWidth)}  Plan`),
    ...cells.flatMap((cell) => [
      ` ${cell.symbol}  ${pad(cell.tree, treeWidth)}  ${pad(cell.name, nameWidth)}  ${cell.plan}`.trimEnd(),
      ...cell.below.map((line) => `${" ".repeat(10)}${line}`),
    ]),
  ];
}

function details(step: ShownStep, colours: Colors, options: { diff: boolean; limit: number }): string[] {
  const diffs = step.diffs ?? [];
  if (diffs.length > 0) return diffs.flatMap((diff) => propertyLines(diff, colours, options.limit));
  if (!options.diff || step.inputs === undefined) return [];
  const kind = step.op === "delete" || step.op === "delete-replaced" ? "delete" : "add";
  return Object.entries(step.inputs).flatMap(([path, value]) =>
    propertyLines(
      { path, kind, replaces: false, [kind === "add" ? "after" : "before"]: value },
      colours,
      options.limit,
    ),
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
 * The counts at the end: one line per kind of change. What `shown` has as retained or gone is among the deletions of the
 * result, what has other options among what is the same.
 */
export function summaryLines(
  result: RunResult,
  shown: Partial<Record<ShownOp, number>>,
  failed: number,
  colours: Colors,
): string[] {
  const { retain = 0, gone = 0, options = 0 } = shown;
  const deletions = (result.changes.delete ?? 0) - retain - (result.operation === "refresh" ? gone : 0);
  const same = (result.changes.same ?? 0) - options;
  const changes: Partial<Record<ShownOp, number>> = {
    ...result.changes,
    same,
    options,
    delete: deletions,
    retain,
    gone,
  };
  const lines: string[] = [];
  for (const op of summaryOrder) {
    const count = changes[op] ?? 0;
    if (count === 0 || op === "same" || (partsOfReplace.has(op) && (changes.replace ?? 0) > 0)) continue;
    const word = result.preview && op !== "gone" ? `to ${plannedWord(op)}` : doneWord(op);
    lines.push(`    ${paintOf(op, colours)(`${symbolOf(op).trim()} ${count} ${word}`)}`);
  }
  if (failed > 0) lines.push(`    ${colours.red(`✗ ${failed} failed`)}`);
  if (changes.same) lines.push(`    ${changes.same} unchanged`);
  if (lines.length === 0) lines.push(colours.dim("    none"));
  return [colours.bold("Resources:"), ...lines];
}
