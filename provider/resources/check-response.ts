/** Responses that report success although nothing, or something else, was done. */
import { Failure, MismatchedResponse } from "../core/failure";

/** With a test key the API reports success and changes nothing. */
export function assertNotTestKey(response: Record<string, unknown>): void {
  if (response.test === true) throw testKey("the API reported success but changed nothing");
}

/** Before a write, by a response that has the mark of a test key. */
export function assertLiveKey(response: { test?: unknown }): void {
  if (response.test === true) throw testKey("the API would report success and change nothing");
}

const testKey = (what: string) =>
  new Failure(
    "ESIGN1004",
    `this is a test key: ${what}`,
    "Use the account's live key; previews without changes, refresh and drift work with a test key, too",
  );

/** Rejects a response about another object than the requested one. */
export function assertSameId(returned: string | undefined, requested: string): void {
  if (returned !== undefined && returned !== requested) {
    throw new MismatchedResponse(
      "ESIGN1016",
      `the API returned a different object than ${requested}; the response was discarded`,
    );
  }
}

/** Whether a response says that the object was deleted. One that says nothing leaves it open. */
export function confirmsDeletion(response: Record<string, unknown>, returned: string | undefined, id: string): boolean {
  assertNotTestKey(response);
  assertSameId(returned, id);
  return returned !== undefined;
}
