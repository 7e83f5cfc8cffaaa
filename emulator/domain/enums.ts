/** Enum values: those of the specification, and those of today's edition of the service. */

import { brandingEmailTypes } from "../../sdk/api/branding";
import { envelopeStatuses } from "../../sdk/api/envelopes";
import type { GroupName } from "../../sdk/api/index";
import { webhookTypes } from "../../sdk/api/webhooks";
import type { Edition } from "../../sdk/edition";

export const emailTypes = [...brandingEmailTypes, "email-send-password"] as const;
export type EmailType = (typeof emailTypes)[number];

/** What a webhook can be registered for. */
export const eventTypes = [
  ...webhookTypes,
  "bounced-envelope",
  "verify-envelope-widget",
  "signed-envelope-widget",
  "send-envelope-failed",
] as const;
export type EventType = (typeof eventTypes)[number];

/** What a notification is about. */
export type EventAction = Exclude<EventType, "all"> | "verified-envelope-widget";

export const statuses = [...envelopeStatuses, "rejected"] as const;
export type Status = (typeof statuses)[number];

interface EditionSettings {
  edition: Edition;
  unlistedValues: boolean;
}

/** Whether values are known that the specification does not list. */
export const hasCurrentValues = ({ edition, unlistedValues }: EditionSettings): boolean =>
  edition === "current" || unlistedValues;

/** The template types that each account has. */
export function emailTypesOf(settings: EditionSettings): readonly EmailType[] {
  return hasCurrentValues(settings) ? emailTypes : brandingEmailTypes;
}

/** The events that occur. */
export function actionsOf(settings: EditionSettings): readonly EventAction[] {
  const types: readonly EventType[] = hasCurrentValues(settings) ? eventTypes : webhookTypes;
  const actions = types.filter((type): type is Exclude<EventType, "all"> => type !== "all");
  return hasCurrentValues(settings) ? [...actions, "verified-envelope-widget"] : actions;
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
  return group === "branding" ? emailTypes : group === "webhooks" ? eventTypes : [];
}
