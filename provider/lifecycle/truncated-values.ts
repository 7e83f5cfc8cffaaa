/** Values of which the API has stored the beginning only. */
import { fieldOf } from "../../definitions/field";
import type { Fields, ResourceDefinition } from "../core/resource-definition";
import { logAbout, type WriteContext } from "./resource-context";

/** Truncation is not a failure: the API may have removed something that does not matter. */
export function warnTruncated(context: WriteContext, sending: Fields, now: Fields): void {
  for (const [field, value] of Object.entries(sending)) {
    if (!isTruncated(context.definition, field, value!, now[field])) continue;
    const lengths = `${now[field]!.length} of ${value!.length} characters`;
    logAbout(context, `${field}: the API truncated the value to ${lengths}. Shorten it`);
  }
}

function isTruncated(definition: ResourceDefinition, field: string, sent: string, now: string | undefined): boolean {
  const { normalizeLoose } = fieldOf(definition, field) ?? {};
  if (normalizeLoose === undefined || !now) return false;
  const [whole, stored] = [normalizeLoose(sent), normalizeLoose(now)];
  return stored !== "" && stored.length < whole.length && whole.startsWith(stored);
}
