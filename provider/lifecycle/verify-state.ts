/** Verifies, before anything of a state is deleted, that the key belongs to the account that has its objects. */
import { type Properties, unwrapAll } from "../core/pulumi-values";
import { type Definition, flatten, isSingleton } from "../core/resource-definition";
import type { Session } from "../session/session";
import { metadataKey } from "../state/metadata";
import { isAsRecorded } from "./refresh";
import { resourceContext } from "./resource-context";

/** A resource of the state. */
export interface RecordedResource {
  definition: Definition;
  id: string;
  /** Its outputs, decrypted, `__esign` included. */
  outputs: Properties;
}

/**
 * Engines delete what is inside a company without asking the provider, and before the company itself: by then it is too late. No request
 * is sent with the key that the state was made with.
 * @throws {Failure} if none of the objects is in the account of another key
 */
export async function verifyState(session: Session, resources: readonly RecordedResource[]): Promise<void> {
  for (const { definition, id, outputs } of resources) {
    const state = flatten(definition, unwrapAll(outputs));
    if (state[metadataKey] === undefined) continue;
    const context = resourceContext(definition, session, id, state);
    const kind = isSingleton(definition) ? "content" : "id";
    session.accounts.verifier.addProbe(context.metadata, kind, () => isAsRecorded(context, {}));
  }
  await session.accounts.verifier.verifyBeforeWrite();
}
