/** Resources, and which policies they violate: the same for the rules, for a pack on both engines, and for `lint`. */

import { hashWording } from "../../rules/registry/policies/approved-wording";
import type { PolicyConfig } from "../../rules/rule-configuration";

export interface Case {
  name: string;
  kind: "Webhook" | "Branding" | "BrandingEmail" | "Company";
  args: Record<string, unknown>;
  /** The violations, as `policy field`. */
  violates: string[];
}

const approved = '<p>Please sign: <a href="{contract url}">{contract title}</a></p>';

/** A stack that is production by its name. */
export const stack = "production-eu";

export const config = {
  "protect-companies": { except: ["leaving*"] },
  "approved-wording": { hashes: [hashWording(approved), hashWording("Please sign {contract title}")] },
} satisfies PolicyConfig;

const of =
  (kind: Case["kind"]) =>
  (name: string, args: Case["args"], ...violates: string[]): Case => ({ name, kind, args, violates });
const [webhook, branding, email, company] = [of("Webhook"), of("Branding"), of("BrandingEmail"), of("Company")];
const customer = { name: "Customer", userName: "A", userEmail: "a@a.example" };
const kept = { name: "Kept", userName: "C", userEmail: "c@a.example" };
const leaving = { name: "Leaving", userName: "B", userEmail: "b@a.example", deletionProtection: false };
const http = "http://a.example";

export const cases: readonly Case[] = [
  webhook("good", { type: "signed-envelope", url: "https://a.example/good" }),
  webhook("everything", { type: "all", url: `${http}/everything` }, "https-only url", "no-all-webhook type"),
  webhook("here", { type: "add-user", url: "http://127.0.0.1:3000/x" }),
  branding("logo", { logoUrl: `${http}/logo.png`, colour: "#1A5FB4" }, "https-only logoUrl"),
  email("approved", {
    type: "email-send",
    subject: "Please sign {contract title}",
    content: `${approved}\r\n`,
  }),
  email(
    "new-subject",
    { type: "email-reminder", subject: "Sign at once", content: approved },
    "approved-wording subject",
  ),
  email(
    "no-link",
    { type: "email-reminder-password", content: "<p>{contract title}</p>" },
    "link-variable content",
    "approved-wording content",
  ),
  email(
    "plain",
    { type: "email-widget-verify", contentPlain: `Read ${http}/x` },
    ...["https-only contentPlain", "link-variable contentPlain", "approved-wording contentPlain"],
  ),
  company("customer", { ...customer, deletionProtection: false }, "protect-companies deletionProtection"),
  company("leaving-customer", leaving),
  company("kept", kept),
];
