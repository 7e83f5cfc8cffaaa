/** What pages and control endpoints share: their context and their headers. */
import type { ServerResponse } from "node:http";
import type { Envelope, Party } from "../domain/data-schema";
import type { Outbox, SentEmail } from "../domain/emails/sent-emails";
import type { Context } from "../domain/request-context";
import { write } from "../http/send-response";
import type { Emulator } from "../start-options";

/** What pages and control endpoints have access to. */
export interface PageContext {
  readonly emulator: Emulator;
  readonly context: Context;
  readonly outbox: Outbox;
}

export interface Signer {
  envelope: Envelope;
  party: Party;
}

/** Headers of every page: only the page's own script and style, and nothing from other hosts. */
export function pageHeaders(nonce: string, rules: string[]): Record<string, string> {
  return {
    "content-security-policy": [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      "connect-src 'self'",
      "img-src 'self'",
      "frame-src 'self'",
      "base-uri 'none'",
      ...rules,
    ].join("; "),
    "x-content-type-options": "nosniff",
    // Not "no-referrer", with which browsers send forms with the origin "null".
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
  };
}

/** Shows an email: no scripts, nothing from other hosts, links open in a new tab. */
export function sendEmailPage(response: ServerResponse, email: Pick<SentEmail, "html">): void {
  write(response, 200, email.html, "text/html; charset=utf-8", {
    "content-security-policy":
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
}
