/** Errors of the receiver. */

/** For each code the HTTP status, the message and the likely cause. */
const errors = {
  "not-an-event": [400, "The request is not a notification", "someone else has sent it"],
  "body-empty": [400, "The body is empty", "someone else has sent it, or a proxy has removed the body"],
  "signature-missing": [
    401,
    "The header Signature is missing",
    "someone else has sent it; or the webhook was created without a secret, or a proxy removes the header",
  ],
  "signature-wrong": [
    401,
    "The signature matches none of the secrets",
    "the secret is that of another webhook or of one that was replaced, or a proxy changes the body",
  ],
  "timestamp-missing": [
    401,
    "The header with the time of the notification is missing or not a number",
    "a proxy removes the header",
  ],
  "timestamp-outside-window": [
    401,
    "The notification was sent too long ago, or in the future",
    "the clock of this machine is wrong, or someone has sent an old notification again",
  ],
  "length-missing": [
    411,
    "The body is empty, and neither Content-Length nor Transfer-Encoding says that there is one",
    "a proxy that speaks HTTP/1.0 leaves out Content-Length",
  ],
  "body-too-large": [
    413,
    "The body is larger than the limit",
    "someone else has sent it, or maxBodyBytes is too small",
  ],
  "body-compressed": [415, "The body is compressed, which notifications are not", "a proxy compresses requests"],
  "raw-body-missing": [500, "The raw body is not available", "a body parser runs before the receiver"],
  "secrets-missing": [
    503,
    "The secrets are not available",
    "the function or promise that secrets was set to has failed",
  ],
  "options-invalid": [500, "The options of the receiver are not valid", "a setting has another type or value"],
  "handler-timeout": [503, "The handler took longer than handleWithinSeconds", "the handler waits for something else"],
} as const;

/** Stable codes of errors. */
export type ReceiverErrorCode = keyof typeof errors;

/** The codes, each with its HTTP status, its message and its likely cause. */
export const receiverErrors: Readonly<
  Record<ReceiverErrorCode, readonly [status: number, message: string, cause: string]>
> = errors;

/** A request that is not accepted. Neither the message nor a member contains a secret or content of the request. */
export class ReceiverError extends Error {
  override readonly name = "ReceiverError";
  /** The HTTP status to answer with. */
  readonly status: number;
  /** Why it usually happens. */
  readonly likelyCause: string;

  constructor(
    readonly code: ReceiverErrorCode,
    detail?: string,
    options?: ErrorOptions,
  ) {
    const [status, message, cause] = errors[code];
    super(detail === undefined ? `${message}.` : `${message}: ${detail}.`, options);
    this.status = status;
    this.likelyCause = cause;
  }
}
