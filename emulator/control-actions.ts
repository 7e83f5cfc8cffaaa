/** What a test or a person does to the emulator's data outside the API. */

import { ApiError, InvalidAction } from "./domain/api-errors";
import type { Account } from "./domain/data-schema";
import { actionsOf, type EventAction } from "./domain/enums-by-edition";
import { type Actor, EMULATOR, EnvelopeLifecycle, type PartyAction } from "./domain/envelope-lifecycle";
import { newSecret } from "./domain/identifiers";
import type { WebhookDispatcher } from "./domain/notifications/delivery";
import type { Members } from "./domain/notifications/payload";
import { sampleMembers } from "./domain/notifications/subject-members";
import type { Context } from "./domain/request-context";

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
      ? (parties.find((p) => p.status === "in progress" || p.qes?.status === "ready") ?? parties[0]!)
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

/** Emits an event about the account's newest envelope or first template, or about sample values. */
export function notify(context: Context, accountId: string, action: EventAction, extra?: Members): void {
  const account = findAccount(context, accountId);
  const actions = actionsOf(context.settings);
  if (!actions.includes(action)) {
    throw new InvalidAction(`This edition has no event ${action}. It has: ${actions.join(", ")}.`);
  }
  requireNotifications(context);
  const members = sampleMembers(context.url, account, context.now);
  context.emit(account, { action, date: context.timestamp, ip: EMULATOR.ip, members, ...(extra && { extra }) });
}

/** Sends an event to its webhook again, with the webhook's URL and secret of now. */
export function redeliver(context: Context, webhooks: WebhookDispatcher, id: string): void {
  const found = webhooks.find(id);
  if (!found) throw new InvalidAction(`The notification ${id} does not exist.`);
  requireNotifications(context);
  const { delivery, event } = found;
  const webhook = context.findAccount(event.account)?.webhooks.find((candidate) => candidate.id === delivery.webhook);
  if (!webhook) throw new InvalidAction(`The webhook ${delivery.webhook} no longer exists.`);
  webhooks.send(event, webhook);
}

function requireNotifications({ settings }: Context): void {
  if (!settings.notifications.enabled)
    throw new InvalidAction("Notifications are off: start without --no-notifications, or set notifications.enabled.");
}

function findAccount(context: Context, id: string): Account {
  const account = context.findAccount(id);
  if (!account) throw new InvalidAction(`The account ${id} does not exist.`);
  return account;
}
