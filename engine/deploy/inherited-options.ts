/**
 * The options that resources inherit from their parents.
 *
 * Used for: the options provider, providers, protect, retainOnDelete and deletedWith of RegisterResource.
 */
import type { Goal } from "../resource/goal";
import type { PluginRequest } from "../resource/plugin-request";
import { isProviderType, packageOf, providerUrnOf, typeOf } from "../resource/urn";

type ParentOptions = Pick<Goal, "provider" | "providers" | "protect" | "retainOnDelete" | "deletedWith">;

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
      provider: needsProvider(goal) ? await this.#providerOf(goal, parent) : "",
      // Only components pass providers on to their children.
      providers: goal.custom ? {} : { ...parent?.providers, ...goal.providers },
    };
  }

  /** Remembers the options of a goal, resolved, for its children. */
  remember(urn: string, { provider, providers, protect, retainOnDelete, deletedWith }: Goal): void {
    this.#byUrn.set(urn, { provider, providers, protect, retainOnDelete, deletedWith });
  }

  /** Its own provider, that of its parent, that of the components around it, or the default one. */
  async #providerOf(goal: Goal, parent: ParentOptions | undefined): Promise<string> {
    if (goal.provider !== "") return goal.provider;
    const pkg = packageOf(goal.type);
    if (parent?.provider && packageOf(typeOf(providerUrnOf(parent.provider))) === pkg) return parent.provider;
    return goal.providers[pkg] ?? parent?.providers[pkg] ?? this.#defaultProvider(goal.plugin);
  }
}

/** Components of plugins have a provider until they register themselves. */
const needsProvider = ({ custom, remote, type }: Goal): boolean => remote || (custom && !isProviderType(type));
