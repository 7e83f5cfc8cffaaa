/**
 * Finds the old state of what registers: under its URN, or under one that it had before.
 *
 * Serves: the option aliases of RegisterResource, also as children inherit it.
 */
import type { Alias } from "../resource/goal";
import { createUrn, nameOf, qualifiedType, STACK_TYPE, typeOf } from "../resource/urn";
import type { PlanState } from "./plan-state";

export class Aliases {
  /** The old URN by which a new one was found. */
  private readonly aliasOf = new Map<string, string>();

  constructor(private readonly plan: PlanState) {}

  findOld(urn: string, name: string, type: string, parent: string | undefined, given: readonly Alias[]) {
    let invalid = false;
    const claimedBy = this.plan.aliased.get(urn);
    if (claimedBy !== undefined) {
      invalid = true;
      this.plan.options.report("error", urn, `${urn} is registered, but ${claimedBy} has it as an alias already`);
    }
    for (const candidate of [urn, ...this.aliasUrns(name, type, parent, given)]) {
      const old = this.plan.olds.get(candidate);
      if (old === undefined) continue;
      if (candidate === urn) return { old, invalid, alias: undefined };
      const rival = this.plan.urns.has(candidate) ? urn : this.plan.aliased.get(candidate);
      if (rival !== undefined) {
        invalid = true;
        this.plan.options.report(
          "error",
          urn,
          `the alias ${candidate} of ${urn} belongs to another resource of the program`,
        );
      }
      this.plan.aliased.set(candidate, urn);
      this.aliasOf.set(urn, candidate);
      return { old, invalid, alias: candidate };
    }
    return { old: undefined, invalid, alias: undefined };
  }

  private aliasUrns(name: string, type: string, parent: string | undefined, given: readonly Alias[]): string[] {
    const own = given.map((alias) => this.aliasUrn(name, type, parent, alias));
    const parentAlias = parent === undefined ? undefined : this.aliasOf.get(parent);
    const inherited =
      parentAlias === undefined
        ? []
        : [this.inheritedAlias(type, name, nameOf(parent as string), parentAlias)].concat(
            own.map((urn) => this.inheritedAlias(typeOf(urn), nameOf(urn), nameOf(parent as string), parentAlias)),
          );
    return [...new Set([...own, ...inherited])];
  }

  private aliasUrn(name: string, type: string, ownParent: string | undefined, alias: Alias): string {
    if ("urn" in alias) return alias.urn;
    let parent = ownParent;
    if (alias.parent) parent = this.aliasOf.get(alias.parent) ?? alias.parent;
    if (alias.noParent || (parent !== undefined && qualifiedType(parent) === STACK_TYPE)) parent = undefined;
    return createUrn(
      alias.stack || this.plan.options.stack,
      alias.project || this.plan.options.project,
      parent === undefined ? "" : qualifiedType(parent),
      alias.type || type,
      alias.name || name,
    );
  }

  /** Under a renamed parent: a name that begins with the parent's name is taken to change with it. */
  private inheritedAlias(type: string, name: string, parentName: string, parentAlias: string): string {
    const old = name.startsWith(parentName) ? nameOf(parentAlias) + name.slice(parentName.length) : name;
    return createUrn(this.plan.options.stack, this.plan.options.project, qualifiedType(parentAlias), type, old);
  }
}
