/** Sample values for previews of email templates. */
import type { BrandingEmailVariable } from "../../sdk/email-variables";
import type { brandingEmailTypes } from "../../sdk/known-values";
import { escapeHtml } from "../../sdk/text/html-escape";

/** Values of the API's variables, by name. */
export type Sample = Readonly<Record<string, string>>;

/** A realistic envelope: names with accents and an apostrophe, long URLs. */
export const sample: Readonly<Record<BrandingEmailVariable, string>> = {
  "company name": "Harbour & Sons Lettings",
  "contract title": "Tenancy agreement, 12 Quay Street",
  "client name": "Zoë O’Brien-Łukasz",
  "user name": "Amara Nwosu",
  "contract url": "https://sign.example.com/e/4f9c1b7e2a6d40c8",
  "acknowledge url": "https://sign.example.com/e/4f9c1b7e2a6d40c8/acknowledge",
  "contract password": "T7-QUAY-42",
  "contract intro": "Please read the agreement and sign it by Friday. Call me if anything is unclear.",
  "widget verify url": "https://sign.example.com/w/verify/9d3e5a",
  "company logo": "https://sign.example.com/logos/harbour.png",
  "party message": "Please read the agreement and sign it by Friday. Call me if anything is unclear.",
};

/** The purpose of each email template type. */
export const emailTitles: Readonly<Record<(typeof brandingEmailTypes)[number], string>> = {
  "email-send": "Invitation to sign",
  "email-send-password": "Invitation with password",
  "email-reminder": "Reminder",
  "email-reminder-password": "Reminder with password",
  "email-signed": "Signed",
  "email-rejected": "Rejected",
  "email-cancelled": "Cancelled",
  "email-widget-verify": "Address check of a form",
};

/** Fills in variables; unknown names are left unchanged. */
export function fillSample(text: string, kind: "text" | "html", values: Sample = sample): string {
  const write = kind === "html" ? escapeHtml : (value: string) => value;
  return text.replace(/\{([^{}\r\n]{1,60})\}/g, (written, name: string) =>
    Object.hasOwn(values, name) ? write(values[name]!) : written,
  );
}
