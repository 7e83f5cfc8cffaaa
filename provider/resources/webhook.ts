/** Webhooks (§2.3, §4.2, §6). */
import { z } from "zod";
import { normalizeUrl } from "../../account-folder/text/normalize";
import { oneOf, url } from "../../sdk/api/scalars";
import { type WebhookType, webhookTypes } from "../../sdk/api/webhooks";
import { type AccountHandle, defineResource } from "../core/resource-definition";
import { ObjectStore } from "../objects/object-store";
import { accountArgument } from "./account-argument";
import { assertNotTestKey, assertSameId } from "./check-response";

type Maybe = string | null | undefined;

/** A webhook as creation, list and update answer it; an update may be silent about what it changed. */
export interface WebhookItem {
  webhook_id: string;
  webhook_type?: Maybe;
  webhook_url?: Maybe;
  webhook_created?: Maybe;
}

/** The webhooks of an account, read together. */
function webhooksOf(account: AccountHandle) {
  return account.memoize(
    "webhooks",
    () =>
      new ObjectStore<WebhookItem, WebhookItem>(
        {
          async *list(from) {
            yield* account.client.webhooks.list({ offset: from });
          },
          isComplete: true,
          async one(id) {
            const answer = await account.client.webhooks.get({ webhook_id: id });
            assertSameId(answer.webhook_id, id);
            return answer;
          },
          idOf: (webhook) => webhook.webhook_id,
        },
        account.session,
      ),
  );
}

/** What the user writes. */
export const webhookArgs = {
  /** The event that is notified. */
  type: oneOf(webhookTypes),
  /** The address that is notified. */
  url: url,
  /** The sub account that it belongs to: a Company or its id. Default: the account of the key. */
  account: accountArgument.optional(),
  /** What happens when an equal webhook exists: `adopt` takes it over, `fail` stops, `create` makes another. Default: adopt. */
  onExisting: oneOf(["adopt", "fail", "create"]).optional(),
};

/** What comes back besides. */
export const webhookOutputs = {
  /** Identifier of the webhook. */
  webhookId: z.string(),
  /** When it was created. */
  createdAt: z.string().optional(),
};

export const webhook = defineResource({
  kind: "Webhook",
  handler: "webhook",
  args: z.object(webhookArgs),
  outputs: z.object(webhookOutputs),
  secrets: [],
  fields: ["type", "url"],
  createOnly: ["account"],
  naturalKey: ["type", "url"],
  defaults: { onExisting: "adopt" },

  key: (wire) => wire.webhook_id,
  normalize: (field, value) => (field === "url" ? normalizeUrl(value) : value),
  toApi: (fields) => ({
    ...(fields.type !== undefined && { webhook_type: fields.type }),
    ...(fields.url !== undefined && { webhook_url: fields.url }),
  }),
  fromApi: (wire: WebhookItem) => ({
    fields: { type: wire.webhook_type ?? undefined, url: wire.webhook_url ?? undefined },
    outputs: { webhookId: wire.webhook_id, createdAt: wire.webhook_created || undefined },
  }),

  read: (account, key, age) => webhooksOf(account).read(key, age),

  async update(account, key, form) {
    const answer = await account.client.webhooks.update({ webhook_id: key, ...form });
    assertNotTestKey(answer);
    assertSameId(answer.webhook_id, key);
    const { webhook_type, webhook_url } = answer;
    webhooksOf(account).written(key, form, { webhook_type, webhook_url });
    return { ...webhooksOf(account).cached(key), webhook_id: key, webhook_type, webhook_url };
  },

  collection: {
    objects: webhooksOf,
    createFields: ["type", "url"],
    match: (wire, args) =>
      wire.webhook_type === args.type && normalizeUrl(wire.webhook_url ?? "") === normalizeUrl(args.url as string)
        ? "equal"
        : "other",
    async create(account, args) {
      const answer = await account.client.webhooks.create({
        webhook_type: args.type as WebhookType,
        webhook_url: args.url as string,
      });
      assertNotTestKey(answer);
      return answer;
    },
    async delete(account, key) {
      const answer = await account.client.webhooks.delete({ webhook_id: key });
      assertNotTestKey(answer);
      assertSameId(answer.webhook_id, key);
      return answer.webhook_id !== undefined;
    },
  },
});
