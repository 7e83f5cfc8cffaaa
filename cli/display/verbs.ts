/**
 * The symbol, colour and words for what happens to a resource: the effect on the account if known, otherwise the operation of the engine.
 */
import type { Colors } from "picocolors/types";
import type { StepOp } from "../../engine/events";
import type { EffectName } from "../../provider/plan/effect";

type Paint = (text: string) => string;

/** `options`: resource options change. `gone`: a refresh did not find the object. */
export type StepVerb = StepOp | Exclude<EffectName, "unread"> | "options" | "gone";

interface Style {
  /** Two columns wide. No two effects on an account share one: a symbol alone must be enough. */
  symbol: string;
  colour: keyof Colors;
  /** planned, in progress, done */
  words: readonly [string, string, string];
}

/** In the order of the summary. */
const styles: Record<StepVerb, Style> = {
  create: { symbol: "+ ", colour: "green", words: ["create", "creating", "created"] },
  "create-duplicate": {
    symbol: "+=",
    colour: "green",
    words: ["create another", "creating another", "created another"],
  },
  "adopt-and-update": {
    symbol: "=~",
    colour: "yellow",
    words: ["adopt and update", "adopting and updating", "adopted, updated"],
  },
  adopt: { symbol: "= ", colour: "cyan", words: ["adopt", "adopting", "adopted"] },
  update: { symbol: "~ ", colour: "yellow", words: ["update", "updating", "updated"] },
  overwrite: { symbol: "!~", colour: "red", words: ["overwrite", "overwriting", "overwritten"] },
  replace: { symbol: "+-", colour: "magenta", words: ["replace", "replacing", "replaced"] },
  delete: { symbol: "- ", colour: "red", words: ["delete", "deleting", "deleted"] },
  restore: { symbol: "↩ ", colour: "yellow", words: ["restore", "restoring", "restored"] },
  release: { symbol: "○ ", colour: "cyan", words: ["release", "releasing", "released"] },
  refresh: { symbol: "↓ ", colour: "yellow", words: ["refresh", "refreshing", "refreshed"] },
  gone: { symbol: "? ", colour: "red", words: ["remove from state (not found)", "reading", "not found"] },
  none: { symbol: "* ", colour: "cyan", words: ["update state only", "updating", "state updated"] },
  options: { symbol: "* ", colour: "cyan", words: ["change options", "changing options", "options changed"] },
  read: { symbol: "> ", colour: "cyan", words: ["read", "reading", "read"] },
  import: { symbol: "=<", colour: "green", words: ["import", "importing", "imported"] },
  discard: { symbol: ">-", colour: "cyan", words: ["discard", "discarding", "discarded"] },
  "remove-pending-replace": { symbol: "+-", colour: "magenta", words: ["complete", "completing", "completed"] },
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
  blocked: { symbol: "✗ ", colour: "red", words: ["blocked", "checking", "blocked"] },
  conflict: { symbol: "! ", colour: "red", words: ["conflict", "checking", "conflict"] },
  same: { symbol: "  ", colour: "dim", words: ["unchanged", "checking", "unchanged"] },
};

export const verbs = Object.keys(styles) as StepVerb[];

/** One replacement is three steps: create, replace, delete. Only the middle one is a resource that changed. */
export const partsOfReplace: ReadonlySet<StepVerb> = new Set(["create-replacement", "delete-replaced"]);

export const paintOf = (verb: StepVerb, colours: Colors): Paint => colours[styles[verb].colour] as Paint;
export const symbolOf = (verb: StepVerb): string => styles[verb].symbol;
export const plannedWord = (verb: StepVerb): string => styles[verb].words[0];
export const runningWord = (verb: StepVerb): string => styles[verb].words[1];
export const doneWord = (verb: StepVerb): string => styles[verb].words[2];

/** `2 to adopt`, `2 adopted`. */
export function countWord(verb: StepVerb, preview: boolean): string {
  if (verb === "blocked" || verb === "conflict") return verb === "conflict" ? "in conflict" : verb;
  return preview ? `to ${plannedWord(verb)}` : doneWord(verb).replace(", ", " and ");
}
