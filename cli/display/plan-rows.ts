/** The plan: one row for each resource that changes, with the effect on the account. */
import type { Colors } from "picocolors/types";
import width from "string-width";
import { nameOf, STACK_TYPE, typeOf } from "../../engine/resource/urn";
import { detailOf, type PlanOptions, repeatedChanges, valuesBelow } from "./row-details";
import { isObject, type ShownStep, shortType } from "./shown-step";
import { clean, pad } from "./terminal-text";
import { paintOf, partsOfReplace, plannedWord, type StepVerb, symbolOf } from "./verbs";

export type { PlanOptions } from "./row-details";

/** One line of the plan, and those of its children. */
interface Row {
  step: ShownStep | undefined;
  urn: string;
  children: Row[];
}

interface Cells {
  symbol: string;
  tree: string;
  name: string;
  effect: string;
  detail: string;
  below: string[];
}

/** More rows than these that all say "release" for the same reason are one. */
const mostReleased = 3;
/** Where the lines below a row begin. */
const indent = " ".repeat(7);

/**
 * Empty when nothing changes.
 * @param columns of the terminal; undefined elsewhere
 */
export function planLines(
  steps: readonly ShownStep[],
  colours: Colors,
  options: PlanOptions,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const changed = changedSteps(steps, options.showSames ?? false);
  if (changed.size === 0) return [];
  const released = options.brief ? groupReleased(changed) : [];
  const repeated = options.brief ? repeatedChanges(changed.values()) : new Map<string, number>();
  const cells = treeOf(changed, steps).map(({ row, branch }) => cellsOf(row, branch, colours, options, repeated));
  return layOut([...cells, ...released.map((group) => groupCells(group, colours))], colours, columns);
}

function cellsOf(
  { step, urn }: Row,
  branch: string,
  colours: Colors,
  options: PlanOptions,
  repeated: ReadonlyMap<string, number>,
): Cells {
  const isShown = step !== undefined && isObject(step);
  const paint = isShown ? paintOf(step.verb, colours) : colours.dim;
  const strong =
    step?.verb === "delete" && (step.detail !== undefined || step.loss !== undefined)
      ? colours.bold
      : (text: string) => text;
  const dimmed = isShown ? (text: string) => text : colours.dim;
  return {
    symbol: paint(step === undefined ? "  " : symbolOf(step.verb)),
    tree: dimmed(branch + shortType(step?.type ?? typeOf(urn))),
    name: dimmed(clean(step?.name ?? nameOf(urn), false)),
    effect: step === undefined ? "" : strong(paint(plannedWord(step.verb))),
    detail: step === undefined ? "" : detailOf(step),
    below: step === undefined ? [] : valuesBelow(step, colours, options, repeated),
  };
}

function groupCells(group: readonly ShownStep[], colours: Colors): Cells {
  const paint = paintOf("release", colours);
  const [first] = group as [ShownStep];
  return {
    symbol: paint(symbolOf("release")),
    tree: `${group.length} resources`,
    name: "",
    effect: paint(plannedWord("release")),
    detail: first.detail ?? "",
    below: [],
  };
}

function layOut(rows: readonly Cells[], colours: Colors, columns: number): string[] {
  const widest = (texts: string[], least: number, most: number) =>
    Math.min(most, Math.max(least, ...texts.map((text) => width(text))));
  // The row of a group needs no name, and may take its place.
  const named = rows.filter(({ name }) => name !== "");
  const tree = widest(
    named.map((row) => row.tree),
    4,
    60,
  );
  const name = widest(
    named.map((row) => row.name),
    4,
    50,
  );
  const effect = widest(
    rows.map((row) => row.effect),
    6,
    40,
  );
  const hasDetails = rows.some(({ detail }) => detail !== "");
  const heading = `     ${pad("Resource", tree + 2 + name)}  ${hasDetails ? `${pad("Effect", effect)}  Detail` : "Effect"}`;
  const left = 5 + tree + 2 + name + 2 + effect + 2;
  return [
    colours.bold(heading),
    ...rows.flatMap((row) => {
      const label = row.name === "" ? row.tree : `${pad(row.tree, tree)}  ${row.name}`;
      const start = ` ${row.symbol}  ${pad(label, tree + 2 + name)}  `;
      const fits = left + width(row.detail) <= columns;
      const line = fits ? `${start}${pad(row.effect, effect)}  ${row.detail}` : `${start}${row.effect}`;
      const below = [...(fits ? [] : [row.detail]), ...row.below];
      return [line.trimEnd(), ...below.map((text) => `${indent}${text}`)];
    }),
  ];
}

