/** Reads the whole state before the first call for one of its resources: its objects, and what proves which account they are in. */
import { type Properties, unwrapAll } from "../core/pulumi-values";
import { type Fields, flatten, isAccount, isSingleton, type ResourceDefinition } from "../core/resource-definition";
import { definitionOfType } from "../resources/index";
import type { Session } from "../session/session";
import { metadataKey } from "../state/metadata";
import { isAsRecorded } from "./refresh-object";
import { type ResourceContext, resourceContext } from "./resource-context";

/** A resource of the state. */
export interface RecordedResource {
  definition: ResourceDefinition;
  id: string;
  /** Its outputs, decrypted, `__esign` included. */
  outputs: Properties;
}

/** A state, as an engine passes it. */
interface PassedState {
  /** The resources of this provider instance. */
  own: readonly (Omit<RecordedResource, "definition"> & { type: string })[];
  /** By type, the IDs of the resources of all instances, which may have been another one's until now. */
  ids: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Engines delete what is inside a company without asking the provider, and before the company itself: by then it is too late. No request
 * is sent with the key that the state was made with.
 * @throws {Failure} if none of the objects is in the account of another key
 */
export async function verifyState(session: Session, resources: readonly RecordedResource[]): Promise<void> {
  for (const resource of resources) {
    const context = contextOf(session, resource);
    if (context !== undefined) addProbe(context, { isOfState: true });
  }
  await session.accounts.verifier.verifyBeforeWrite();
}

/**
 * Registers a state before the first of its resources is checked, so that no create waits for what is in it: who manages an object,
 * which key a company has, and what verifies the account.
 */
export function registerState(session: Session, { own, ids }: PassedState): void {
  const kinds = [...ids].map(([type, ofType]) => [definitionOfType(type)?.kind, ofType] as const);
  session.run.registrations.setRecorded((kind, id) => kinds.some(([each, ofType]) => each === kind && ofType.has(id)));
  for (const { type, ...resource } of own) {
    const definition = definitionOfType(type);
    try {
      const context = definition && contextOf(session, { definition, ...resource });
      if (context === undefined) continue;
      addProbe(context, { isOfState: true });
      linkCompany(context);
    } catch {
      // What is wrong with it is an error of its own step, if it has one.
    }
  }
}

/** Publishes which key a company of the state has. */
export function linkCompany({ definition, session, key, state }: ResourceContext): void {
  if (isAccount(definition) && session.connection.isConfigured)
    session.run.declared.link(session.accounts.of(key), state.apiKey);
}

function contextOf(session: Session, { definition, id, outputs }: RecordedResource): ResourceContext | undefined {
  const state = flatten(definition, unwrapAll(outputs));
  return state[metadataKey] === undefined ? undefined : resourceContext(definition, session, id, state);
}

/** Adds an object to those that verify the account. `declared`: what a lost update may have changed it to. `isOfState`: it may be declared no more. */
export function addProbe(
  context: ResourceContext,
  { declared = {}, isOfState = false }: { declared?: Fields; isOfState?: boolean },
): void {
  const { definition, session, account, key, metadata } = context;
  const kind = isSingleton(definition) ? "content" : "id";
  const name = `${definition.kind} ${account.id(key)}`;
  session.accounts.verifier.addProbe(metadata, kind, name, { probe: () => isAsRecorded(context, declared), isOfState });
}
