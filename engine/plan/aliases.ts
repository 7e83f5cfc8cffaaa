/**
 * Finds the old state of a registration: under its URN, or under an earlier one.
 *
 * Used for: the option aliases of RegisterResource, also as children inherit it.
 */
import type { Alias } from "../resource/goal";
import { createUrn, nameOf, qualifiedType, STACK_TYPE, typeOf } from "../resource/urn";
import type { PlanState } from "./plan-state";

export class Aliases {
  /** Old URN by new URN. */
  readonly #aliasOf = new Map<string, string>();

  readonly #plan: PlanState;

  constructor(plan: PlanState) {
    this.#plan = plan;
  }

  findOld(urn: string, name: string, type: string, parent: string | undefined, aliases: readonly Alias[]) {
    let isInvalid = false;
    const rivalOfUrn = this.#plan.aliased.get(urn);
    if (rivalOfUrn !== undefined) {
      isInvalid = true;
      this.#plan.reportError(urn, `${urn} is registered, but it is already an alias of ${rivalOfUrn}`);
    }
    for (const candidate of [urn, ...this.#aliasUrns(name, type, parent, aliases)]) {
      const old = this.#plan.olds.get(candidate);
      if (old === undefined) continue;
      if (candidate === urn) return { old, isInvalid, alias: undefined };
      const rival = this.#plan.urns.has(candidate) ? urn : this.#plan.aliased.get(candidate);
      if (rival !== undefined) {
        isInvalid = true;
        this.#plan.reportError(urn, `the alias ${candidate} of ${urn} belongs to another resource of the program`);
      }
      this.#plan.aliased.set(candidate, urn);
      this.#aliasOf.set(urn, candidate);
      return { old, isInvalid, alias: candidate };
    }
    return { old: undefined, isInvalid, alias: undefined };
  }

  #aliasUrns(name: string, type: string, parent: string | undefined, aliases: readonly Alias[]): string[] {
    const own = aliases.map((alias) => this.#aliasUrn(name, type, parent, alias));
    const parentAlias = parent === undefined ? undefined : this.#aliasOf.get(parent);
    const inherited =
      parentAlias === undefined
        ? []
        : [this.#inheritedAlias(type, name, nameOf(parent as string), parentAlias)].concat(
            own.map((urn) => this.#inheritedAlias(typeOf(urn), nameOf(urn), nameOf(parent as string), parentAlias)),
          );
    return [...new Set([...own, ...inherited])];
  }

  #aliasUrn(name: string, type: string, ownParent: string | undefined, alias: Alias): string {
    if ("urn" in alias) return alias.urn;
    let parent = ownParent;
    if (alias.parent) parent = this.#aliasOf.get(alias.parent) ?? alias.parent;
    if (alias.noParent || (parent !== undefined && qualifiedType(parent) === STACK_TYPE)) parent = undefined;
    return createUrn(
      alias.stack || this.#plan.options.stack,
      alias.project || this.#plan.options.project,
      parent === undefined ? "" : qualifiedType(parent),
      alias.type || type,
      alias.name || name,
    );
  }

  /** Under a renamed parent: a name that begins with the parent's name changes with it. */
  #inheritedAlias(type: string, name: string, parentName: string, parentAlias: string): string {
    const old = name.startsWith(parentName) ? nameOf(parentAlias) + name.slice(parentName.length) : name;
    return createUrn(this.#plan.options.stack, this.#plan.options.project, qualifiedType(parentAlias), type, old);
  }
}
