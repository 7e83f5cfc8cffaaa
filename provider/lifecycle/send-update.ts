/** Sends an update to the API. */
import { fieldOf } from "../../definitions/field";
import { ApiError } from "../../sdk/errors";
import { WriteFailure } from "../core/failure";
import type { Fields, ResourceDefinition } from "../core/resource-definition";
import { isEquivalent } from "../state/drift";
import type { WriteContext } from "./resource-context";

/** Some services reject what changes nothing, and so the retry of a request that was applied without a response. */
export async function sendUpdate(context: WriteContext, sending: Fields, previous: Fields): Promise<unknown> {
  const { definition, account, key, writes } = context;
  try {
    writes.count++;
    return await definition.update(account, key, definition.toApi(sending));
  } catch (error) {
    if (wasRetried(error)) {
      const item = await definition.read(account, key, 0).catch(() => undefined);
      const now: Fields = item === undefined ? {} : definition.fromApi(item).fields;
      const isApplied = ([field, value]: [string, string | undefined]) =>
        isEquivalent(definition, field, value, now[field]) || isRewritten(definition, field, value!, now[field]);
      if (item !== undefined && Object.entries(sending).every(isApplied)) return item;
    }
    throw new WriteFailure(sending, previous, error);
  }
}

/** True for the response to a retry, after the first request got none. */
const wasRetried = (error: unknown) =>
  error instanceof ApiError && error.mayHaveSucceeded && [400, 409, 422].includes(error.status);

/** True if a value is the one that was sent, in the API's format. */
export function isRewritten(
  definition: ResourceDefinition,
  field: string,
  sent: string,
  now: string | undefined,
): boolean {
  const { normalizeLoose } = fieldOf(definition, field) ?? {};
  return normalizeLoose !== undefined && now !== undefined && normalizeLoose(sent) === normalizeLoose(now);
}
