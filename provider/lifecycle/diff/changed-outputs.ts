/**
 * Finds outputs that changed in the account without an update, such as a rotated key. `diff` compares them with the list of all objects,
 * which it reads once in a run. Fields are not compared: their drift is found by a refresh.
 */
import { readMaxAge } from "../../core/time-limits";
import type { ResourceContext } from "../resource-context";

/** A notice about those that differ from the state, and that an update records; undefined if none do or they cannot be read. */
export async function describeChangedOutputs(context: ResourceContext): Promise<string | undefined> {
  const { definition, session, key, state } = context;
  const { rotatedOutputs = [] } = definition;
  if (rotatedOutputs.length === 0) return undefined;
  if (!session.connection.isKnown || session.connection.isOffline) return undefined;
  const item = (await listOnce(context))?.get(key);
  // The engine goes on to the next resource only now.
  session.run.registrations.noteCall();
  if (item === undefined) return undefined;
  const { outputs } = definition.fromApi(item);
  const changed = rotatedOutputs.filter((name) => outputs[name] !== undefined && outputs[name] !== state[name]);
  return changed.length === 0 ? undefined : `this update records its new ${changed.join(", ")}`;
}

/** All objects of the kind. Undefined if they cannot be read: then nothing is known to have changed. */
function listOnce({ definition, session, account }: ResourceContext): Promise<Map<string, unknown> | undefined> {
  return account.memoize(`outputs of each ${definition.kind}`, async () => {
    try {
      return await definition.collection?.objects(account).all(readMaxAge.preview);
    } catch (error) {
      const names = definition.rotatedOutputs!.join(", ");
      session.reporting.log(`${definition.kind}: ${names} not compared with the state: ${(error as Error).message}`);
      return undefined;
    }
  });
}
