import { isObject, type Value, type ValueMap } from "./property-value";

/** The order and the members that a message would have, so that the state does not depend on who served the provider. */
export function asReceived<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => asReceived(item ?? null)) as T;
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return Object.fromEntries(names.sort().map((name) => [name, asReceived((value as ValueMap)[name]!)])) as T;
}
