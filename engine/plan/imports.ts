/**
 * The option import: an object that exists becomes that of a resource. It is read, recorded, and compared with what the program declares.
 *
 * Used for: importId of RegisterResource.
 */
import type { ResourceState } from "../resource/resource-state";
import type { PlanState } from "./plan-state";
import type { Registration } from "./replacements";
import { PlanFailure, type Step } from "./step";
import type { TargetScope } from "./targets/target-scope";

export class Imports {
  readonly #plan: PlanState;
  readonly #scope: TargetScope;
  /** Executes the step; resolves to the new state. */
  readonly #execute: (step: Step) => Promise<ResourceState | undefined>;

  constructor(plan: PlanState, scope: TargetScope, execute: (step: Step) => Promise<ResourceState | undefined>) {
    this.#plan = plan;
    this.#scope = scope;
    this.#execute = execute;
  }

  /** The state of the object that a registration imports; undefined if it imports none, or has done that before. */
  async read({ urn, goal, state }: Registration, old: ResourceState | undefined): Promise<ResourceState | undefined> {
    const { importId } = goal;
    if (importId === "" || importId === (old?.importID ?? old?.id)) return undefined;
    if (this.#plan.options.operation !== "update" || !this.#scope.isIncluded(state)) return undefined;
    if (old !== undefined)
      throw new PlanFailure(
        `it is in the state with the id ${old.id}, and has the option import for another object, ${importId}. Remove the option, or remove the resource from the state first (\`state delete\`: the object stays)`,
        urn,
      );
    return this.#execute({ op: "import", urn, new: { ...state }, goal, recordAtOnce: true });
  }

  /** An imported object was created outside the program: a difference that would replace it is more likely a mistake than intended. */
  rejectReplacement({ urn, goal }: Registration, keys: readonly string[]): void {
    if (goal.importId === "") return;
    const { dryRun, events } = this.#plan.options;
    const because = keys.length > 0 ? ` because of ${keys.join(", ")}` : "";
    const message = `it has the option import, and would be replaced${because}. Make the program say what the object is, or remove the option`;
    if (!dryRun) throw new PlanFailure(message, urn);
    events.diagnostic("warning", message, urn);
  }
}
