import * as pulumi from "@pulumi/pulumi";
import * as esign from "pulumi-esign";

// Where receiver.ts listens.
const url = new pulumi.Config("receiver").get("url") ?? "http://127.0.0.1:3000/esign";

export const webhookIds = (["signed-envelope-complete", "rejected-envelope"] as const).map(
  (type) => new esign.Webhook(type, { type, url }).webhookId,
);
