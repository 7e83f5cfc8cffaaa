/**
 * Creates among the pending operations that an interrupted run of the Pulumi CLI has left in its state. The CLI keeps them until a
 * `refresh` clears them, also those that a later run has repeated, and warns each time; its `destroy` looks for none of them. The
 * provider's own records are in `cli/project/stack-pending-creates.ts`.
 */
import { kindNameOf } from "../../definitions/kind";
import { plural } from "../../definitions/text/display";

interface Exported {
  deployment?: {
    resources?: { urn: string; delete?: boolean }[];
    pending_operations?: { type: string; resource: { urn: string; type: string } }[];
  };
}

/** The pending operations that create a resource of this package. */
interface PendingOperations {
  /** URNs that the state has by now. */
  repeated: string[];
  /** URNs whose objects may be in the account, and nothing knows of them. */
  open: string[];
}

/** Those in what `pulumi stack export` prints. */
export function pendingOperationsIn(exported: string): PendingOperations {
  const { resources = [], pending_operations: operations = [] } = (JSON.parse(exported) as Exported).deployment ?? {};
  const existing = new Set(resources.filter((resource) => resource.delete !== true).map(({ urn }) => urn));
  const own = operations.filter(({ type, resource }) => type === "creating" && kindNameOf(resource.type) !== undefined);
  const urns = [...new Set(own.map(({ resource }) => resource.urn))];
  return {
    repeated: urns.filter((urn) => existing.has(urn)),
    open: urns.filter((urn) => !existing.has(urn)),
  };
}

export function hasPendingOperations(exported: string): boolean {
  const { repeated, open } = pendingOperationsIn(exported);
  return repeated.length + open.length > 0;
}

const clear = "esign refresh --clear-pending-creates";

/** Why a `destroy` is refused; undefined if it is not. */
export function refusalOfDestroy({ open }: PendingOperations): string | undefined {
  if (open.length === 0) return undefined;
  const named = `${open.slice(0, 5).join(", ")}${open.length > 5 ? ` and ${open.length - 5} more` : ""}`;
  return (
    `Nothing was deleted: an interrupted deployment may have created ${named}.\n` +
    `Run \`esign up\`, then \`esign destroy\`. Or check the account, then forget these creates: \`${clear}\`.`
  );
}

/** What an `up` leaves to do, in one line; undefined if nothing. */
export function noticeAfterUp({ repeated }: PendingOperations): string | undefined {
  if (repeated.length === 0) return undefined;
  return `Completed ${plural(repeated.length, "create")} of an interrupted deployment. To end the Pulumi CLI's warning: ${clear}`;
}
