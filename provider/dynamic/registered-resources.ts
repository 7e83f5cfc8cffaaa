/**
 * What was checked, by its arguments: the SDK's dynamic provider hands `diff` and `update` nothing else by which to find
 * the resource.
 */
import type { Properties } from "../core/pulumi-values";
import type { Registration, ResourceIdentity } from "../core/registration";

type RegisteredResource = Omit<Registration, "name" | "isPreview"> & { names: readonly string[] };

export class RegisteredResources {
  readonly #byArguments = new Map<string, RegisteredResource>();
  /** By resource, once checked: its arguments in the state. */
  readonly #checked = new Map<ResourceIdentity, Properties>();

  /** Records a resource that is being checked. */
  add(kind: string, inputs: Properties, { name, isPreview: _, ...registration }: Registration): void {
    const key = keyOf(kind, inputs);
    const { names = [], secrets = [] } = this.#byArguments.get(key) ?? {};
    this.#byArguments.set(key, {
      // Engines compare a resource right after its check: of several alike it is the last one.
      ...registration,
      names: name === undefined || names.includes(name) ? names : [...names, name],
      secrets: [...secrets, ...(registration.secrets ?? [])],
    });
  }

  /** Records the arguments that a resource has in the state. Returns the ones before, if it is being replaced: then it is checked again, without any. */
  addState(resource: ResourceIdentity, olds: Properties): Properties | undefined {
    const previous = this.#checked.get(resource);
    this.#checked.set(resource, olds);
    return previous !== undefined && Object.keys(previous).length > 0 ? previous : undefined;
  }

  /** What is known of the resource that has these arguments. Without a name if there are several. */
  find(kind: string, inputs: Properties): Omit<Registration, "isPreview"> | undefined {
    const found = this.#byArguments.get(keyOf(kind, inputs));
    if (found === undefined) return undefined;
    const { names, ...registration } = found;
    return { ...registration, ...(names.length === 1 && { name: names[0]! }) };
  }
}

/** A key for a resource by its arguments, which the engine may return in another order. */
function keyOf(kind: string, inputs: Properties): string {
  const entries = Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null);
  return JSON.stringify([kind, ...entries.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
