/** The diff that a provider returns, with the values at its paths. */
import type { PropertyChange } from "./property-diff";
import { parsePath, valueAt } from "./property-path";
import type { ValueMap } from "./property-value";
import type { DiffResponse, ReportedDiff } from "./provider-interface";

interface Compared {
  oldInputs: ValueMap;
  oldOutputs: ValueMap;
  news: ValueMap;
}

/** A difference whose path is invalid is left out. */
export function withValues(
  { details, ...diff }: ReportedDiff,
  { oldInputs, oldOutputs, news }: Compared,
): DiffResponse {
  if (details === undefined) return diff;
  const changes = details.flatMap(({ path: text, kind, isOfInputs }): PropertyChange[] => {
    const path = parsePath(text);
    if (path === undefined) return [];
    const before = kind === "add" ? undefined : valueAt(isOfInputs ? oldInputs : oldOutputs, path);
    const after = kind === "delete" ? undefined : valueAt(news, path);
    return [{ path, kind, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
  });
  return { ...diff, details: changes };
}
