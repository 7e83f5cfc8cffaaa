/** Webhooks. */
import { throwApiError } from "../domain/api-errors";
import type { Account, Webhook } from "../domain/data-schema";
import { newSecret } from "../domain/identifiers";
import { withoutSuspension } from "../domain/notifications/suspension";
import type { Context } from "../domain/request-context";
import type { GroupHandlers } from "./handler";

function findWebhook(account: Account, id: string): { webhook: Webhook; index: number } {
  const index = account.webhooks.findIndex((webhook) => webhook.id === id);
  return index < 0 ? throwApiError(10306) : { webhook: account.webhooks[index]!, index };
}

const present = ({ id, type, url }: Webhook) => ({ webhook_id: id, webhook_type: type, webhook_url: url });

/** A webhook with new values. */
function change({ settings, timestamp }: Context, webhook: Webhook, values: Partial<Pick<Webhook, "type" | "url">>) {
  const isSameUrl = (values.url ?? webhook.url) === webhook.url;
  const changed: Webhook = { ...(isSameUrl ? webhook : withoutSuspension(webhook)), ...values };
  return settings.edition === "current" ? { ...changed, updated: timestamp } : changed;
}

export const webhooks: GroupHandlers<"webhooks"> = {
  create: {
    errorCodes: { webhook_type: [10300, 10302], webhook_url: [10301, 10010] },
    run(request) {
      const { context, account, form, origin } = request;
      const isTaken = (id: string) => account.webhooks.some((webhook) => webhook.id === id);
      const webhook: Webhook = {
        id: context.newId(isTaken),
        type: form.webhook_type,
        url: form.webhook_url,
        created: context.timestamp,
        ...(context.settings.notifications.signed && { secret: newSecret("") }),
      };
      account.webhooks.push(webhook);
      context.markChanged(account);
      context.recordWrite(account, "webhooks", webhook.id);
      return {
        message: "The webhook has been created.",
        href: `${origin}/v1/webhooks/${webhook.id}`,
        ...present(webhook),
        webhook_created: webhook.created,
        // Only here: whoever loses it replaces the webhook.
        ...(webhook.secret !== undefined && { webhook_secret: webhook.secret }),
      };
    },
  },
  get: {
    errorCodes: { webhook_id: 10306 },
    run(request) {
      const { webhook } = findWebhook(request.account, request.params.webhook_id);
      return { ...present(webhook), webhook_created: webhook.created };
    },
  },
  list: {
    run: (request) => ({
      records: request.context.listVisible(request.account, "webhooks", request.account.webhooks),
      item: (webhook: Webhook) => ({
        ...present(webhook),
        webhook_created: webhook.created,
        // Null until it happens.
        webhook_updated: webhook.updated ?? null,
        webhook_suspended: webhook.suspended ?? null,
      }),
    }),
  },
  update: {
    errorCodes: { webhook_id: 10306, "": 10308, webhook_type: [10308, 10302], webhook_url: [10308, 10010] },
    run(request) {
      const { context, account, form, origin } = request;
      const { webhook: previous, index } = findWebhook(account, request.params.webhook_id);
      const { webhook_type: type = previous.type, webhook_url: url = previous.url } = form;
      const webhook = change(context, previous, { type, url });
      account.webhooks[index] = webhook;
      context.markChanged(account);
      context.recordWrite(account, "webhooks", webhook.id, { record: previous, index });
      return {
        message: "The webhook has been updated.",
        href: `${origin}/v1/${context.settings.hrefStyle === "other" ? "webhook" : "webhooks"}/${webhook.id}`,
        ...present(webhook),
        webhook_updated: context.timestamp,
      };
    },
  },
  delete: {
    errorCodes: { webhook_id: 10306 },
    run(request) {
      const { context, account } = request;
      const { webhook, index } = findWebhook(account, request.params.webhook_id);
      account.webhooks.splice(index, 1);
      context.markChanged(account);
      context.recordWrite(account, "webhooks", webhook.id, { record: webhook, index });
      return {
        message: "The webhook has been deleted.",
        webhook_id: webhook.id,
        webhook_url: webhook.url,
      };
    },
  },
};
