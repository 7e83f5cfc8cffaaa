import * as pulumi from "@pulumi/pulumi";
import * as esign from "pulumi-esign";

// One folder for both environments. What differs is a placeholder, with its value in Pulumi.<stack>.yaml under `values`.
const account = new esign.AccountConfig("account", { folder: "account" });

export const environment = pulumi.getStack();
export const logo = account.branding?.logo;
export const webhookId = account.webhooks.signed?.webhookId;
