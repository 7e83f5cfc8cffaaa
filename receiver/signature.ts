/** The signature of a notification, and the window in which it is accepted. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from "../sdk/api/notification-headers";
import { type RawBody, requireRawBody } from "./body/raw-body";
import { ReceiverError } from "./errors";
import { type RequestHeaders, readHeader } from "./headers";
import { listOfSecrets, type Secrets, withoutSpace } from "./secrets";

export interface SignatureOptions {
  /**
   * The webhook's secret, or several: while a webhook is replaced, notifications of the old and the new one arrive. White space
   * around it, as files have it, does not count. `false` accepts unsigned notifications from anyone, for an account whose
   * notifications are not signed.
   */
  secrets: Secrets | false;
  /** Seconds that the time in the header may differ from the clock, in both directions; `Infinity` accepts any. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The current time in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/** Throws `options-invalid`. */
export function checkWindow({ toleranceSeconds, now }: Pick<SignatureOptions, "toleranceSeconds" | "now">): void {
  checkNumber("toleranceSeconds", toleranceSeconds);
  if (now !== undefined && typeof now !== "function") {
    throw new ReceiverError("options-invalid", "now must be a function that returns milliseconds since 1970");
  }
}

/** Throws `options-invalid` for what is neither missing nor a number from 0 on. */
export function checkNumber(name: string, value: unknown): void {
  if (value !== undefined && !(typeof value === "number" && value >= 0)) {
    throw new ReceiverError("options-invalid", `${name} must be a number from 0 on`);
  }
}

/** Throws unless one of the secrets signed the body and the header's time is within the window. */
export function verifySignature(headers: RequestHeaders, body: RawBody, options: SignatureOptions): void {
  const { secrets, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now } = options;
  if (secrets === false) return;
  const signature = requireSignature(headers);
  // Each secret is compared, so that the time does not tell which one matches.
  const matches = listOfSecrets(secrets).filter((secret) => isEqual(signature, sign(body, secret)));
  if (matches.length === 0) throw new ReceiverError("signature-wrong");
  const timestamp = readHeader(headers, TIMESTAMP_HEADER) ?? "";
  if (!/^\d{1,12}$/.test(timestamp)) throw new ReceiverError("timestamp-missing");
  const time: unknown = now();
  // Of a clock that returns anything else, no time would be outside the window.
  if (typeof time !== "number" || !Number.isFinite(time))
    throw new ReceiverError("options-invalid", "now returned no time");
  if (Math.abs(time / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new ReceiverError("timestamp-outside-window", `more than ${toleranceSeconds} seconds`);
  }
}

/** The signature that the sender has made. Throws `signature-missing`. */
export function requireSignature(headers: RequestHeaders): string {
  const signature = readHeader(headers, SIGNATURE_HEADER);
  if (!signature) throw new ReceiverError("signature-missing");
  return signature;
}

/** The signature of a body, as the service makes it. White space around the secret does not count. */
export function sign(body: RawBody, secret: string): string {
  return createHmac("sha256", withoutSpace(secret)).update(requireRawBody(body)).digest("base64");
}

/** In constant time for texts of the same length; the length of a signature is no secret. */
function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
