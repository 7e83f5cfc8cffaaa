/**
 * The options that resources inherit from their parents.
 *
 * Used for: the options provider, providers, protect, retainOnDelete and deletedWith of RegisterResource, and the providers of reads and calls.
 */
import type { Goal } from "../resource/goal";
import type { PluginRequest } from "../resource/plugin-request";
import { isProviderType, packageOf, providerUrnOf, typeOf } from "../resource/urn";

type ParentOptions = Pick<Goal, "provider" | "providers"> & {
  [Name in "protect" | "retainOnDelete" | "deletedWith"]?: Goal[Name] | undefined;
};

/** What asks for a provider: a resource, a read or a call. */
interface ProviderRequest {
  /** Its own; empty for none. */
  provider: string;
  parent?: string | undefined;
  providers?: Goal["providers"];
  plugin: PluginRequest;
}

export class InheritedOptions {
  readonly #byUrn = new Map<string, ParentOptions>();

  readonly #defaultProvider: (plugin: PluginRequest) => Promise<string>;

  /** @param defaultProvider resolves to the reference of a package's default provider, which it creates if necessary */
  constructor(defaultProvider: (plugin: PluginRequest) => Promise<string>) {
    this.#defaultProvider = defaultProvider;
  }

  /** The goal with all that it inherits, and with a provider if it needs one. */
  async resolve(goal: Goal): Promise<Goal> {
    const parent = goal.parent === undefined ? undefined : this.#byUrn.get(goal.parent);
    return {
      ...goal,
      protect: goal.protect ?? parent?.protect,
      retainOnDelete: goal.retainOnDelete ?? parent?.retainOnDelete,
      deletedWith: goal.deletedWith || parent?.deletedWith || "",
      provider: needsProvider(goal) ? await this.providerOf(goal, goal.type) : "",
      // Only components pass providers on to their children.
      providers: goal.custom ? {} : { ...parent?.providers, ...goal.providers },
    };
  }

  /** Remembers the options of a goal, resolved, for its children. */
  remember(urn: string, { provider, providers, protect, retainOnDelete, deletedWith }: ParentOptions): void {
    this.#byUrn.set(urn, { provider, providers, protect, retainOnDelete, deletedWith });
  }

  /** Its own provider, that of its parent, that of the components around it, or the default one. `token`: its type, or the function. */
  async providerOf({ provider, parent, providers, plugin }: ProviderRequest, token: string): Promise<string> {
    if (provider !== "") return provider;
    const pkg = packageOf(token);
    const above = parent === undefined ? undefined : this.#byUrn.get(parent);
    if (above?.provider && packageOf(typeOf(providerUrnOf(above.provider))) === pkg) return above.provider;
    return providers?.[pkg] ?? above?.providers[pkg] ?? this.#defaultProvider(plugin);
  }
}

/** Components of plugins have a provider until they register themselves. */
const needsProvider = ({ custom, remote, type }: Goal): boolean => remote || (custom && !isProviderType(type));
