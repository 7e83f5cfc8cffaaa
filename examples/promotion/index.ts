import * as pulumi from "@pulumi/pulumi";
import * as esign from "pulumi-esign";
import { emailTexts } from "./emails";

// The values in which the environments differ: each stack has its own in Pulumi.<stack>.yaml.
const config = new pulumi.Config();
const colour = config.require("colour");
const supportEmail = config.require("supportEmail");

const branding = new esign.Branding("branding", { logoUrl: config.require("logoUrl"), colour });

for (const type of ["email-send", "email-reminder", "email-signed"] as const) {
  new esign.BrandingEmail(type, { type, ...emailTexts(type, { colour, supportEmail }) });
}

const webhook = new esign.Webhook("signed", { type: "signed-envelope-complete", url: config.require("webhookUrl") });

export const environment = pulumi.getStack();
export const logo = branding.logo;
export const webhookId = webhook.webhookId;
