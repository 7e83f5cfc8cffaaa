/** Why an update is needed although no argument changes. */
import type { Fields } from "../../core/resource-definition";
import { describeChangedPictures } from "../compare-pictures";
import type { ResourceContext } from "../resource-context";
import { describeChangedOutputs } from "./changed-outputs";

/** A notice about what the update does; undefined if none is needed. */
export async function describeUpdateReason(context: ResourceContext, declared: Fields): Promise<string | undefined> {
  // A write with unknown outcome is checked whatever the program declares now. The update reports what cannot be read.
  const unsettled = await describeUnsettled(context).catch(({ message }: Error) => message);
  return unsettled ?? (await describeChangedOutputs(context)) ?? (await describeChangedPictures(context, declared));
}

async function describeUnsettled(context: ResourceContext): Promise<string | undefined> {
  const unsettled = await context.session.ledger.readUnsettled(context);
  if (unsettled === undefined) return undefined;
  if ("originals" in unsettled) {
    const { originals, isCreated } = unsettled;
    const facts = [
      ...(originals.length > 0
        ? [`the original value of ${originals.join(", ")}, which a former resource has left`]
        : []),
      ...(isCreated ? ["that this stack has created it, as another resource"] : []),
    ];
    return `this update records ${facts.join("; ")}`;
  }
  const what = "deletion" in unsettled ? "deletion" : `update of ${unsettled.updated.join(", ")}`;
  return `the last ${what} got no response; this update checks it first`;
}
