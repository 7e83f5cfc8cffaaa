import { webhook as webhookDefinition } from "../../definitions/webhook";
import type { WebhookType } from "../../sdk/known-values";
import { type AccountHandle, defineResource } from "../core/resource-definition";
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

/** @internal */
export const webhook = defineResource<WebhookItem>(webhookDefinition, {
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
