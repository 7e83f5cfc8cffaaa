/** From headers and raw body to an event: the receiver without a server. */
import { ReceiverError } from "./errors";
import { type NotificationEvent, parseEvent } from "./event";
import type { RequestHeaders } from "./headers";
import { idempotencyKey } from "./idempotency-key";
import { checkSignatureOptions, type RawBody, type SignatureOptions, verifySignature } from "./signature";

export interface ReceiveOptions extends SignatureOptions {
  /** The largest body in bytes. Default: 1 MiB. */
  maxBodyBytes?: number | undefined;
}

/** A notification that was accepted. */
export interface Received {
  event: NotificationEvent;
  /** The same for each delivery of the event: keep it, and ignore an event whose key you have. */
  idempotencyKey: string;
}

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

export function maxBodyBytes(options: ReceiveOptions): number {
  return options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
}

/** Throws `options-invalid`. */
export function checkOptions(options: ReceiveOptions): void {
  checkSignatureOptions(options);
  if (!(maxBodyBytes(options) >= 0)) {
    throw new ReceiverError("options-invalid", "maxBodyBytes must be a number from 0 on");
  }
}

/** Verifies and reads a notification. Throws {@link ReceiverError}, whose `status` is what to answer. */
export function receive(headers: RequestHeaders, body: RawBody, options: ReceiveOptions): Received {
  checkOptions(options);
  if (Buffer.byteLength(body) > maxBodyBytes(options)) throw new ReceiverError("body-too-large");
  verifySignature(headers, body, options);
  const event = parseEvent(body);
  return { event, idempotencyKey: idempotencyKey(event) };
}
