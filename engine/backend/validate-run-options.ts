/** Rejects options of a run that contradict each other or the operation, before anything is changed. */
import type { RunOptions } from "../api";
import { EngineError } from "../errors";
import type { Operation } from "../events";

export function validateRunOptions(operation: Operation, options: RunOptions): void {
  const isSet = (list: string[] | undefined): boolean => (list?.length ?? 0) > 0;
  const bad = (what: string): never => {
    throw new EngineError(what, "invalid");
  };
  if (isSet(options.targets) && isSet(options.excludes))
    bad("targets and excludes cannot be given together: choose what to do, or what to leave out");
  if (options.targetDependents && !isSet(options.targets) && !isSet(options.replaces))
    bad("--target-dependents needs --target");
  if (options.excludeDependents && !isSet(options.excludes)) bad("--exclude-dependents needs --exclude");
  if (options.excludeProtected && operation !== "destroy") bad("--exclude-protected belongs to destroy");
  if (options.excludeProtected && isSet(options.targets))
    bad("--target and --exclude-protected cannot be given together: choose what to do, or what to leave out");
  if (isSet(options.replaces) && (operation === "refresh" || operation === "destroy"))
    bad(`--replace makes no sense for ${operation}`);
  if (options.rollback && (operation === "refresh" || operation === "destroy"))
    bad(`a rollback is an update, and makes no sense for ${operation}`);
  if (options.clearPendingCreates && operation !== "refresh") bad("--clear-pending-creates belongs to refresh");
  for (const t of [...(options.targets ?? []), ...(options.excludes ?? []), ...(options.replaces ?? [])])
    if (!t.startsWith("urn:") && !t.includes("*"))
      bad(`${JSON.stringify(t)} is not a URN: write it as \`stack resources --json\` shows it, or with * and **`);
}
