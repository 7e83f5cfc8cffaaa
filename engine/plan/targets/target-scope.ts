/**
 * Which resources an operation may touch: its targets and exclusions grow by their dependents.
 *
 * Used for: --target, --target-dependents, --exclude and --exclude-dependents.
 */

import { type ResourceState, refersToAny } from "../../resource/state";
import type { PlanOptions } from "../plan-state";
import type { Targets } from "./targets";

export class TargetScope {
  readonly #targets: Targets;
  readonly #excludes: Targets;

  readonly #options: PlanOptions;

  constructor(options: PlanOptions) {
    this.#options = options;
    this.#targets = options.targets.copy();
    this.#excludes = options.excludes.copy();
  }

  isIncluded(s: ResourceState): boolean {
    if (this.#options.targets.isConstrained) return this.isTarget(s);
    return !this.#options.excludes.isConstrained || !this.isExcluded(s);
  }

  isTarget(s: ResourceState): boolean {
    if (this.#options.targets.isConstrained && this.#options.targets.has(s.urn)) return true;
    return this.#options.targetDependents && refersToAny(s, this.#targets);
  }

  isExcluded(s: ResourceState): boolean {
    if (this.#options.excludes.has(s.urn)) return true;
    return this.#options.excludeDependents && refersToAny(s, this.#excludes);
  }

  /** Adds a resource to the targets or exclusions, for its dependents. */
  extend(s: ResourceState, targeted: boolean): void {
    if (this.#options.excludes.isConstrained && !targeted && this.isExcluded(s)) this.#excludes.add(s.urn);
    else if (targeted && this.isTarget(s)) this.#targets.add(s.urn);
  }
}