/** Takes the groups of rows that are one from the changed steps. */
function groupReleased(changed: Map<string, ShownStep>): ShownStep[][] {
  const groups = new Map<string, ShownStep[]>();
  for (const step of changed.values()) {
    if (step.verb !== "release") continue;
    groups.set(step.detail ?? "", [...(groups.get(step.detail ?? "") ?? []), step]);
  }
  const large = [...groups.values()].filter((group) => group.length > mostReleased);
  for (const { urn } of large.flat()) changed.delete(urn);
  return large;
}

/** One step for each resource: a replacement's parts are one row, its middle step; the diffs may be on any of them. */
function changedSteps(steps: readonly ShownStep[], showSames: boolean): Map<string, ShownStep> {
  const changed = new Map<string, ShownStep>();
  for (const step of steps) {
    const earlier = changed.get(step.urn);
    const isNews = step.verb !== "same" || (showSames && earlier === undefined);
    if (!isNews || step.type === STACK_TYPE) continue;
    changed.set(step.urn, earlier === undefined ? step : merge(earlier, step));
  }
  return changed;
}

/** How many objects have each verb. */
export function countVerbs(steps: readonly ShownStep[]): Partial<Record<StepVerb, number>> {
  const counts: Partial<Record<StepVerb, number>> = {};
  for (const step of changedSteps(steps, true).values())
    if (isObject(step)) counts[step.verb] = (counts[step.verb] ?? 0) + 1;
  return counts;
}

function merge(earlier: ShownStep, step: ShownStep): ShownStep {
  const isPart = partsOfReplace.has(step.verb) || partsOfReplace.has(earlier.verb);
  const diffs = step.diffs ?? earlier.diffs;
  const blocked = [earlier, step].find(({ verb }) => verb === "blocked" || verb === "conflict");
  const [middle, created, deleted] = (["replace", "create-replacement", "delete-replaced"] as const).map((part) =>
    [earlier, step].find(({ verb }) => verb === part),
  );
  return {
    ...(blocked ?? middle ?? step),
    ...(isPart && blocked === undefined && { verb: "replace" as const }),
    ...(blocked === undefined && created?.detail !== undefined && { detail: created.detail }),
    ...(blocked === undefined && deleted?.adopted && { adopted: true }),
    ...(diffs !== undefined && { diffs }),
  };
}

/** The rows in the order of the tree, without the stack, which is in the heading, and components that group nothing. */
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
  for (const urn of changed.keys()) rowOf(urn);

  const ordered: { row: Row; branch: string }[] = [];
  const visit = (row: Row, before: string, isLast: boolean, depth: number): void => {
    ordered.push({ row, branch: depth === 0 ? "" : `${before}${isLast ? "└─ " : "├─ "}` });
    const next = depth === 0 ? "" : `${before}${isLast ? "   " : "│  "}`;
    row.children.forEach((child, i) => {
      visit(child, next, i === row.children.length - 1, depth + 1);
    });
  };
  for (const root of groupsOf(roots)) visit(root, "", true, 0);
  return ordered;
}

/** Siblings without the components that hold all of them, or just one. */
function groupsOf(rows: readonly Row[]): Row[] {
  return rows.flatMap((row) => {
    const children = groupsOf(row.children);
    const isComponent = row.step === undefined || !isObject(row.step);
    const isGroup = rows.length > 1 && children.length > 1;
    return isComponent && children.length > 0 && !isGroup ? children : [{ ...row, children }];
  });
}
