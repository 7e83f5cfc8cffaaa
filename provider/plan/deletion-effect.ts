/**
 * The effect of a deletion on the account. Engines do not call the provider for planned deletions, so the effect follows from the state,
 * and from the account if it was read.
 */
import type { Edition } from "../../sdk/edition";
import { unknownLoss } from "../core/amount";
import type { Properties } from "../core/pulumi-values";
import type { Fields, ResourceDefinition } from "../core/resource-definition";
import { flatten, isSingleton } from "../core/resource-definition";
import type { StateObject, UnconfirmedWrites } from "../recovery/unconfirmed-writes";
import { DriftDetector, isEquivalent } from "../state/drift";
import { decodeMetadata } from "../state/metadata";
import { whyProtected } from "./deletion-protection";
import { deletedWithCompany, type Effect, retained } from "./effect";
import { fieldEffects, recordedValue } from "./field-effects";
import { effectOfRestore, planRestore, unadoptedFields } from "./restore-effect";

/** A resource of the state. */
export interface DeletedResource {
  definition: ResourceDefinition;
  /** Its ID in the state. */
  id: string;
  /** Its outputs, decrypted, `__esign` included. */
  state: Properties;
  /** The engine's options of the resource. */
  protect?: boolean | undefined;
  retainOnDelete?: boolean | undefined;
  /** True if another resource of the plan adopts the object first. */
  isAdoptedByOther?: boolean | undefined;
  /** The fields that the other one declares: the rest is restored. Default: all of them. */
  adoptedFields?: readonly string[] | undefined;
  /** What the plan does to the resource that it is deleted with: then no provider is called for this one. */
  container?: Effect | undefined;
  /** Outputs that the state marks as secret: their values are left out. Default: all of them. */
  secrets?: readonly string[];
  /** Default: the specification's. */
  edition?: Edition | undefined;
}

/** What the account has of it. */
export interface DeletedObject {
  /** What the state does not include, with the account's copies of pictures. */
  unconfirmed: Pick<UnconfirmedWrites<StateObject>, "object" | "isOwn">;
  /** Undefined if it is gone. */
  live: Fields | undefined;
  /** False if its subaccount is gone. */
  hasAccount: boolean;
  /** True if the original picture is the account's already. */
  isSamePicture: (field: string) => boolean;
  /** False where a change outside Pulumi is overwritten, or shown by a refresh before. */
  refusesConflicts: boolean;
}

