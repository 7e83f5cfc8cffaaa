import * as esign from "pulumi-esign";

// Everything in the account is in the files beside this one: account.yaml and emails/.
const account = new esign.AccountConfig("account", { folder: "." });

export const webhookId = account.webhooks.signed?.webhookId;
