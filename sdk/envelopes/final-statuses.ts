/** The statuses of an envelope that has ended. Every other one is open, also one that this version does not know. */
import type { EnvelopeStatus } from "../known-values";

/** Statuses that an envelope does not leave. */
export const finalStatuses: readonly EnvelopeStatus[] = ["signed", "rejected", "cancelled", "expired", "failed"];

/** True for a status that an envelope does not leave. */
export const isFinal = (status: string): boolean => (finalStatuses as readonly string[]).includes(status);
