/** The resources of the old state, grouped by provider instance once for all instances. */
import type { RecordedResource, RecordedState } from "../resource/in-process-providers";
import type { ResourceState } from "../resource/resource-state";
import { providerUrnOf } from "../resource/urn";

export class RecordedResources {
  readonly #resources: readonly ResourceState[];
  #sorted: { own: Map<string, RecordedResource[]>; ids: Map<string, Set<string>> } | undefined;

  constructor(resources: readonly ResourceState[]) {
    this.#resources = resources;
  }

  /** The recorded resources with which a provider instance is opened. */
  of(reference: string): RecordedState {
    this.#sorted ??= sort(this.#resources);
    const { own, ids } = this.#sorted;
    return { own: own.get(providerUrnOf(reference)) ?? [], ids };
  }
}

function sort(resources: readonly ResourceState[]) {
  const own = new Map<string, RecordedResource[]>();
  const ids = new Map<string, Set<string>>();
  for (const { type, id, provider, outputs = {} } of resources) {
    if (id === undefined || provider === undefined) continue;
    addTo(own, providerUrnOf(provider), { type, id, outputs });
    ids.set(type, (ids.get(type) ?? new Set()).add(id));
  }
  return { own, ids };
}

function addTo<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [item]);
  else list.push(item);
}
