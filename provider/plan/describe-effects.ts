/** Renders effects: what plans, notices and displays show of the fields of one. Why an effect is as it is (`detail`) is written where it is decided. */
import { kinds } from "../../definitions/index";
import type { ResourceKind } from "../../definitions/model";
import { type Amount, type Loss, leastOf, mostOf } from "../core/amount";
import { type Effect, isAdopted, sumWrites } from "./effect";

/** `1 webhook`, `2 email templates`. */
export const countObjects = (kind: ResourceKind, count: number): string =>
  `${count} ${kinds[kind].nouns[count === 1 ? 0 : 1]}`;

/** `2`, `at most 2`, `at least 2`, `unknown`. */
export function describeAmount(amount: Amount): string {
  if (typeof amount === "number") return String(amount);
  if (amount.most !== undefined) return `at most ${amount.most}`;
  return isKnown(amount) ? `at least ${amount.least}` : "unknown";
}

/** True unless nothing at all is known of it. */
const isKnown = (amount: Amount): boolean => leastOf(amount) > 0 || Number.isFinite(mostOf(amount));

/** `1 write`, `at most 2 writes`, `unknown number of writes`. */
export function describeWrites(writes: Amount): string {
  if (!isKnown(writes)) return "unknown number of writes";
  const number = typeof writes === "number" ? writes : (writes.most ?? writes.least);
  return `${describeAmount(writes)} write${number === 1 ? "" : "s"}`;
}

/** `with 3 sent and at least 1 open envelopes`. */
export function describeLoss({ sent, open, reason }: Loss): string {
  const counts = [
    { amount: sent, count: `${describeAmount(sent)} sent`, gap: "the number sent is unknown" },
    { amount: open, count: `${describeAmount(open)} open`, gap: "the number open is unknown" },
  ];
  const texts = counts.flatMap(({ amount, count }) => (isKnown(amount) ? count : []));
  if (texts.length === 0) return `with its data${reason === undefined ? "" : `, which cannot be read: ${reason}`}`;
  const gaps = counts.flatMap(({ amount, gap }) => (isKnown(amount) ? [] : gap));
  return [`with ${texts.join(" and ")} envelopes`, ...gaps].join("; ");
}

/**
 * What a preview says of the creates of a kind in one line, where no display has the records: adoption looks like a create there.
 * Undefined if every object is new, which the plan shows already.
 */
export function summarize(kind: ResourceKind, effects: readonly Effect[]): string | undefined {
  const count = (isCounted: (effect: Effect) => boolean) => effects.filter(isCounted).length;
  const adopted = count(isAdopted);
  const duplicates = count(({ effect }) => effect === "create-duplicate");
  if (adopted + duplicates === 0) return undefined;
  const amount = (number: number) => countObjects(kind, number);
  const changed = count(({ effect }) => effect === "adopt-and-update");
  const share = adopted === effects.length ? amount(adopted) : `${adopted} of ${amount(effects.length)}`;
  const counts = [
    ...(adopted > 0 ? [`adopting ${share}${changed > 0 ? ` (${changed} with changes)` : ""}`] : []),
    ...(duplicates > 0
      ? [
          `creating ${amount(duplicates)} although ${duplicates === 1 ? "an identical one exists" : "identical ones exist"}`,
        ]
      : []),
    describeWrites(sumWrites(effects).writes),
  ].join(", ");
  return changed > 0 ? `${counts}; ${whereReplaced}` : counts;
}

/** A create has no values of before: the Pulumi CLI's own display cannot show what it replaces in the account. */
const whereReplaced = "`esign preview --diff` shows the values that it replaces";

/** The names of the fields of an effect. */
const namesIn = ({ fields = [] }: Partial<Effect>): string => fields.map(({ field }) => field).join(", ");

/** What a table of effects says beside the word; empty if that is all. */
export function describeDetail(effect: Partial<Effect>): string {
  if (effect.effect === "adopt") return "identical";
  if (effect.effect === "adopt-and-update" || effect.effect === "restore") return namesIn(effect);
  return effect.effect === "conflict" ? changedOutside : "";
}

const changedOutside = "changed outside Pulumi";

/** Fields of which a plan without a conflict has the state's value and another one of the account; empty if there are none. */
export function describeChanges({ fields = [] }: Partial<Effect>): string {
  const changed = fields.filter(({ recorded }) => recorded !== undefined);
  return changed.length === 0 ? "" : `${changedOutside}: ${namesIn({ fields: changed })}`;
}

/** Why the run will refuse it; undefined if it will not. */
export function describeRefusal(effect: Partial<Effect>): string | undefined {
  if (effect.effect === "conflict") return `it was ${changedOutside}: ${namesIn(effect)}`;
  return effect.effect === "blocked" ? (effect.detail ?? "blocked") : undefined;
}

/** What is said of a create where no table of effects is shown: in a plan, and when it is done. Undefined for a new object. */
export function describeAdoption(effect: Effect, when: "planned" | "done"): string | undefined {
  const isPlanned = when === "planned";
  const names = namesIn(effect);
  const [adopt, create] = isPlanned ? ["adopts", "creates"] : ["adopted", "created"];
  if (effect.effect === "adopt")
    return `${adopt} the existing one (identical; nothing ${isPlanned ? "to write" : "written"})`;
  if (effect.effect === "adopt-and-update")
    return `${adopt} the existing one (updating ${names}${isPlanned ? `; ${whereReplaced}` : ""})`;
  return effect.effect === "create-duplicate" ? `${create} one although an identical one exists` : undefined;
}
