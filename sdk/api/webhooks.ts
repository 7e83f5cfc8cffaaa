/** Webhooks. */
import { z } from "zod";
import { webhookType } from "../enum-schemas";
import { endpoint, pageBase, responseBase } from "./endpoint";
import { id, idInput, optionalTimestamp, optionalValue, total, url } from "./scalars";

/** A webhook as the API returns it. */
export const webhook = z.looseObject({
  /** Identifier. */
  webhook_id: id,
  /** The event type. One that this version does not know is returned unchanged. */
  webhook_type: z.string(),
  /** The URL that is notified. */
  webhook_url: z.string(),
  /** When it was created. */
  webhook_created: optionalTimestamp,
  /** When it was last changed. Only lists of the current edition have it. */
  webhook_updated: optionalTimestamp,
  /** When the service suspended it, since its URL had not answered 200 for three days; null while it is active. Only lists of the current edition have it. */
  webhook_suspended: optionalValue,
});
export type WebhookRecord = z.output<typeof webhook>;

const params = z.object({
  /** Identifier of the webhook. */
  webhook_id: idInput,
});

export const create = endpoint({
  method: "POST",
  path: "/v1/webhooks",
  summary: "Registers a URL for an event type.",
  section: "4.2",
  form: z.object({
    /** The event type. */
    webhook_type: webhookType,
    /** The URL to notify. */
    webhook_url: url,
  }),
  response: responseBase.extend({
    ...webhook.shape,
    /** What signs its notifications. Secret. Only this response contains it, and only of a service that signs. */
    webhook_secret: z.string().nullish(),
  }),
});

export const get = endpoint({
  method: "GET",
  path: "/v1/webhooks/{webhook_id}",
  summary: "Returns one webhook.",
  section: "4.2",
  params,
  missingCode: 10306,
  response: responseBase.extend(webhook.shape),
});

export const list = endpoint({
  method: "GET",
  path: "/v1/webhooks",
  summary: "Lists the webhooks.",
  section: "4.2",
  response: pageBase.extend({
    /** Total number of webhooks. */
    total_webhooks: total,
    webhooks: z.array(webhook),
  }),
  list: { items: "webhooks", total: "total_webhooks", id: "webhook_id", emptyCode: 10307 },
});

export const update = endpoint({
  method: "PUT",
  path: "/v1/webhooks/{webhook_id}",
  summary: "Changes a webhook's event type, URL or both.",
  section: "4.2",
  params,
  form: z
    .object({
      /** The event type. */
      webhook_type: webhookType.optional(),
      /** The URL to notify. */
      webhook_url: url.optional(),
    })
    .refine(
      (form) => form.webhook_type !== undefined || form.webhook_url !== undefined,
      "needs webhook_type or webhook_url",
    ),
  response: responseBase.extend({
    webhook_id: id.optional(),
    webhook_type: z.string().nullish(),
    webhook_url: z.string().nullish(),
    webhook_updated: optionalTimestamp,
  }),
});

const remove = endpoint({
  method: "DELETE",
  path: "/v1/webhooks/{webhook_id}",
  summary: "Deletes a webhook.",
  section: "4.2",
  params,
  response: responseBase.extend({ webhook_id: id.optional() }),
});

export { remove as delete };
