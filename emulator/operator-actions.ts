/** What a test or a person does to the emulator's data outside the API. */

import type { EventType } from "./domain/enums";
import { type Actor, EnvelopeLifecycle, type PartyAction } from "./domain/envelope-lifecycle";
import { ApiError, InvalidAction } from "./domain/errors";
import { newSecret } from "./domain/identifiers";
import type { Context } from "./domain/request-context";
import type { Account } from "./domain/schema";
import type { WebhookEvent } from "./domain/webhook-delivery";

export function rotateKey(context: Context, accountId: string): string {
  const account = findAccount(context, accountId);
  context.revokeKey(account.key, 10005);
  account.key = newSecret("key_");
  context.markChanged(account);
  return account.key;
}

export function setSuspended(context: Context, accountId: string, isSuspended: boolean): void {
  const account = findAccount(context, accountId);
  if (isSuspended) account.suspended = true;
  else delete account.suspended;
  context.markChanged(account);
}

export function performAction(
  context: Context,
  fingerprint: string,
  action: PartyAction,
  partyId?: string,
  actor?: Actor,
): void {
  const target = context.findEnvelope(fingerprint);
  if (!target) throw new InvalidAction(`The envelope ${fingerprint} does not exist.`);
  const { parties } = target.envelope;
  const party =
    partyId === undefined
      ? (parties.find((p) => p.status === "in progress") ?? parties[0]!)
      : parties.find((p) => p.id === partyId);
  if (!party) throw new InvalidAction(`The envelope has no party ${partyId}.`);
  const lifecycle = new EnvelopeLifecycle(context, target.account, target.envelope, actor);
  try {
    if (action === "fail") lifecycle.fail();
    else lifecycle[action](party);
  } catch (error) {
    // The code's own message is about an API request, which this is not.
    if (!(error instanceof ApiError)) throw error;
    throw new InvalidAction(`Cannot ${action} the envelope: ${error.detail}.`);
  }
}

export function notify(context: Context, accountId: string, type: EventType, parts: WebhookEvent["parts"] = {}): void {
  context.emit(findAccount(context, accountId), type, context.timestamp, parts);
}

function findAccount(context: Context, id: string): Account {
  const account = context.findAccount(id);
  if (!account) throw new InvalidAction(`The account ${id} does not exist.`);
  return account;
}
