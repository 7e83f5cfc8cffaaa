/** Webhooks. */
import { z } from "zod";
import { normalizeUrl } from "../../definitions/text/normalize";
import { webhookFields } from "../../definitions/webhook";
import { url } from "../../sdk/api/scalars";
import { openEnum, webhookType } from "../../sdk/enums";
import type { WebhookType } from "../../sdk/known-values";
import { type AccountHandle, defineResource } from "../core/resource-definition";
import { accountArgument, type InAccount } from "./account-argument";
import { assertNotTestKey, assertSameId, confirmsDeletion } from "./check-response";
import { listedObjects } from "./listed-objects";

type Maybe = string | null | undefined;

/** A webhook as create, list and update return it; an update may omit what it changed. */
export interface WebhookItem {
  webhook_id: string;
  webhook_type?: Maybe;
  webhook_url?: Maybe;
  webhook_created?: Maybe;
  webhook_suspended?: Maybe;
  webhook_secret?: Maybe;
}

/** The webhooks of an account, read together: only the list has when one was suspended. */
const webhooksOf = (account: AccountHandle) =>
  listedObjects<WebhookItem, "webhook_id">(account, "webhooks", "webhook_id", {
    list: (offset) => account.client.webhooks.list({ offset }),
    get: (id) => account.client.webhooks.get({ webhook_id: id }),
  });

/** What a program declares. */
export interface WebhookValues extends InAccount {
  /** The event to be notified of. */
  type: WebhookType;
  /** The URL that is called. */
  url: string;
  /** What to do if an identical webhook exists: `adopt` it, `fail`, or `create` a second one. Default: adopt. */
  onExisting?: "adopt" | "fail" | "create" | undefined;
}

const webhookArgs = {
  type: webhookType,
  url: url,
  account: accountArgument.optional(),
  onExisting: openEnum(["adopt", "fail", "create"]).optional(),
};

/** Outputs besides the arguments. */
export interface WebhookOutputs {
  /** Identifier of the webhook. */
  webhookId: string;
  /** When it was created. */
  createdAt?: string | undefined;
  /** When the service suspended it, since its URL had not answered 200 for three days; absent while it is active. */
  suspendedAt?: string | undefined;
  /** What signs its notifications. Secret. Only the webhook's creation returns it, and only where the service signs; adopting a webhook does not. */
  secret?: string | undefined;
}

const webhookOutputs = {
  webhookId: z.string(),
  createdAt: z.string().optional(),
  suspendedAt: z.string().optional(),
  secret: z.string().optional(),
};

/** @internal */
export const webhook = defineResource({
  kind: "Webhook",
  handler: "webhook",
  args: z.object(webhookArgs),
  outputs: z.object(webhookOutputs),
  keyOutput: "webhookId",
  secrets: ["secret"],
  changedByUpdate: ["suspendedAt"],
  returnedOnce: ["secret"],
  problems: {
    suspendedAt: (since) =>
      `suspended since ${since}, so it is not notified. Its URL must answer with 200. If that does not resume it, run \`up --replace <urn>\``,
  },
  ...webhookFields,
  createOnly: ["account"],
  naturalKey: ["type", "url"],
  defaults: { onExisting: "adopt" },

  key: (item) => item.webhook_id,
  outputsOf: (item: WebhookItem) => ({
    webhookId: item.webhook_id,
    createdAt: item.webhook_created || undefined,
    suspendedAt: item.webhook_suspended,
    // The state may have it: it is returned once.
    secret: item.webhook_secret || undefined,
  }),

  locate(args, { webhooks }) {
    const id = webhooks.find(({ type, url }) => type === args.type && url === args.url)?.id;
    return id === undefined ? undefined : { key: id, outputs: { webhookId: id } };
  },

  read: (account, key, age) => webhooksOf(account).read(key, age),

  async update(account, key, form) {
    const response = await account.client.webhooks.update({ webhook_id: key, ...form });
    assertNotTestKey(response);
    assertSameId(response.webhook_id, key);
    const { webhook_type, webhook_url } = response;
    const webhooks = webhooksOf(account);
    webhooks.updated(key, form, { webhook_type, webhook_url });
    const before = webhooks.cached(key);
    // Another URL may end a suspension.
    const item = before?.webhook_suspended ? await webhooks.read(key, 0).catch(() => undefined) : before;
    return { ...item, webhook_id: key, webhook_type, webhook_url };
  },

  collection: {
    objects: webhooksOf,
    createFields: ["type", "url"],
    match: (item, args) =>
      item.webhook_type === args.type && normalizeUrl(item.webhook_url ?? "") === normalizeUrl(args.url as string)
        ? "same"
        : "different",
    async create(account, args) {
      const response = await account.client.webhooks.create({
        webhook_type: args.type as WebhookType,
        webhook_url: args.url as string,
      });
      assertNotTestKey(response);
      account.session.reporting.addSecret(response.webhook_secret);
      return response;
    },
    async delete(account, key) {
      const response = await account.client.webhooks.delete({ webhook_id: key });
      return confirmsDeletion(response, response.webhook_id, key);
    },
  },
});
