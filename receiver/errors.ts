/** Errors of the receiver. */

/** The HTTP status and the message of each code. */
const errors = {
  "not-an-event": [400, "The request is not a notification"],
  "signature-missing": [401, "The header Signature is missing"],
  "signature-wrong": [401, "The signature matches none of the secrets"],
  "timestamp-missing": [401, "The header with the time of the notification is missing or not a number"],
  "timestamp-outside-window": [401, "The notification was sent too long ago, or in the future"],
  "body-too-large": [413, "The body is larger than the limit"],
  "raw-body-missing": [500, "The raw body is not available"],
  "options-invalid": [500, "The options of the receiver are not valid"],
  "handler-timeout": [503, "The handler took longer than handleWithinSeconds"],
} as const;

/** Stable codes of errors. */
export type ReceiverErrorCode = keyof typeof errors;

/** A request that is not accepted. Neither the message nor a member contains a secret or content of the request. */
export class ReceiverError extends Error {
  override readonly name = "ReceiverError";
  /** The HTTP status to answer with. */
  readonly status: number;

  constructor(
    readonly code: ReceiverErrorCode,
    detail?: string,
  ) {
    const [status, message] = errors[code];
    super(detail === undefined ? `${message}.` : `${message}: ${detail}.`);
    this.status = status;
  }
}
