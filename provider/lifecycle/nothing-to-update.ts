/** Why there is nothing to update: the object is gone, its account is, or another resource has it now. */
import { Failure } from "../core/failure";
import { isSingleton } from "../core/resource-definition";
import type { ResourceContext } from "./resource-context";

export const accountGone = () =>
  new Failure(
    "ESIGN1022",
    "the company that it belongs to no longer exists",
    "Refresh, then run `up` to recreate what the program declares",
  );

export const objectGone = () =>
  new Failure("ESIGN1021", "it no longer exists in the account", "Refresh, then run `up` to recreate it");

/** @throws {Failure} if another resource of the program has adopted the object meanwhile */
export async function assertOwned(context: ResourceContext): Promise<void> {
  const { owners } = context.session.run;
  // Parts of what every account has once may belong to different resources of different providers.
  const isTaken = isSingleton(context.definition)
    ? owners.isOwnedByOtherHere(context)
    : (await owners.otherOwner(context)) !== undefined;
  if (!isTaken) return;
  throw new Failure(
    "ESIGN1014",
    "another resource of this program has just adopted the object; nothing was changed",
    'Declare different objects, or set onExisting: "create" on the new resource',
  );
}
