/** The values of enums in each edition: which email templates, event types and statuses the emulator knows. */

import type { GroupName } from "../../sdk/api/index";
import type { Edition } from "../../sdk/edition";
import { emailTypesOf as emailTypesOfEdition } from "../../sdk/email-variables";
import {
  brandingEmailTypes,
  envelopeStatuses,
  unspecifiedEmailTypes,
  unspecifiedWebhookTypes,
  webhookTypes,
} from "../../sdk/known-values";

export const emailTypes = brandingEmailTypes;
export type EmailType = (typeof brandingEmailTypes)[number];

/** The event of a notification. */
export type EventAction = Exclude<(typeof webhookTypes)[number], "all"> | "verified-envelope-widget";

export const statuses = envelopeStatuses;
export type Status = (typeof envelopeStatuses)[number];

interface EditionSettings {
  edition: Edition;
  unlistedValues: boolean;
}

/** The settings of an account that has all values. */
export const newest: EditionSettings = { edition: "current", unlistedValues: true };

/** True if values are accepted that the specification does not list. */
export const hasCurrentValues = ({ edition, unlistedValues }: EditionSettings): boolean =>
  edition === "current" || unlistedValues;

/** The types of email template that each account has. */
export function emailTypesOf(settings: EditionSettings): readonly EmailType[] {
  return emailTypesOfEdition(hasCurrentValues(settings) ? "current" : "specification");
}

/** The events that may occur. */
export function actionsOf(settings: EditionSettings): readonly EventAction[] {
  const actions = webhookTypes.filter((type) => type !== "all");
  if (hasCurrentValues(settings)) return [...actions, "verified-envelope-widget"];
  return actions.filter((type) => !(unspecifiedWebhookTypes as readonly string[]).includes(type));
}

/**
 * True if a webhook of this type is notified of an event. The emulator sends `verified-envelope-widget` to webhooks of type
 * `signed-envelope-widget`: no webhook can be registered for the former, and no event is documented for the latter.
 */
export function isSubscribed(type: string, action: EventAction): boolean {
  if (type === "all" || type === action) return true;
  return type === "signed-envelope-widget" && action === "verified-envelope-widget";
}

/** Values that the specification does not list and that requests of this group may contain. */
export function unlistedValuesOf(settings: EditionSettings, group: GroupName): readonly string[] {
  if (!hasCurrentValues(settings)) return [];
  return group === "branding" ? unspecifiedEmailTypes : group === "webhooks" ? unspecifiedWebhookTypes : [];
}
