/** Calls registered webhooks when something happens. Only addresses on loopback are called; the others are written down. */
import type { WebhookType } from "../sdk/webhooks";

/** Something that webhooks are told of. */
export interface Event {
  type: WebhookType;
  account: string;
  /** The service's time. */
  date: string;
  /** Nested parts of the notification, by name. */
  parts: Record<string, unknown>;
}
