/**
 * How events read: symbols, words, values, property changes, trees, counts. Pure functions from data to lines of text;
 * who writes them where is display.ts's business.
 */
import { stripVTControlCharacters } from "node:util";
import { structuredPatch } from "diff";
import type { Colors } from "picocolors/types";
import width from "string-width";
import type { PropertyDiff, RunResult, StepInfo, StepOp } from "./events";
import { isArchive, isAsset, Kind, SIGNATURE, type Value } from "./values";

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
export const planned = (op: ShownOp): string => styles[op].words[0];
export const underWay = (op: ShownOp): string => styles[op].words[1];
export const done = (op: ShownOp): string => styles[op].words[2];

/** Dynamic resources all have the same first part in their type; people know them by the rest. */
export const shortType = (type: string): string => type.replace(/^pulumi-nodejs:dynamic\//, "");

const colourSequence = /(\p{Cc}\[[\d;]*m)/u;

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

/** Text from programs may hold anything: what moves the cursor is taken out, colours only stay where colours are wanted. */
export function clean(text: string, colours: boolean): string {
  const plain = (part: string) =>
    stripVTControlCharacters(part.replace(/\r\n?/g, "\n")).replace(/(?![\n\t])\p{Cc}/gu, "");
  if (!colours) return plain(text);
  return text
    .split(colourSequence)
    .map((part, i) => (i % 2 === 1 ? part : plain(part)))
    .join("");
}

export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, "0")}s`;
}

/** Cuts a text to a width, as terminals measure it. */
export function truncate(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let result = "";
  for (const character of text) {
    if (width(result + character) > columns - 1) break;
    result += character;
  }
  return `${result}…`;
}

export const pad = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - width(text)));

const placeholders = new Set(["[secret]", "[unknown]"]);

/** An asset in a few words; undefined for anything else. */
function assetText(value: unknown): string | undefined {
  if (!isAsset(value as Value) && !isArchive(value as Value)) return undefined;
  const { path, uri, hash, [SIGNATURE]: kind } = value as Record<string, unknown>;
  return `[${kind === Kind.asset ? "asset" : "archive"} ${path ?? uri ?? String(hash).slice(0, 8)}]`;
}

/** A value on as few lines as it reads well on. */
export function valueLines(value: unknown): string[] {
  if (typeof value === "string") {
    if (placeholders.has(value)) return [value];
    if (!value.includes("\n")) return [JSON.stringify(value)];
    return [
      "|",
      ...value
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `    ${clean(line, false)}`),
    ];
  }
  const asset = assetText(value);
  if (asset !== undefined) return [asset];
  if (Array.isArray(value) && value.length > 0) {
    const short = JSON.stringify(value);
    if (short.length <= 60 && value.every((item) => item === null || typeof item !== "object")) return [short];
    return value.flatMap((item, i) => labelled(`[${i}]`, item));
  }
  if (value !== null && typeof value === "object" && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item]) => labelled(key, item));
  }
  return [JSON.stringify(value) ?? "null"];
}

/** `key: value`, on several indented lines when the value takes them. */
function labelled(key: string, value: unknown): string[] {
  const [first = "", ...rest] = valueLines(value);
  const nested = value !== null && typeof value === "object" && (rest.length > 0 || !/^[[{]/.test(first));
  if (nested) return [`${clean(key, false)}:`, ...[first, ...rest].map((line) => `    ${line}`)];
  return [`${clean(key, false)}: ${first}`, ...rest];
}

const isText = (value: unknown): value is string => typeof value === "string" && !placeholders.has(value);
const isLong = (value: unknown): boolean => isText(value) && (value.includes("\n") || value.length > 72);
const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  value !== null &&
  typeof value === "object" &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  assetText(value) === undefined;
const isSmall = (value: unknown): boolean =>
  value === null ||
  typeof value !== "object" ||
  assetText(value) !== undefined ||
  (JSON.stringify(value).length <= 60 && valueLines(value).length === 1);

/** One property's change. Long texts are compared line by line. `limit` is the most lines that are shown of it. */
export function propertyLines(diff: PropertyDiff, colours: Colors, limit: number): string[] {
  const why = diff.replaces ? colours.magenta(" [forces replacement]") : "";
  const name = clean(diff.path, false);
  if (diff.kind === "add") return signed("+", colours.green, labelled(name, diff.after), limit, why);
  if (diff.kind === "delete") return signed("-", colours.red, labelled(name, diff.before), limit, why);
  const head = `${colours.yellow("~")} ${name}:`;
  const { before, after } = diff;
  if (isText(before) && isText(after) && (isLong(before) || isLong(after))) {
    return [`${head}${why}`, ...textDiff(before, after, colours, limit).map((line) => `    ${line}`)];
  }
  if (isPlainObject(before) && isPlainObject(after)) {
    return [`${head}${why}`, ...changeLines(after, before, colours, true, limit).map((line) => `    ${line}`)];
  }
  if (isSmall(before) && isSmall(after)) {
    const [old, now] = [valueLines(before)[0] ?? "", valueLines(after)[0] ?? ""];
    return [`${head} ${colours.red(old)} => ${colours.green(now)}${why}`];
  }
  return [
    `${head}${why}`,
    ...signed("-", colours.red, valueLines(before), limit).map((line) => `    ${line}`),
    ...signed("+", colours.green, valueLines(after), limit).map((line) => `    ${line}`),
  ];
}

const signed = (sign: string, paint: Paint, lines: string[], limit: number, note = ""): string[] =>
  cut(
    lines.map((line, i) => (i === 0 ? `${paint(`${sign} ${line}`)}${note}` : paint(`  ${line}`))),
    limit,
  );

function cut(lines: string[], limit: number): string[] {
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, limit), `… ${lines.length - limit} more lines (all with --diff)`];
}

function textDiff(before: string, after: string, colours: Colors, limit: number): string[] {
  const lines: string[] = [];
  const patch = structuredPatch("", "", before, after, undefined, undefined, { context: 2 });
  for (const [i, hunk] of patch.hunks.entries()) {
    if (i > 0 || hunk.oldStart > 1) lines.push(colours.cyan(`@@ line ${hunk.newStart} @@`));
    for (const line of hunk.lines) {
      const text = clean(line, false);
      if (text.startsWith("+")) lines.push(colours.green(`+ ${text.slice(1)}`));
      else if (text.startsWith("-")) lines.push(colours.red(`- ${text.slice(1)}`));
      else if (text.startsWith("\\")) {
        // Worth a word only where that is the difference.
        if (before.endsWith("\n") !== after.endsWith("\n")) lines.push(colours.dim("  (no line end here)"));
      } else lines.push(colours.dim(`  ${text.slice(1)}`));
    }
  }
  // Line ends alone differ in nothing that a line shows.
  if (lines.length === 0) lines.push(colours.dim("  (only line ends differ)"));
  return cut(lines, limit);
}

/** One line of the plan, and what is written below it. */
interface Row {
  step: ShownStep | undefined;
  urn: string;
  children: Row[];
}

const nameOfUrn = (urn: string): string => urn.split("::").slice(3).join("::");
const typeOfUrn = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";

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
      tree: branch + shortType(step?.type ?? typeOfUrn(row.urn)),
      name: clean(step?.name ?? nameOfUrn(row.urn), false),
      plan: step === undefined ? "" : paint(planned(step.op)) + (step.reason ? colours.dim(` (${step.reason})`) : ""),
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

/** What differs between two objects, such as the outputs of a stack before and after. */
export function changeLines(
  now: Record<string, unknown>,
  before: Record<string, unknown>,
  colours: Colors,
  onlyChanges: boolean,
  limit = 20,
): string[] {
  const lines: string[] = [];
  const show = (diff: Omit<PropertyDiff, "replaces">) =>
    lines.push(...propertyLines({ ...diff, replaces: false }, colours, limit));
  for (const path of [...new Set([...Object.keys(now), ...Object.keys(before)])].sort()) {
    if (!(path in now)) show({ path, kind: "delete", before: before[path] });
    else if (!(path in before)) show({ path, kind: "add", after: now[path] });
    else if (JSON.stringify(now[path]) !== JSON.stringify(before[path])) {
      show({ path, kind: "update", before: before[path], after: now[path] });
    } else if (!onlyChanges) lines.push(...labelled(path, now[path]).map((line) => `  ${line}`));
  }
  return lines;
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
    const word = result.preview && op !== "gone" ? `to ${planned(op)}` : done(op);
    lines.push(`    ${paintOf(op, colours)(`${symbolOf(op).trim()} ${count} ${word}`)}`);
  }
  if (failed > 0) lines.push(`    ${colours.red(`✗ ${failed} failed`)}`);
  if (changes.same) lines.push(`    ${changes.same} unchanged`);
  if (lines.length === 0) lines.push(colours.dim("    none"));
  return [colours.bold("Resources:"), ...lines];
}
