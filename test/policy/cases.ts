/** Resources, and which policies they violate: the same for the rules, for a pack on both engines, and for `lint`. */
import type { PolicyConfig } from "../../policy/configuration";
import { hashWording } from "../../policy/rules/approved-wording";

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

export const cases: readonly Case[] = [
  { name: "good", kind: "Webhook", args: { type: "signed-envelope", url: "https://a.example/good" }, violates: [] },
  {
    name: "everything",
    kind: "Webhook",
    args: { type: "all", url: "http://a.example/everything" },
    violates: ["https-only url", "no-all-webhook type"],
  },
  { name: "here", kind: "Webhook", args: { type: "add-user", url: "http://127.0.0.1:3000/x" }, violates: [] },
  {
    name: "logo",
    kind: "Branding",
    args: { logoUrl: "http://a.example/logo.png", colour: "#1A5FB4" },
    violates: ["https-only logoUrl"],
  },
  {
    name: "approved",
    kind: "BrandingEmail",
    args: { type: "email-send", subject: "Please sign {contract title}", content: `${approved}\r\n` },
    violates: [],
  },
  {
    name: "new-subject",
    kind: "BrandingEmail",
    args: { type: "email-reminder", subject: "Sign at once", content: approved },
    violates: ["approved-wording subject"],
  },
  {
    name: "no-link",
    kind: "BrandingEmail",
    args: { type: "email-reminder-password", content: "<p>{contract title}</p>" },
    violates: ["link-variable content", "approved-wording content"],
  },
  {
    name: "plain",
    kind: "BrandingEmail",
    args: { type: "email-widget-verify", contentPlain: "Read http://a.example/x" },
    violates: ["https-only contentPlain", "link-variable contentPlain", "approved-wording contentPlain"],
  },
  {
    name: "customer",
    kind: "Company",
    args: { name: "Customer", userName: "A", userEmail: "a@a.example", deletionProtection: false },
    violates: ["protect-companies deletionProtection"],
  },
  {
    name: "leaving-customer",
    kind: "Company",
    args: { name: "Leaving", userName: "B", userEmail: "b@a.example", deletionProtection: false },
    violates: [],
  },
  {
    name: "kept",
    kind: "Company",
    args: { name: "Kept", userName: "C", userEmail: "c@a.example" },
    violates: [],
  },
];
