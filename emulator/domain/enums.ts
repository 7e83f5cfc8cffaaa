/** Enum values: those of the specification, and with the setting `unlistedValues` some that it does not list. */

import { brandingEmailTypes } from "../../sdk/api/branding";
import { envelopeStatuses } from "../../sdk/api/envelopes";
import type { GroupName } from "../../sdk/api/index";
import { webhookTypes } from "../../sdk/api/webhooks";

export const emailTypes = [...brandingEmailTypes, "email-send-password"] as const;
export type EmailType = (typeof emailTypes)[number];

export const eventTypes = [...webhookTypes, "bounced-envelope"] as const;
export type EventType = (typeof eventTypes)[number];

export const statuses = [...envelopeStatuses, "rejected"] as const;
export type Status = (typeof statuses)[number];

/** The template types that each account has. */
export function emailTypesOf({ unlistedValues }: { unlistedValues: boolean }): readonly EmailType[] {
  return unlistedValues ? emailTypes : brandingEmailTypes;
}

/** Unlisted values that requests of a group may contain. */
export function unlistedValuesOf({ unlistedValues }: { unlistedValues: boolean }, group: GroupName): readonly string[] {
  if (!unlistedValues) return [];
  return group === "branding" ? emailTypes : group === "webhooks" ? eventTypes : [];
}
