/** An object that another resource has adopted, by a new name or a forced replacement. */
import { journalFolder } from "../../recovery/originals-journal";
import { logAbout, type ResourceContext } from "../resource-context";

/** `nextInstanceId`: of the resource that has the object now. Resolves to whether its state lacks something. */
export async function transferObject(context: ResourceContext, nextInstanceId: string): Promise<boolean> {
  const { isCreated, fields } = await context.session.ledger.transfer(context, nextInstanceId);
  if (isCreated) logAbout(context, `until the next \`up\`, only ${journalFolder} has that this stack has created it`);
  if (fields.length > 0) {
    const what = `until the next \`up\`, only ${journalFolder} has the original value of ${fields.join(", ")}`;
    logAbout(context, `${what} (with the option aliases, the state keeps it)`);
  }
  return isCreated || fields.length > 0;
}
