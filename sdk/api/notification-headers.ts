/** Headers of notifications. Values only: the receiver imports this file, and nothing else of the client. */

/** When the notification was sent, in seconds since 1970. */
export const TIMESTAMP_HEADER = "X-Signable-Webhook";

/** Base64 of the HMAC-SHA256 of the raw body, with the webhook's secret as the key. */
export const SIGNATURE_HEADER = "Signature";
