/** Which receiver hears which event: events nobody hears, and events that a receiver hears twice. */

import type { WebhookModel } from "../../../account-folder/model";
import { groupBy } from "../../../account-folder/text/group-by";
import { normalizeUrl } from "../../../account-folder/text/normalize";
import { byText } from "../../../account-folder/text/sort";
import { webhookTypes } from "../../../sdk";

/** The type that stands for all events (§6). */
const ALL = "all";

/** One receiver's address, in one of its notations, and how it comes to hear each event. */
export interface Endpoint {
  url: string;
  /** By event: the types of the webhooks that bring it, `all` among them. An event that does not occur is not heard. */
  hears: Record<string, string[]>;
}

/** An event that is delivered to one receiver more than once. */
export interface DoubleDelivery {
  event: string;
  url: string;
  reason: string;
}

export interface WebhookMap {
  /** The specific events (§6), and those of webhooks whose type this version does not know. */
  events: string[];
  receivers: Endpoint[];
  /** Events that no webhook is registered for. */
  unheard: string[];
  double: DoubleDelivery[];
}

/** Lays webhooks out as events by receivers. Pure. */
export function mapWebhooks(webhooks: readonly WebhookModel[]): WebhookMap {
  const specific = webhookTypes.filter((type) => type !== ALL) as string[];
  const unknown = webhooks.map((webhook) => webhook.type).filter((type) => type !== ALL && !specific.includes(type));
  const events = [...specific, ...[...new Set(unknown)].sort()];
  const sorted = [...webhooks].sort(byText(({ url }) => url));
  const receivers = [...groupBy(sorted, ({ url }) => normalizeUrl(url)).values()].map((same): Endpoint => {
    const { url } = same[0]!;
    const types = same.map((webhook) => webhook.type);
    const brings = (event: string) => types.filter((type) => type === event || type === ALL).sort();
    return { url, hears: Object.fromEntries(events.map((event) => [event, brings(event)])) };
  });
  return {
    events,
    receivers,
    unheard: events.filter((event) => receivers.every((receiver) => receiver.hears[event]!.length === 0)),
    double: receivers.flatMap(({ url, hears }) =>
      events
        .filter((event) => hears[event]!.length > 1)
        .map((event) => ({ event, url, reason: duplicateReason(event, hears[event]!) })),
    ),
  };
}

function duplicateReason(event: string, types: string[]): string {
  const all = types.filter((type) => type === ALL).length;
  const own = types.length - all;
  if (all > 0 && own > 0) return `"${ALL}" beside "${event}"`;
  return all > 1 ? `"${ALL}" is registered ${all} times` : `"${event}" is registered ${own} times`;
}
