/** Rejects options of a run that contradict each other or the operation, before anything is changed. */
import type { RunOptions } from "../api";
import { EngineError } from "../errors";
import type { Operation } from "../events";

export function validateRunOptions(operation: Operation, o: RunOptions): void {
  const isSet = (list: string[] | undefined): boolean => (list?.length ?? 0) > 0;
  const bad = (what: string): never => {
    throw new EngineError(what, "invalid");
  };
  if (isSet(o.targets) && isSet(o.excludes))
    bad("targets and excludes cannot be given together: choose what to do, or what to leave out");
  if (o.targetDependents && !isSet(o.targets) && !isSet(o.replaces)) bad("--target-dependents needs --target");
  if (o.excludeDependents && !isSet(o.excludes)) bad("--exclude-dependents needs --exclude");
  if (o.excludeProtected && operation !== "destroy") bad("--exclude-protected belongs to destroy");
  if (o.excludeProtected && isSet(o.targets))
    bad("--target and --exclude-protected cannot be given together: choose what to do, or what to leave out");
  if (isSet(o.replaces) && (operation === "refresh" || operation === "destroy"))
    bad(`--replace makes no sense for ${operation}`);
  if (o.rollback && (operation === "refresh" || operation === "destroy"))
    bad(`a rollback is an update, and makes no sense for ${operation}`);
  if (o.clearPendingCreates && operation !== "refresh") bad("--clear-pending-creates belongs to refresh");
  for (const t of [...(o.targets ?? []), ...(o.excludes ?? []), ...(o.replaces ?? [])])
    if (!t.startsWith("urn:") && !t.includes("*"))
      bad(`${JSON.stringify(t)} is no URN: write it as \`stack resources --json\` shows it, or with * and **`);
}
