/** Webhooks (§4.2). */
import { throwApiError } from "../domain/errors";
import type { Account, Webhook } from "../domain/schema";
import type { Call, GroupHandlers } from "./types";

function find(account: Account, id: string): { webhook: Webhook; index: number } {
  const index = account.webhooks.findIndex((webhook) => webhook.id === id);
  return index < 0 ? throwApiError(10306) : { webhook: account.webhooks[index]!, index };
}

function shown(call: Pick<Call, "id">, webhook: Webhook) {
  return { webhook_id: call.id(webhook.id), webhook_type: webhook.type, webhook_url: webhook.url };
}

export const webhooks: GroupHandlers<"webhooks"> = {
  create: {
    refusals: { webhook_type: [10300, 10302], webhook_url: [10301, 10010] },
    run(call) {
      const { world, account, form, origin } = call;
      const taken = (id: string) => account.webhooks.some((webhook) => webhook.id === id);
      const webhook = { id: world.newId(taken), type: form.webhook_type, url: form.webhook_url, created: world.stamp };
      account.webhooks.push(webhook);
      world.changed(account);
      world.wrote(account, "webhooks", webhook.id);
      return {
        message: "The webhook has been created.",
        href: `${origin}/v1/webhooks/${webhook.id}`,
        ...shown(call, webhook),
        webhook_created: webhook.created,
      };
    },
  },
  get: {
    refusals: { webhook_id: 10305 },
    run(call) {
      const { webhook } = find(call.account, call.params.webhook_id);
      return { ...shown(call, webhook), webhook_created: webhook.created };
    },
  },
  list: {
    run: (call) => ({
      records: call.world.visible(call.account, "webhooks", call.account.webhooks),
      item: (webhook: Webhook) => ({ ...shown(call, webhook), webhook_created: webhook.created }),
    }),
  },
  update: {
    refusals: { webhook_id: 10305, "": 10308, webhook_type: [10308, 10302], webhook_url: [10308, 10010] },
    run(call) {
      const { world, account, form, origin } = call;
      const { webhook: before, index } = find(account, call.params.webhook_id);
      const webhook = { ...before, type: form.webhook_type ?? before.type, url: form.webhook_url ?? before.url };
      account.webhooks[index] = webhook;
      world.changed(account);
      world.wrote(account, "webhooks", webhook.id, { record: before, index });
      return {
        message: "The webhook has been updated.",
        href: `${origin}/v1/${world.settings.hrefStyle === "other" ? "webhook" : "webhooks"}/${webhook.id}`,
        ...shown(call, webhook),
        webhook_updated: world.stamp,
      };
    },
  },
  delete: {
    refusals: { webhook_id: 10305 },
    run(call) {
      const { world, account } = call;
      const { webhook, index } = find(account, call.params.webhook_id);
      account.webhooks.splice(index, 1);
      world.changed(account);
      world.wrote(account, "webhooks", webhook.id, { record: webhook, index });
      return { message: "The webhook has been deleted.", webhook_id: call.id(webhook.id) };
    },
  },
};
