/**
 * Finds what a create has made whose run was interrupted. The state has neither id nor outputs of it; the records beside
 * the program do. Nothing is created or changed.
 */
import { unwrapAll } from "../../core/pulumi-values";
import { isSingleton } from "../../core/resource-definition";
import { accountExists } from "../../resources/company";
import { encodeMetadata, metadataKey } from "../../state/metadata";
import { refreshObject } from "../refresh";
import { type CreateContext, type NewState, type ResourceContext, resourceContext } from "../resource-context";
import { createRequest } from "./create-request";

/** An object that an interrupted create has made. */
interface RecoveredObject {
  id: string;
  context: ResourceContext;
  /** Absent for what every account has once: what was written stays unconfirmed until the next hook reads the journal. */
  newState?: NewState;
}

/** Undefined if the create surely has made nothing. `managedIds`: what the state has. */
export async function recoverCreate(
  create: CreateContext,
  managedIds: readonly string[],
): Promise<RecoveredObject | undefined> {
  const { definition, account, args } = create;
  if (!(await accountExists(account))) return undefined;
  if (isSingleton(definition)) return recoverSingleton(create);
  const { creator } = definition.collection!.objects(account);
  const prefix = account.id("");
  for (const id of managedIds) {
    const key = id.slice(prefix.length);
    if (id === prefix + key && !key.includes("/")) creator.registerExisting(key, false);
  }
  const item = await creator.recover(await createRequest(create));
  if (item === undefined) return undefined;
  const recovered = withMetadata(create, definition.key(item, args));
  return { ...recovered, newState: (await refreshObject(recovered.context, item)).newState };
}

/** The journal has the original values from before the first write on, and whose write it was. */
async function recoverSingleton(create: CreateContext): Promise<RecoveredObject | undefined> {
  const { definition, session, args, metadata } = create;
  const key = definition.key(undefined, args);
  const instanceId = await session.ledger.readLastInstance({ ...create, key });
  return instanceId === undefined ? undefined : withMetadata({ ...create, metadata: { ...metadata, instanceId } }, key);
}

function withMetadata({ definition, session, account, args, metadata }: CreateContext, key: string): RecoveredObject {
  const id = account.id(key);
  const state = unwrapAll({ ...args, [metadataKey]: encodeMetadata(metadata) });
  return { id, context: resourceContext(definition, session, id, state) };
}
