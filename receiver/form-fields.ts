/** Form fields, with lists and objects in brackets as PHP writes them. */
import { ReceiverError } from "./errors";

const MAX_FIELDS = 10_000;
const MAX_DEPTH = 8;

/** A list or an object in the making. */
class Branch {
  /** Values by index or name, in the order in which they came. */
  readonly values = new Map<string, unknown>();
  #nextIndex = 0;

  /** The name of a part: an empty one is the next item of a list. */
  nameOf(part: string): string {
    const name = part === "" ? String(this.#nextIndex) : part;
    if (isIndex(name)) this.#nextIndex = Math.max(this.#nextIndex, Number(name) + 1);
    return name;
  }

  /** If all names are indices, a list in their order. No index makes a list longer than its items. */
  build(): unknown {
    const entries = built(this.values);
    if (!entries.every(([name]) => isIndex(name))) return Object.fromEntries(entries);
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
  }
}

/** The branch of a name; it replaces a text. */
function branchOf(values: Map<string, unknown>, name: string): Branch {
  const value = values.get(name);
  const branch = value instanceof Branch ? value : new Branch();
  values.set(name, branch);
  return branch;
}

const built = (values: Map<string, unknown>): [string, unknown][] =>
  [...values].map(([name, value]) => [name, value instanceof Branch ? value.build() : value]);

const isIndex = (name: string) => /^\d{1,9}$/.test(name);

/**
 * Reads `name=value`, `name[]=item`, `name[0]=item` and `name[0][member]=value`. Of two fields with one name the last counts. Throws
 * `not-an-event`.
 */
export function parseForm(text: string): Record<string, unknown> {
  if (text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS) {
    throw new ReceiverError("not-an-event", `it has more than ${MAX_FIELDS} fields`);
  }
  const root = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(text)) {
    const [first, ...rest] = pathOf(name);
    if (rest.length === 0) root.set(first, value);
    else put(branchOf(root, first), rest, value);
  }
  return Object.fromEntries(built(root));
}

/** `a[b][]` is `a`, `b` and an empty text. A name whose brackets do not match is one part. */
function pathOf(name: string): [first: string, ...rest: string[]] {
  const [, first, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (first === undefined || brackets === undefined) return [name];
  const rest = brackets.slice(1, -1).split("][");
  if (rest.length > MAX_DEPTH)
    throw new ReceiverError("not-an-event", `it has a field with more than ${MAX_DEPTH} brackets`);
  return [first, ...rest];
}

function put(branch: Branch, [part, ...rest]: readonly string[], value: string): void {
  const name = branch.nameOf(part!);
  if (rest.length === 0) branch.values.set(name, value);
  else put(branchOf(branch.values, name), rest, value);
}
