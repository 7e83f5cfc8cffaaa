/** Why an update is needed although no argument changes. */
import type { Fields } from "../../core/resource-definition";
import { describeChangedPictures } from "../compare-pictures";
import type { ResourceContext } from "../resource-context";
import { describeChangedOutputs } from "./changed-outputs";

/** A notice about what the update does; undefined if none is needed. */
export async function describeUpdateReason(context: ResourceContext, declared: Fields): Promise<string | undefined> {
  // A write with unknown outcome is checked whatever the program declares now. The update reports what cannot be read.
  const unconfirmed = await context.session.ledger.describeUnconfirmed(context).catch(({ message }: Error) => message);
  return unconfirmed ?? (await describeChangedOutputs(context)) ?? (await describeChangedPictures(context, declared));
}
