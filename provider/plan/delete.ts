/** What the deletion of a resource does to the account, from its state alone: in a preview no hook is called for it. */

import type { Edition } from "../../sdk/edition";
import { unknownLoss } from "../core/amount";
import type { Properties } from "../core/pulumi-values";
import type { Definition } from "../core/resource-definition";
import { flatten, hasDeletionProtection, isClearable, isSecretField, isSingleton } from "../core/resource-definition";
import { DriftDetector, isEquivalent } from "../state/drift";
import { decodeMetadata } from "../state/metadata";
import type { Effect, FieldEffect } from "./effect";

/** A resource of the state. */
export interface DeletedResource {
  definition: Definition;
  /** Key of the object in its account: its id, without the company. */
  id: string;
  /** Its outputs, decrypted, `__esign` included. */
  state: Properties;
  /** The engine's options of the resource. */
  protect?: boolean | undefined;
  retainOnDelete?: boolean | undefined;
  /** True if another resource of the plan adopts the object first. */
  isAdoptedByOther?: boolean | undefined;
  /** What the plan does to the resource that it is deleted with: then no provider is called for this one. */
  container?: Effect | undefined;
  /** Outputs that the state marks as secret: their values are left out. Default: all of them. */
  secrets?: readonly string[];
  /** Default: the specification's. */
  edition?: Edition | undefined;
}

/** Why the provider would not delete it, whatever the engine thinks; undefined if it would. */
export function refusalOf({ collection }: Definition, state: Properties): string | undefined {
  try {
    collection?.assertDeletable?.(state);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export function deletionEffect(nested: DeletedResource): Effect {
  const resource = { ...nested, state: flatten(nested.definition, nested.state) };
  const { definition, id, state, protect = false, retainOnDelete = false } = resource;
  const blocked = (detail: string): Effect => ({ effect: "blocked", writes: 0, id, detail });
  const release = (detail: string): Effect => ({ effect: "release", writes: 0, id, detail });
  if (protect) {
    const option = hasDeletionProtection(definition) ? "deletionProtection" : "protect";
    if (nested.isAdoptedByOther)
      return blocked(
        "protected; another resource adopts it: if that is its new name, give it an alias (`aliases`; for a renamed folder in company.yaml)",
      );
    return blocked(`protected; set ${option}: false and run \`up\` first`);
  }
  if (retainOnDelete) return release("retainOnDelete");
  if (nested.isAdoptedByOther) return release("another resource of this program adopts it");
  if (nested.container !== undefined) return withContainer(nested.container, id);
  if (isSingleton(definition)) return state.onDelete === "keep" ? release('onDelete: "keep"') : restoration(resource);
  const refusal = refusalOf(definition, state);
  if (refusal !== undefined) return blocked(refusal);
  const adopted = decodeMetadata(definition, state).adopted === true;
  // Until it is read, what is in it is not known.
  const loss = definition.collection?.readLoss === undefined ? undefined : unknownLoss();
  return { effect: "delete", writes: 1, id, ...(adopted && { adopted }), ...(loss && { loss }) };
}

/** What is deleted with another resource has no deletion of its own. */
function withContainer({ effect, detail }: Effect, id: string): Effect {
  if (effect === "delete") return { effect, writes: 0, id, detail: "with its company" };
  const reason = effect === "blocked" ? "its company is not deleted" : `with its company: ${detail ?? effect}`;
  return { effect: "release", writes: 0, id, detail: reason };
}

/** Of what every account has exactly once, the original values are written. */
function restoration({ definition, id, state, secrets, edition = "specification" }: DeletedResource): Effect {
  const metadata = decodeMetadata(definition, state);
  const detector = new DriftDetector(definition, state, metadata.fields ?? {});
  const restored: FieldEffect[] = [];
  const kept: string[] = [];
  for (const field of detector.managedFields) {
    const { original } = detector.fieldStates[field] ?? {};
    const current = (state[field] as string | undefined) ?? undefined;
    if (original === undefined) {
      // What was adopted as declared has no original other than that.
      if (metadata.instanceId === undefined) kept.push(`${field}: the original value is not known`);
    } else if (original === null && !isClearable(definition, field, edition)) {
      kept.push(`${field}: the original was empty, and the API does not accept an empty value`);
    } else if (!isEquivalent(definition, field, original ?? "", current)) {
      const isShown = secrets !== undefined && !isSecretField(secrets, field);
      restored.push({ field, ...(isShown && { live: current, declared: original ?? "" }) });
    }
  }
  const detail = kept.length === 0 ? undefined : `left unchanged: ${kept.join("; ")}`;
  if (restored.length > 0) return { effect: "restore", writes: 1, id, fields: restored, ...(detail && { detail }) };
  return { effect: "release", writes: 0, id, detail: detail ?? "never modified, left unchanged" };
}
