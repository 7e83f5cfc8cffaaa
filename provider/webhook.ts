/** Webhooks (§2.3, §4.2, §6). */
import { z } from "zod";
import { ServiceError } from "../sdk/errors";
import { type WebhookRecord, type WebhookType, webhookTypes } from "../sdk/webhooks";
import { idInput, oneOf, url } from "../sdk/wire";
import type { Account } from "./account";
import { Collection } from "./collection";
import { define } from "./define";
import { answeredItself, really } from "./reply";

/** The webhooks of an account, read together. */
function webhooksOf(account: Account): Collection<WebhookRecord> {
  return account.keep(
    "webhooks",
    () =>
      new Collection<WebhookRecord>(
        {
          async *list(from) {
            yield* account.client.webhooks.list({ offset: from });
          },
          async get(id) {
            try {
              const answer = await account.client.webhooks.get({ webhook_id: id });
              answeredItself(answer.webhook_id, id);
              return answer;
            } catch (error) {
              if (error instanceof ServiceError && error.notFound) return undefined;
              throw error;
            }
          },
          idOf: (webhook) => webhook.webhook_id,
        },
        () => account.session.quiet(),
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
  account: idInput.optional(),
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

export const webhook = define({
  kind: "Webhook",
  handler: "webhook",
  args: z.object(webhookArgs),
  outputs: z.object(webhookOutputs),
  secrets: [],
  managed: ["type", "url"],
  createOnly: ["account"],
  identity: ["type", "url"],
  defaults: { onExisting: "adopt" },

  key: (wire) => wire.webhook_id,
  toWire: (fields) => ({
    ...(fields.type !== undefined && { webhook_type: fields.type }),
    ...(fields.url !== undefined && { webhook_url: fields.url }),
  }),
  fromWire: (wire: WebhookRecord) => ({
    fields: { type: wire.webhook_type, url: wire.webhook_url },
    outputs: { webhookId: wire.webhook_id, createdAt: wire.webhook_created },
  }),

  read: (account, key, age) => webhooksOf(account).read(key, age),

  async update(account, key, form) {
    const answer = await account.client.webhooks.update({ webhook_id: key, ...form });
    really(answer);
    answeredItself(answer.webhook_id, key);
    const item = { webhook_created: webhooksOf(account).known(key)?.webhook_created, ...answer };
    webhooksOf(account).put(item);
    return item;
  },

  life: {
    collection: webhooksOf,
    createdWith: ["type", "url"],
    match: (wire, args) => (wire.webhook_type === args.type && wire.webhook_url === args.url ? "equal" : "other"),
    async create(account, args) {
      const answer = await account.client.webhooks.create({
        webhook_type: args.type as WebhookType,
        webhook_url: args.url as string,
      });
      really(answer);
      return answer;
    },
    async remove(account, key) {
      const answer = await account.client.webhooks.delete({ webhook_id: key });
      really(answer);
      answeredItself(answer.webhook_id, key);
      return answer.webhook_id !== undefined;
    },
  },
});
