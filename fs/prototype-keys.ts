/** Keys such as `__proto__` in files of users: JavaScript would set a prototype where the file has a plain name. */

/** The key that sets an object's prototype: it would give values to objects that do not have them. */
export const PROTOTYPE_KEY = "__proto__";

/** Steps of a path that lead to what all objects share. */
export const isSharedStep = (step: string | number): boolean =>
  step === PROTOTYPE_KEY || step === "constructor" || step === "prototype";

export const prototypeKeyProblem = `the key "${PROTOTYPE_KEY}" is not allowed: it is not a name for a value in JavaScript`;

/**
 * The content of a YAML or JSON file, unchanged.
 * @throws {Error} if a key in it, at any depth, is `__proto__`
 */
export function withoutPrototypeKeys<T>(content: T): T {
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== "object" || seen.has(value)) return;
    seen.add(value);
    if (Object.hasOwn(value, PROTOTYPE_KEY)) throw new Error(prototypeKeyProblem);
    for (const member of Object.values(value)) visit(member);
  };
  visit(content);
  return content;
}
