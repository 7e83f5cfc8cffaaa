/** What a preview says of the creates of a kind in one line, where no display has the records: adoption looks like a create there. */
import type { Effect } from "./effect";
import { describeWrites, sumWrites } from "./writes";

/** One object of a kind and several, where they do not follow from the name of the class. */
const irregularNouns: Record<string, readonly [string, string]> = {
  Branding: ["account's branding", "accounts' branding"],
  BrandingEmail: ["email template", "email templates"],
  Settings: ["account's settings", "accounts' settings"],
};

/** What people call one object of a kind, and several. */
export function nounsOf(kind: string): readonly [one: string, several: string] {
  const one = kind.toLowerCase();
  return irregularNouns[kind] ?? [one, one.endsWith("y") ? `${one.slice(0, -1)}ies` : `${one}s`];
}

export const isAdopted = ({ effect }: Effect) => effect === "adopt" || effect === "adopt-and-update";

/** The line; undefined if every object is new, which the plan shows already. */
export function summarize(kind: string, effects: readonly Effect[]): string | undefined {
  const count = (isCounted: (effect: Effect) => boolean) => effects.filter(isCounted).length;
  const adopted = count(isAdopted);
  const duplicates = count(({ effect }) => effect === "create-duplicate");
  if (adopted + duplicates === 0) return undefined;
  const [one, several] = nounsOf(kind);
  const amount = (number: number) => `${number} ${number === 1 ? one : several}`;
  const changed = count(({ effect }) => effect === "adopt-and-update");
  const writes = describeWrites(sumWrites(effects));
  const share = adopted === effects.length ? amount(adopted) : `${adopted} of ${amount(effects.length)}`;
  return [
    ...(adopted > 0 ? [`adopting ${share}${changed > 0 ? ` (${changed} with changes)` : ""}`] : []),
    ...(duplicates > 0 ? [`creating ${amount(duplicates)} although an identical one exists`] : []),
    writes.endsWith("known") ? `writes ${writes}` : `${writes} write${/\b1$/.test(writes) ? "" : "s"}`,
  ].join(", ");
}

/** Of a record about an explicit provider that is asked nothing in a preview. */
export const providerKind = "Provider";

/** Of what such a provider serves. */
export const unasked: Effect = {
  effect: "unread",
  writes: 1,
  detail: "the key of its provider is not known before the update",
};
