/** Formats values and their changes: on one line if possible; long texts are compared line by line. */
import { diffArrays, structuredPatch } from "diff";
import type { Colors } from "picocolors/types";
import type { PropertyDiff } from "../../engine/events";
import { isArchive, isAsset, isObject, type Value } from "../../engine/resource/property-value";
import { SIG_KEY, SignatureKind } from "../../engine/resource/signatures";
import { clean } from "./terminal-text";

type Paint = (text: string) => string;

const placeholders: ReadonlySet<unknown> = new Set(["[secret]", "[unknown]", "[hidden]"]);

/** True for the text that is printed in place of a value. */
export const isPlaceholder = (value: unknown): boolean => placeholders.has(value);

/** An asset in a few words; undefined for anything else. */
function assetText(value: unknown): string | undefined {
  if (!isAsset(value as Value) && !isArchive(value as Value)) return undefined;
  const { path, uri, hash, [SIG_KEY]: kind } = value as Record<string, unknown>;
  return `[${kind === SignatureKind.asset ? "asset" : "archive"} ${path ?? uri ?? String(hash).slice(0, 8)}]`;
}

/** A value on as few lines as it reads well on. */
export function valueLines(value: unknown): string[] {
  if (typeof value === "string") {
    if (isPlaceholder(value)) return [value];
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
    const short = `[${value.map((item) => (placeholders.has(item) ? item : JSON.stringify(item))).join(",")}]`;
    if (short.length <= 60 && value.every((item) => item === null || typeof item !== "object")) return [short];
    return value.flatMap((item, i) => labelled(`[${i}]`, item));
  }
  if (isFilledObject(value)) {
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
/** True for a text that is shown line by line. */
export const isLong = (value: unknown): boolean => isText(value) && (value.includes("\n") || value.length > 72);
const isFilledObject = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.keys(value).length > 0 && assetText(value) === undefined;
const isFilledList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;
const isSmall = (value: unknown): boolean =>
  value === null ||
  typeof value !== "object" ||
  assetText(value) !== undefined ||
  (JSON.stringify(value).length <= 60 && valueLines(value).length === 1);

/** How much of a value is shown. */
export interface ValueOptions {
  /** The most lines of one value. */
  limit: number;
  /** Of long texts, only how many lines differ. */
  brief?: boolean;
}

/** One property's change. Long texts are compared line by line. */
export function propertyLines(diff: PropertyDiff, colours: Colors, options: ValueOptions): string[] {
  const { limit, brief = false } = options;
  const why = diff.replaces ? colours.magenta(" [forces replacement]") : "";
  const name = clean(diff.path, false);
  const whole = diff.kind === "add" ? diff.after : diff.kind === "delete" ? diff.before : undefined;
  if (brief && isText(whole) && whole.includes("\n")) {
    const [sign, paint] = diff.kind === "add" ? (["+", colours.green] as const) : (["-", colours.red] as const);
    return [`${paint(`${sign} ${name}:`)} ${whole.trimEnd().split("\n").length} lines${why}`];
  }
  if (diff.kind === "add") return signed("+", colours.green, labelled(name, diff.after), limit, why);
  if (diff.kind === "delete") return signed("-", colours.red, labelled(name, diff.before), limit, why);
  const head = `${colours.yellow("~")} ${name}:`;
  const { before, after } = diff;
  if (isText(before) && isText(after) && isLongChange(before, after)) {
    if (brief && (before + after).includes("\n")) return [`${head} ${changedLines(before, after, colours)}${why}`];
    return [`${head}${why}`, ...textDiff(before, after, colours, limit).map((line) => `    ${line}`)];
  }
  if (isFilledObject(before) && isFilledObject(after)) {
    return [`${head}${why}`, ...changeLines(after, before, colours, true, options).map((line) => `    ${line}`)];
  }
  if (isSmall(before) && isSmall(after)) {
    const [old, now] = [valueLines(before)[0] ?? "", valueLines(after)[0] ?? ""];
    return [`${head} ${colours.red(old)} → ${colours.green(now)}${why}`];
  }
  const items = isFilledList(before) && isFilledList(after) ? listChanges(before, after) : [];
  if (items.length > 0) {
    const unlimited = { ...options, limit: Number.POSITIVE_INFINITY };
    const lines = items.flatMap((change) => propertyLines(change, colours, unlimited));
    return [`${head}${why}`, ...cut(lines, limit).map((line) => `    ${line}`)];
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
  return [...lines.slice(0, limit), `… ${lines.length - limit} more lines (--diff shows all)`];
}

/** The items that differ: one that comes first changes no other. Where as many are removed as added, each is an update. */
function listChanges(before: readonly unknown[], after: readonly unknown[]): PropertyDiff[] {
  const changes: PropertyDiff[] = [];
  let [old, now] = [0, 0];
  let removed = 0;
  for (const part of diffArrays(before.map(toText), after.map(toText))) {
    for (let i = 0; i < part.count; i++) {
      if (part.removed) changes.push({ path: `[${old}]`, kind: "delete", replaces: false, before: before[old++] });
      else if (part.added && removed === part.count) {
        const change = changes[changes.length - removed + i]!;
        changes[changes.length - removed + i] = { ...change, path: `[${now}]`, kind: "update", after: after[now++] };
      } else if (part.added) changes.push({ path: `[${now}]`, kind: "add", replaces: false, after: after[now++] });
      else [old, now] = [old + 1, now + 1];
    }
    removed = part.removed ? part.count : 0;
  }
  return changes;
}

const toText = (value: unknown): string => JSON.stringify(value) ?? "null";

const isLongChange = (before: string, after: string): boolean => isLong(before) || isLong(after);

const hunksOf = (before: string, after: string) =>
  structuredPatch("", "", before, after, undefined, undefined, { context: 2 }).hunks;

const editedLines = (before: string, after: string): string[] =>
  hunksOf(before, after).flatMap(({ lines }) => lines.filter((line) => /^[+-]/.test(line)));

/** The change of a long text, for comparing with those of others; undefined for other changes. */
export function textChangeOf({ kind, path, before, after }: PropertyDiff): string | undefined {
  if (kind !== "update" || !isText(before) || !isText(after) || !(before + after).includes("\n")) return undefined;
  return [path, ...editedLines(before, after)].join("\n");
}

/** `+2 -1 lines`. */
export function changedLines(before: string, after: string, colours: Colors): string {
  const lines = editedLines(before, after);
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.length - added;
  if (lines.length === 0) return colours.dim("only line ends differ");
  return `${[added && colours.green(`+${added}`), removed && colours.red(`-${removed}`)].filter(Boolean).join(" ")} lines`;
}

function textDiff(before: string, after: string, colours: Colors, limit: number): string[] {
  const lines: string[] = [];
  for (const [i, hunk] of hunksOf(before, after).entries()) {
    if (i > 0 || hunk.oldStart > 1) lines.push(colours.cyan(`@@ line ${hunk.newStart} @@`));
    for (const line of hunk.lines) {
      const text = clean(line, false);
      if (text.startsWith("+")) lines.push(colours.green(`+ ${text.slice(1)}`));
      else if (text.startsWith("-")) lines.push(colours.red(`- ${text.slice(1)}`));
      else if (text.startsWith("\\")) {
        // Shown only where it is the difference.
        if (before.endsWith("\n") !== after.endsWith("\n")) lines.push(colours.dim("  (no line end here)"));
      } else lines.push(colours.dim(`  ${text.slice(1)}`));
    }
  }
  // Line ends alone differ in nothing that a line shows.
  if (lines.length === 0) lines.push(colours.dim("  (only line ends differ)"));
  return cut(lines, limit);
}

/** What differs between two objects, such as the outputs of a stack before and after. */
export function changeLines(
  now: Record<string, unknown>,
  before: Record<string, unknown>,
  colours: Colors,
  onlyChanges: boolean,
  options: ValueOptions = { limit: 20 },
): string[] {
  const lines: string[] = [];
  const show = (diff: Omit<PropertyDiff, "replaces">) =>
    lines.push(...propertyLines({ ...diff, replaces: false }, colours, options));
  for (const path of [...new Set([...Object.keys(now), ...Object.keys(before)])].sort()) {
    if (!(path in now)) show({ path, kind: "delete", before: before[path] });
    else if (!(path in before)) show({ path, kind: "add", after: now[path] });
    else if (JSON.stringify(now[path]) !== JSON.stringify(before[path])) {
      show({ path, kind: "update", before: before[path], after: now[path] });
    } else if (!onlyChanges) lines.push(...labelled(path, now[path]).map((line) => `  ${line}`));
  }
  return lines;
}
