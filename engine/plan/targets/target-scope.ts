/**
 * Which resources an operation may touch: its targets and exclusions grow by their dependents.
 *
 * Used for: --target, --target-dependents, --exclude and --exclude-dependents.
 */

import { type ResourceState, refersToAny } from "../../resource/resource-state";
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

  isIncluded(resource: ResourceState): boolean {
    if (this.#options.targets.isConstrained) return this.isTarget(resource);
    return !this.#options.excludes.isConstrained || !this.isExcluded(resource);
  }

  isTarget(resource: ResourceState): boolean {
    if (this.#options.targets.isConstrained && this.#options.targets.has(resource.urn)) return true;
    return this.#options.targetDependents && refersToAny(resource, this.#targets);
  }

  isExcluded(resource: ResourceState): boolean {
    if (this.#options.excludes.has(resource.urn)) return true;
    return this.#options.excludeDependents && refersToAny(resource, this.#excludes);
  }

  /** Adds a resource to the targets or exclusions, for its dependents. */
  extend(resource: ResourceState, targeted: boolean): void {
    if (this.#options.excludes.isConstrained && !targeted && this.isExcluded(resource))
      this.#excludes.add(resource.urn);
    else if (targeted && this.isTarget(resource)) this.#targets.add(resource.urn);
  }
}
