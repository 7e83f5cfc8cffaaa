/** From headers and raw body to an event: the receiver without a server. */
import { bodyFault } from "./body/body-fault";
import { maxBodyBytes } from "./body/body-limit";
import { type RawBody, requireRawBody } from "./body/raw-body";
import { ReceiverError } from "./errors";
import { type NotificationEvent, parseEvent } from "./event";
import type { RequestHeaders } from "./headers";
import { idempotencyKey } from "./idempotency-key";
import { listOfSecrets } from "./secrets";
import { checkNumber, checkWindow, type SignatureOptions, verifySignature } from "./signature";

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

/** Throws `options-invalid` for options other than the secrets. */
export function checkLimits(options: Omit<ReceiveOptions, "secrets">): void {
  if (typeof options !== "object" || options === null) throw new ReceiverError("options-invalid", "they are missing");
  checkWindow(options);
  checkNumber("maxBodyBytes", options.maxBodyBytes);
}

/** Verifies and reads a notification. Throws {@link ReceiverError}, whose `status` is what to answer. */
export function receive(headers: RequestHeaders, body: RawBody, options: ReceiveOptions): Received {
  checkLimits(options);
  if (options.secrets !== false) listOfSecrets(options.secrets);
  const raw = requireRawBody(body);
  if (Buffer.byteLength(raw) > maxBodyBytes(options)) throw new ReceiverError("body-too-large");
  try {
    verifySignature(headers, raw, options);
    const event = parseEvent(raw);
    return { event, idempotencyKey: idempotencyKey(event) };
  } catch (error) {
    const { code } = error as ReceiverError;
    throw (code === "signature-wrong" || code === "not-an-event" ? bodyFault(headers, raw) : undefined) ?? error;
  }
}
