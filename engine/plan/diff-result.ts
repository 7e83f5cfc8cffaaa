/**
 * The meaning of a diff: no change, an update or a replacement, and because of which properties.
 *
 * Used for: the response to Diff of ResourceProvider, with the options replaceOnChanges and replacementTrigger.
 */
import { diffProperties, type PropertyChange } from "../resource/property-diff";
import { containsPath, type Path, parsePaths } from "../resource/property-path";
import { containsUnknown, isEqual, unwrapSecrets, type Value, type ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/resource-state";
import type { Step } from "./step";

export interface DiffResult {
  changes: "none" | "some";
  replaceKeys: string[];
  deleteBeforeReplace: boolean;
  details: PropertyChange[] | undefined;
  /** Properties whose change replaces the resource. */
  replacingPaths: Path[];
}

export const isReplacement = (v: DiffResult): boolean => v.replaceKeys.length > 0 || v.replacingPaths.length > 0;

/** A diff without details, except for these keys. */
export const diffResult = (details: Partial<DiffResult> = {}): DiffResult => ({
  changes: "some",
  replaceKeys: [],
  deleteBeforeReplace: false,
  details: undefined,
  replacingPaths: [],
  ...details,
});

/** The name for initialisation errors in replaceOnChanges. */
const INIT_ERROR = "#initerror";

/** True when two triggers differ. An unknown one differs from all; a missing one is not a trigger. */
export function hasTriggerChanged(before: Value | undefined, after: Value | undefined): boolean {
  const [a, b] = [unwrapSecrets(before ?? null), unwrapSecrets(after ?? null)];
  if (containsUnknown(a) || containsUnknown(b)) return true;
  if (a === null || b === null) return false;
  return !isEqual(a, b);
}

/** Applies replaceOnChanges. It needs details, which a provider that decides by itself does not return. */
export function withReplaceOnChanges(
  diff: DiffResult,
  replaceOnChanges: readonly string[],
  hasInitErrors: boolean,
): DiffResult {
  if (diff.changes !== "some" && !hasInitErrors) return diff;
  const paths = parsePaths(replaceOnChanges);
  const result = { ...diff, replaceKeys: [...diff.replaceKeys], replacingPaths: [...diff.replacingPaths] };
  for (const change of diff.details ?? []) {
    if (!paths.some((p) => containsPath(p, change.path))) continue;
    result.replacingPaths.push(change.path);
  }
  // A path to a whole property also counts when only part of it changed.
  const keys = new Set((diff.details ?? []).map((c) => String(c.path[0])));
  for (const key of keys)
    if (paths.some((p) => containsPath(p, [key])) && !result.replaceKeys.includes(key)) result.replaceKeys.push(key);
  if (hasInitErrors && paths.some((p) => containsPath(p, [INIT_ERROR]))) {
    result.replaceKeys.push(INIT_ERROR);
    result.changes = "some";
  }
  return result;
}

/** What a step displays of a diff: the engine's own comparison of the inputs, where there are no details. */
export function detailsOf(
  diff: DiffResult,
  old: ResourceState,
  inputs: ValueMap,
): Pick<Step, "changes" | "replaceKeys"> {
  const changes = diff.details ?? diffProperties(old.inputs ?? {}, inputs);
  const keys = [...diff.replaceKeys, ...diff.replacingPaths.map((p) => String(p[0]))];
  return { changes, replaceKeys: [...new Set(keys)] };
}
