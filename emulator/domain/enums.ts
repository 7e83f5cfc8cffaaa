/** Enum values: those of the specification, and those of today's edition of the service. */

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

/** What a notification is about. */
export type EventAction = Exclude<(typeof webhookTypes)[number], "all"> | "verified-envelope-widget";

export const statuses = envelopeStatuses;
export type Status = (typeof envelopeStatuses)[number];

interface EditionSettings {
  edition: Edition;
  unlistedValues: boolean;
}

/** Of an account that has everything. */
export const newest: EditionSettings = { edition: "current", unlistedValues: true };

/** Whether values are known that the specification does not list. */
export const hasCurrentValues = ({ edition, unlistedValues }: EditionSettings): boolean =>
  edition === "current" || unlistedValues;

/** The template types that each account has. */
export function emailTypesOf(settings: EditionSettings): readonly EmailType[] {
  return emailTypesOfEdition(hasCurrentValues(settings) ? "current" : "specification");
}

/** The events that occur. */
export function actionsOf(settings: EditionSettings): readonly EventAction[] {
  const actions = webhookTypes.filter((type) => type !== "all");
  if (hasCurrentValues(settings)) return [...actions, "verified-envelope-widget"];
  return actions.filter((type) => !(unspecifiedWebhookTypes as readonly string[]).includes(type));
}

/**
 * Whether a webhook of a type is notified. Nothing can be registered for `verified-envelope-widget`, and no event is documented
 * for `signed-envelope-widget`: the emulator takes them for a pair.
 */
export function isSubscribed(type: string, action: EventAction): boolean {
  if (type === "all" || type === action) return true;
  return type === "signed-envelope-widget" && action === "verified-envelope-widget";
}

/** Unlisted values that requests of a group may contain. */
export function unlistedValuesOf(settings: EditionSettings, group: GroupName): readonly string[] {
  if (!hasCurrentValues(settings)) return [];
  return group === "branding" ? unspecifiedEmailTypes : group === "webhooks" ? unspecifiedWebhookTypes : [];
}
