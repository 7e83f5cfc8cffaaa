import * as pulumi from "@pulumi/pulumi";
import * as esign from "pulumi-esign";
import { emailTexts } from "./emails";

const config = new pulumi.Config("account");
const colour = config.get("colour") ?? "#0B7285";
const supportEmail = config.get("supportEmail") ?? "support@example.com";

const branding = new esign.Branding("branding", {
  logoUrl: config.get("logoUrl") ?? "https://www.example.com/logo.png",
  colour,
});

const types = [
  "email-cancelled",
  "email-rejected",
  "email-reminder",
  "email-reminder-password",
  "email-send",
  "email-signed",
  "email-widget-verify",
] as const;
for (const type of types) new esign.BrandingEmail(type, { type, ...emailTexts(type, { colour, supportEmail }) });

const endpoint = config.get("endpoint") ?? "https://hooks.example.com";
const signed = new esign.Webhook("signed", { type: "signed-envelope-complete", url: `${endpoint}/signed` });
const rejected = new esign.Webhook("rejected", { type: "rejected-envelope", url: `${endpoint}/rejected` });

export const logo = branding.logo;
export const webhookIds = { signed: signed.webhookId, rejected: rejected.webhookId };
