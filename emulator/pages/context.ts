/** What pages and control endpoints look at, and how they answer. */
import type { ServerResponse } from "node:http";
import type { Context } from "../domain/context";
import type { Outbox, SentEmail } from "../domain/outbox";
import type { Envelope, Party } from "../domain/schema";
import { write } from "../http/response";
import type { Emulator } from "../types";

/** The service as seen from behind: what pages and control endpoints may look at and do. */
export interface PageContext {
  readonly emulator: Emulator;
  readonly context: Context;
  readonly outbox: Outbox;
}

export interface Signer {
  envelope: Envelope;
  party: Party;
}

/** Headers of every page: nothing from elsewhere, no script or style but the page's own. */
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
    // Not "no-referrer", under which a browser sends forms as if they came from nowhere.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
  };
}

/** An email to look at: no scripts, nothing loaded from elsewhere, links open beside it. */
export function sendEmailPage(response: ServerResponse, email: Pick<SentEmail, "html">): void {
  write(response, 200, email.html, "text/html; charset=utf-8", {
    "content-security-policy":
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
}
