/**
 * What was checked, by its arguments: the SDK's dynamic provider hands `diff`, `create` and `update` nothing else by which
 * to find the resource.
 */
import type { Properties } from "../core/pulumi-values";
import type { Registration } from "../core/registration";

interface RegisteredResource extends Omit<Registration, "isPreview"> {
  /** Those with the same arguments. */
  alike: ReadonlySet<string | undefined>;
}

export class RegisteredResources {
  readonly #byArguments = new Map<string, RegisteredResource>();
  /** By URN, once checked: its arguments in the state. */
  readonly #checked = new Map<string, Properties>();

  /** Records a resource that is being checked. */
  add(kind: string, inputs: Properties, { isPreview: _, ...registration }: Registration): void {
    const key = keyOf(kind, inputs);
    const { alike = [], secrets = [] } = this.#byArguments.get(key) ?? {};
    this.#byArguments.set(key, {
      // Engines compare a resource right after its check: of several alike it is the last one.
      ...registration,
      alike: new Set([...alike, registration.urn]),
      secrets: [...secrets, ...(registration.secrets ?? [])],
    });
  }

  /** Records the arguments that a resource has in the state. Returns the ones before, if it is being replaced: then it is checked again, without any. */
  addState(urn: string, olds: Properties): Properties | undefined {
    const previous = this.#checked.get(urn);
    this.#checked.set(urn, olds);
    return previous !== undefined && Object.keys(previous).length > 0 ? previous : undefined;
  }

  /** What is known of the resource that has these arguments. Of several, not which one. */
  find(kind: string, inputs: Properties): Omit<Registration, "isPreview"> | undefined {
    const found = this.#byArguments.get(keyOf(kind, inputs));
    if (found === undefined) return undefined;
    const { alike, ...registration } = found;
    if (alike.size === 1) return registration;
    const { name: _, urn: __, ...shared } = registration;
    return shared;
  }
}

/** A key for a resource by its arguments, which the engine may return in another order. */
function keyOf(kind: string, inputs: Properties): string {
  const entries = Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null);
  return JSON.stringify([kind, ...entries.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
