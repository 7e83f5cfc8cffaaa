import * as pulumi from "@pulumi/pulumi";
import * as esign from "pulumi-esign";

// Where receiver.ts listens.
const url = new pulumi.Config("receiver").get("url") ?? "http://127.0.0.1:3000/esign";

const webhooks = (["signed-envelope-complete", "rejected-envelope"] as const).map(
  (type) => new esign.Webhook(type, { type, url }),
);

export const webhookIds = webhooks.map((webhook) => webhook.webhookId);
// What receiver.ts verifies notifications with. Empty if the service does not sign.
export const secrets = pulumi.all(webhooks.map(({ secret }) => secret)).apply((all) => all.filter(Boolean));
