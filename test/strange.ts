/** States that were edited by hand: each part of a value, as something else. */

// The last has no text: `String` throws.
const strange: readonly unknown[] = [7, true, "text", "", null, [], ["text"], {}, { of: 7 }, { toString: [] }];

/** Each variant of a JSON value that has another thing in one place, inside of it. */
export function* edited<T extends object>(value: T): Generator<T> {
  for (const [name, part] of Object.entries(value)) {
    const variants = part !== null && typeof part === "object" ? [...strange, ...edited(part)] : strange;
    for (const variant of variants) {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      Object.assign(copy, { [name]: variant });
      yield copy as T;
    }
  }
}
