/** Whether a resource still has its object: another one may have adopted it in the same run. */
import { Failure } from "../core/failure";
import { isSingleton } from "../core/resource-definition";
import type { ResourceContext } from "./resource-context";

/** @throws {Failure} if another resource of the program has adopted the object meanwhile */
export async function assertOwned(context: ResourceContext): Promise<void> {
  const { owners } = context.session.run;
  // Parts of what every account has once may belong to different resources of different providers.
  const isTaken = isSingleton(context.definition)
    ? owners.isOwnedByOtherHere(context)
    : (await owners.otherOwner(context)) !== undefined;
  if (!isTaken) return;
  throw new Failure("ESIGN1014", "another resource of this program has just adopted the object; nothing was changed");
}
