/** Suspends webhooks whose URL has not answered 200 for a time. */

import { formatTimestamp, parseTimestamp } from "../../../sdk/api/scalars";
import type { Account, Webhook } from "../data-schema";
import { suspendAfter } from "../limits";
import type { Context } from "../request-context";

/** Records whether a webhook answered, unless it has another URL by now. */
export function recordOutcome(context: Context, accountId: string, id: string, url: string, succeeded: boolean): void {
  const account = context.findAccount(accountId);
  const webhook = account?.webhooks.find((candidate) => candidate.id === id && candidate.url === url);
  if (!account || !webhook || (webhook.failing === undefined) === succeeded) return;
  const { failing, ...rest } = webhook;
  replace(context, account, succeeded ? rest : { ...rest, failing: context.timestamp });
}

/** When the webhook is suspended, if it does not answer until then. */
export function suspensionTime({ failing, suspended }: Webhook): number | undefined {
  return failing === undefined || suspended !== undefined
    ? undefined
    : parseTimestamp(failing).getTime() + suspendAfter;
}

export function suspend(context: Context, account: Account, webhook: Webhook, when: Date): void {
  replace(context, account, { ...webhook, suspended: formatTimestamp(when) });
}

/** A webhook gets notifications again with another URL. */
export function withoutSuspension({ failing, suspended, ...webhook }: Webhook): Webhook {
  return webhook;
}

function replace(context: Context, account: Account, webhook: Webhook): void {
  account.webhooks = account.webhooks.map((other) => (other.id === webhook.id ? webhook : other));
  context.markChanged(account);
}