/** Why the provider would not delete it, whatever the engine thinks; undefined if it would. */
export function refusalOf({ collection }: ResourceDefinition, state: Properties): string | undefined {
  try {
    collection?.assertDeletable?.(state);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Where the engine, the program or another resource decides; undefined where the account does. */
export function decidedEffect(nested: DeletedResource): Effect | undefined {
  const { definition, id, protect = false, retainOnDelete = false } = nested;
  const state = flatten(definition, nested.state);
  const blocked = (detail: string): Effect => ({ effect: "blocked", writes: 0, id, detail });
  const release = (detail: string): Effect => ({ effect: "release", writes: 0, id, detail });
  if (protect) return blocked(whyProtected(definition, nested.isAdoptedByOther));
  if (retainOnDelete) return { ...retained, id };
  if (nested.isAdoptedByOther && isWhollyAdopted({ ...nested, state })) return release(adoptedByOther);
  if (nested.container !== undefined) return withContainer(nested.container, id);
  if (isSingleton(definition)) return state.onDelete === "keep" ? release(keptByArgument) : undefined;
  const refusal = refusalOf(definition, state);
  return refusal === undefined ? undefined : blocked(refusal);
}

function isWhollyAdopted(resource: DeletedResource): boolean {
  const { adoptedFields } = resource;
  return adoptedFields === undefined || unadoptedFields(recorded(resource).detector, adoptedFields).length === 0;
}

/** `object`: absent where the account is not read. Then it counts as what the state shows. */
export function deletionEffect(nested: DeletedResource, object?: DeletedObject): Effect {
  const decided = decidedEffect(nested);
  if (decided !== undefined) return decided;
  const resource = { ...nested, state: flatten(nested.definition, nested.state) };
  return isSingleton(nested.definition) ? effectOfSingleton(resource, object) : effectOfCollected(resource, object);
}

/** What is deleted with another resource has no deletion of its own. */
function withContainer({ effect, detail }: Effect, id: string): Effect {
  if (effect === "delete") return { ...deletedWithCompany, id };
  const reason =
    effect === "blocked" || effect === "conflict"
      ? "its company is not deleted"
      : `with its company: ${detail ?? effect}`;
  return { effect: "release", writes: 0, id, detail: reason };
}

/** What the state has of it. */
function recorded({ definition, state }: DeletedResource) {
  const metadata = decodeMetadata(definition, state);
  return { metadata, detector: new DriftDetector(definition, state, metadata.fields ?? {}) };
}

/** Details of deletions that leave the object, or find none. */
const adoptedByOther = "another resource of this program adopts it";
export const accountGone = "its account no longer exists";
export const keptByArgument = 'onDelete: "keep"';
export const alreadyDeleted = "it was already deleted";
/** Of an object that the account does not have. */
export const notFound = "not found with the key of this stack";

function effectOfSingleton(resource: DeletedResource, object: DeletedObject | undefined): Effect {
  const { id, secrets, edition = "specification" } = resource;
  if (object?.hasAccount === false) return { effect: "release", writes: 0, id, detail: accountGone };
  const restored = object?.unconfirmed.object ?? recorded(resource);
  const live = object === undefined ? (resource.state as Fields) : (object.live ?? {});
  const plan = planRestore(restored, {
    live,
    adopted: resource.adoptedFields ?? [],
    edition,
    isOwn: (...value) => object?.unconfirmed.isOwn(...value) ?? true,
    isSamePicture: (field) => object?.isSamePicture(field) ?? false,
  });
  const effect = effectOfRestore(restored, plan, {
    ...{ live, id, secrets },
    refusesConflicts: object?.refusesConflicts ?? true,
  });
  return resource.isAdoptedByOther && effect.effect === "release" ? { ...effect, detail: adoptedByOther } : effect;
}

function effectOfCollected(resource: DeletedResource, object: DeletedObject | undefined): Effect {
  const { definition, id, secrets } = resource;
  const { metadata } = object?.unconfirmed.object ?? recorded(resource);
  const deletion: Effect = { effect: "delete", writes: 1, id, ...(metadata.adopted && { adopted: true }) };
  if (object !== undefined && object.live === undefined) {
    const isInside = !object.hasAccount;
    return { ...deletion, writes: 0, detail: isInside ? accountGone : notFound };
  }
  // Until it is read, what is in it is not known.
  if (definition.collection?.readLoss !== undefined) deletion.loss = unknownLoss();
  const changed = object === undefined ? [] : unseenFields(object.unconfirmed, object.live!);
  if (changed.length === 0) return deletion;
  const { detector } = object!.unconfirmed.object;
  const fields = changed.map((field) => ({
    field,
    recorded: recordedValue(detector, field),
    live: object!.live![field],
  }));
  const shown = { ...deletion, fields: fieldEffects(fields, secrets) };
  return object!.refusesConflicts ? { ...shown, effect: "conflict", writes: 0 } : shown;
}

/** Fields that were changed since a plan or a refresh has shown them: as an update, a deletion stops there. */
export function unseenFields(unconfirmed: DeletedObject["unconfirmed"], live: Fields): string[] {
  const { detector } = unconfirmed.object;
  const isSeen = (field: string) =>
    detector.matchesState(field, live[field]) ||
    detector.matchesApplied(field, live[field]) ||
    isEquivalent(detector.definition, field, detector.declared(field), live[field]) ||
    unconfirmed.isOwn(field, live[field]);
  return detector.managedFields.filter((field) => !isSeen(field));
}
