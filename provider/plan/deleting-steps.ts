/** Finds, for each deleting step of a plan, the resource in the state, and what other steps of the plan mean for it. */
import type { Edition } from "../../sdk/edition";
import type { Properties } from "../core/pulumi-values";
import { flatten, pickFields, type ResourceDefinition } from "../core/resource-definition";
import { decodeMetadata } from "../state/metadata";
import type { DeletedResource } from "./deletion-effect";
import type { Effect } from "./effect";

/** A step of the plan that deletes a resource. */
export interface DeletingStep {
  urn: string;
  type: string;
  id?: string;
  op: string;
  /** True if the engine only forgets it. */
  retained?: boolean;
}

/** A resource of the state. */
export interface StateView {
  urn: string;
  type: string;
  id?: string;
  provider?: string;
  protect?: boolean;
  deletedWith?: string;
  /** True for a provider that the engine made of the stack's configuration. */
  isDefaultProvider?: boolean;
  outputs: Properties;
  /** Names of the outputs that the state has as secrets, or with a secret in them. */
  secretOutputs?: readonly string[];
}

export interface DeletionFacts {
  /** The state with its secrets, and without. */
  open: readonly StateView[];
  closed: readonly StateView[];
  definitionOf(type: string): ResourceDefinition | undefined;
  /** Fingerprint of the stack's key. */
  configuredKey?: string | undefined;
  edition?: Edition | undefined;
  /** True if the program's other resources are not asked about: with targets or exclusions. */
  isPartial?: boolean | undefined;
  /** The adoption of the object of a deletion by another resource of the plan, in an account that is the same. */
  adoptionOf?(step: DeletingStep, isSameAccount: (keyFingerprint: string | undefined) => boolean): Effect | undefined;
}

export interface DeletionOfStep<Step> {
  resource: Omit<DeletedResource, "container">;
  /** Reference to its provider. */
  provider: string;
  /** The step that deletes the resource that it is deleted with. */
  container: Step | undefined;
}

/** References to the providers of a state that use the stack's configuration: the engine knows which it made, and no name tells. */
export const stackProviders = (state: readonly StateView[]): ReadonlySet<string> =>
  new Set(state.flatMap(({ urn, id, isDefaultProvider }) => (isDefaultProvider ? [`${urn}::${id}`] : [])));

/** A resource that waits for its deletion has the same URN as the one that has replaced it. */
const instanceOf = ({ urn, id }: Pick<StateView, "urn" | "id">) => `${urn} ${id}`;

/** The fields that the state has of a resource. */
const fieldsOf = (definition: ResourceDefinition, { outputs }: StateView) =>
  Object.keys(pickFields(definition, flatten(definition, outputs)));

/** By step, in that order; without what is no resource of an account. */
export function deletionsOf<Step extends DeletingStep>(
  steps: readonly Step[],
  facts: DeletionFacts,
): Map<Step, DeletionOfStep<Step>> {
  const { definitionOf, configuredKey, edition, isPartial, adoptionOf } = facts;
  const fingerprintIn = (definition: ResourceDefinition, { outputs }: StateView) =>
    decodeMetadata(definition, flatten(definition, outputs)).keyFingerprint;
  // Of two with the same URN and ID the first one counts.
  const [openStates, closedStates] = [facts.open, facts.closed].map(
    (views) => new Map([...views].reverse().map((view) => [instanceOf(view), view])),
  );
  const ofStack = stackProviders(facts.open);
  const deleted = new Set(steps.map(instanceOf));
  const deletions = new Map<Step, DeletionOfStep<Step>>();
  for (const step of steps) {
    const definition = definitionOf(step.type);
    const [open, closed] = [openStates, closedStates].map((states) => states?.get(instanceOf(step)));
    if (definition === undefined || open === undefined) continue;
    const { id = "", outputs: state, protect, deletedWith, provider = "" } = open;
    const recordedKey = fingerprintIn(definition, open);
    // A rotated key is recorded with the next write.
    const isSameAccount = (account: string | undefined) =>
      account === recordedKey || (ofStack.has(provider) && account === configuredKey);
    // A run that ended between a new name's create and the old one's deletion leaves two owners in the state.
    const isOwner = (other: StateView): boolean =>
      definitionOf(other.type) === definition &&
      other.id === id &&
      !deleted.has(instanceOf(other)) &&
      (other.provider === open.provider || fingerprintIn(definition, other) === recordedKey);
    const owner = isPartial ? undefined : facts.open.find(isOwner);
    const adoption = owner === undefined ? adoptionOf?.(step, isSameAccount) : undefined;
    deletions.set(step, {
      resource: {
        ...{ definition, id, state, edition, secrets: closed?.secretOutputs ?? [] },
        protect: protect && step.op === "delete",
        retainOnDelete: step.retained,
        isAdoptedByOther: owner !== undefined || adoption !== undefined,
        adoptedFields: owner === undefined ? adoption?.declares : fieldsOf(definition, owner),
      },
      provider,
      container: steps.find((other) => other.urn === deletedWith),
    });
  }
  return deletions;
}
