/**
 * Finds the object of a create that was interrupted. The state has neither its ID nor its outputs; the records beside the program do.
 * Nothing is created or changed.
 */
import { unwrapAll } from "../../core/pulumi-values";
import { isSingleton } from "../../core/resource-definition";
import { readMaxAge } from "../../core/time-limits";
import { accountExists } from "../../resources/partner-companies";
import { encodeMetadata, metadataKey } from "../../state/metadata";
import { refreshObject } from "../refresh-object";
import { type CreateContext, type NewState, type ResourceContext, resourceContext } from "../resource-context";
import { createRequest } from "./create-request";

/** An object that an interrupted create has made. */
interface RecoveredObject {
  id: string;
  context: ResourceContext;
  newState: NewState;
}

/** Undefined if the create surely has made nothing. `managedIds`: what the state has. */
export async function recoverCreate(
  create: CreateContext,
  managedIds: readonly string[],
): Promise<RecoveredObject | undefined> {
  const { definition, account, args } = create;
  const isGone = !(await accountExists(account));
  if (isSingleton(definition)) return isGone ? undefined : recoverSingleton(create);
  const request = await createRequest(create);
  if (isGone) {
    // To another account's key the company does not exist, either.
    for (const pending of request.log?.pending() ?? []) if (pending.isOfCurrentKey) pending.forget();
    return undefined;
  }
  const { creator } = definition.collection!.objects(account);
  const prefix = account.id("");
  for (const id of managedIds) {
    const key = id.slice(prefix.length);
    if (id === prefix + key && !key.includes("/")) creator.registerExisting(key, false);
  }
  const item = await creator.recover(request);
  if (item === undefined) return undefined;
  return recoverObject(create, definition.key(item, args), item);
}

/** The journal has the original values from before the first write on, and whose write it was. Whether that has arrived, the account tells. */
async function recoverSingleton(create: CreateContext): Promise<RecoveredObject | undefined> {
  const { definition, session, account, args, metadata } = create;
  const key = definition.key(undefined, args);
  const instanceId = await session.ledger.readLastInstance({ ...create, key });
  // Another resource of the program has it by now, and what it sent.
  if (instanceId === undefined || (await session.run.owners.otherOwner({ ...create, key })) !== undefined)
    return undefined;
  const item = await definition.read(account, key, readMaxAge.refresh);
  return item === undefined
    ? undefined
    : recoverObject({ ...create, metadata: { ...metadata, instanceId } }, key, item);
}

async function recoverObject(create: CreateContext, key: string, item: unknown): Promise<RecoveredObject> {
  const { definition, session, account, args, metadata } = create;
  const id = account.id(key);
  const state = unwrapAll({ ...args, [metadataKey]: encodeMetadata(metadata) });
  const context = resourceContext(definition, session, id, state);
  return { id, context, newState: (await refreshObject(context, item)).newState };
}
