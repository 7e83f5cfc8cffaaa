/** Signed notifications, and a handler that keeps what it gets. */
import { beforeEach } from "vitest";
import { type Handler, type Received, type ReceiverOptions, sign } from "../../receiver";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from "../../sdk/api/notification-headers";
import { classic, formOf } from "../fixtures/notifications";

export const FORM = "application/x-www-form-urlencoded";
export const secret = "s3cret";
export const form = formOf(classic["signed-envelope"]);

/** The headers of a notification. */
export const signed = (body: string, type = FORM, seconds = Date.now() / 1000): Record<string, string> => ({
  "content-type": type,
  [SIGNATURE_HEADER]: sign(body, secret),
  [TIMESTAMP_HEADER]: String(Math.round(seconds)),
});

/** A notification as a fetch request, with another body if that is wanted. */
export const requestOf = (body: RequestInit["body"] = form, init: object = {}): Request =>
  new Request("http://receiver.example/esign", {
    ...{ method: "POST", body, headers: signed(form), duplex: "half" },
    ...init,
  } as RequestInit);

/** What the handler of a test got, and which errors were reported; empty before each test. */
export function recorder() {
  const handled: Received[] = [];
  const errors: unknown[] = [];
  beforeEach(() => {
    handled.length = 0;
    errors.length = 0;
  });
  const handler: Handler = async (received) => {
    handled.push(received);
  };
  const options: ReceiverOptions = { secrets: secret, onError: (error) => errors.push(error) };
  return { handled, errors, handler, options };
}
