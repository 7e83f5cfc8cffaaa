/** Of identical items only the first is kept: a program may not declare an object twice. */
import { displayName, type KindDefinition } from "../../definitions/kind";
import type { Item } from "../../definitions/model";

/** Those that are kept, and a note on each other one. */
export function skipDuplicates(kind: KindDefinition, all: readonly Item[]): { items: Item[]; notes: string[] } {
  const items = new Map<string, Item>();
  const notes: string[] = [];
  for (const item of all) {
    const identity = kind.identity(item);
    const id = item.id === undefined ? "" : ` (id ${item.id})`;
    if (!items.has(identity)) items.set(identity, item);
    else notes.push(`${displayName(kind, kind.nameOf(item))}${id} was skipped: an identical one exists`);
  }
  return { items: [...items.values()], notes };
}
