/** The message for a state that cannot be written: only this process knows what changed. */
import { messageOf } from "../errors";
import type { ResourceState } from "../resource/resource-state";
import type { SnapshotManager, StateChange } from "../state/snapshot-manager";

/** For a write that failed before a later one succeeded. */
export const writeErrorMessage = (error: unknown): string =>
  `the state could not be written, so nothing more was started: ${messageOf(error)}. It has been written since. Fix the cause, then run the same command again`;

/** For the last write: lists the changes that the file lacks, and writes the state where there is room. */
export async function unsavedMessage(snapshot: SnapshotManager, error: unknown): Promise<string> {
  const reason = `the state could not be written: ${messageOf(error)}`;
  if (snapshot.unsaved.length === 0)
    return `${reason}\nThe file on disk contains all changes. Fix the cause, then run the same command again`;
  const copy = await snapshot.writeEmergencyCopy();
  return [
    reason,
    "These changes are not in the state file on disk:",
    ...snapshot.unsaved.map(describeChange),
    copy === undefined
      ? "The state could not be saved anywhere else. Keep this message, fix the cause, then run the same command again"
      : `The whole state was saved to ${copy}; its secrets are encrypted. Fix the cause, move that file to ${snapshot.file}, then run the same command again`,
  ].join("\n");
}

const describeChange = ({ added, done }: StateChange): string => {
  const { urn, id } = (added ?? done) as ResourceState;
  return `  ${urn} (id ${id}${added === undefined ? ", deleted" : ""})`;
};
