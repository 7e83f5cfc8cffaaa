/** Which endpoint receives which event: events without a subscriber, and events that an endpoint receives twice. */

import type { WebhookModel } from "../../../account-folder/model";
import { groupBy } from "../../../account-folder/text/group-by";
import { normalizeUrl } from "../../../account-folder/text/normalize";
import { byText } from "../../../account-folder/text/sort";
import { unspecifiedWebhookTypes, webhookTypes } from "../../../sdk";

/** The type that means all events. */
const ALL = "all";

/** One URL, as one of its webhooks writes it, and why it receives each event. */
export interface Endpoint {
  url: string;
  /** By event: the types of the webhooks that bring it, `all` among them. An event without types is not received. */
  receives: Record<string, string[]>;
}

/** An event that is delivered to one endpoint more than once. */
export interface DoubleDelivery {
  event: string;
  url: string;
  reason: string;
}

export interface WebhookMap {
  /** The specification's events, and others that webhooks are registered for. */
  events: string[];
  endpoints: Endpoint[];
  /** Events that no webhook is registered for. */
  uncovered: string[];
  duplicates: DoubleDelivery[];
}

/** Lays webhooks out as events by endpoints. Pure. */
export function mapWebhooks(webhooks: readonly WebhookModel[]): WebhookMap {
  const unspecified: readonly string[] = unspecifiedWebhookTypes;
  const specific: string[] = webhookTypes.filter((type) => type !== ALL && !unspecified.includes(type));
  const others = webhooks.map((webhook) => webhook.type).filter((type) => type !== ALL && !specific.includes(type));
  const events = [...specific, ...[...new Set(others)].sort()];
  const sorted = [...webhooks].sort(byText(({ url }) => url));
  const endpoints = [...groupBy(sorted, ({ url }) => normalizeUrl(url)).values()].map((same): Endpoint => {
    const { url } = same[0]!;
    const types = same.map((webhook) => webhook.type);
    const brings = (event: string) => types.filter((type) => type === event || type === ALL).sort();
    return { url, receives: Object.fromEntries(events.map((event) => [event, brings(event)])) };
  });
  return {
    events,
    endpoints,
    uncovered: events.filter((event) => endpoints.every((endpoint) => endpoint.receives[event]!.length === 0)),
    duplicates: endpoints.flatMap(({ url, receives }) =>
      events
        .filter((event) => receives[event]!.length > 1)
        .map((event) => ({ event, url, reason: duplicateReason(event, receives[event]!) })),
    ),
  };
}

function duplicateReason(event: string, types: string[]): string {
  const all = types.filter((type) => type === ALL).length;
  const own = types.length - all;
  if (all > 0 && own > 0) return `"${ALL}" beside "${event}"`;
  return all > 1 ? `"${ALL}" is registered ${all} times` : `"${event}" is registered ${own} times`;
}
