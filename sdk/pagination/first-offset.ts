/**
 * How a service counts offsets: the first record has the offset 1 by the specification, 0 in the current edition. A page that was
 * requested without an offset shows which.
 */
import { traits } from "../edition";
import type { ServiceTraits } from "../request/service-traits";

/** The first record's offset: as responses have shown it, else by the edition. */
export function assumedFirstOffset({ firstOffset, bodies }: ServiceTraits): 0 | 1 {
  return firstOffset ?? traits[bodies].firstOffset;
}

/** The first record's offset by a page of `length` records, requested without an offset; undefined if it does not show it. */
export function firstOffsetOf(page: Record<string, unknown>, length: number): 0 | 1 | undefined {
  if (length === 0) return undefined;
  const { offset } = page;
  const next = Number(/[?&]offset=(\d+)/.exec(typeof page.next === "string" ? page.next : "")?.[1]);
  // 1 may as well be the page's own offset: some services have a `next` that does not advance.
  const byNext = next === 1 ? undefined : ([0, 1] as const).find((first) => next === first + length);
  if (byNext !== undefined) return byNext;
  if (offset === 0) return 0;
  // Of one record, 1 may as well be the number of records in the page.
  return offset === 1 && length > 1 ? 1 : undefined;
}
