/** Of identical items only the first is kept: a program may not declare an object twice. */
import { displayName, type KindDefinition } from "../../definitions/kind";
import type { Item } from "../../definitions/model";

/** @param notes gets a note on each item that is skipped */
export function skipDuplicates(kind: KindDefinition, items: readonly Item[], notes: string[]): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const identity = kind.identity(item);
    if (!seen.has(identity)) {
      seen.add(identity);
      return true;
    }
    const id = item.id === undefined ? "" : ` (id ${item.id})`;
    notes.push(`${displayName(kind, kind.nameOf(item))}${id} was skipped: an identical one exists`);
    return false;
  });
}
