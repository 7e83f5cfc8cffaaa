/** The webhooks of an account. */

import { api } from "../sdk/api";
import { url } from "../sdk/api/scalars";
import { webhookType } from "../sdk/enum-schemas";
import type { WebhookType } from "../sdk/known-values";
import { hostOf, parseUrl } from "../sdk/text/url";
import {
  argument,
  type InAccount,
  inAccount,
  onExisting,
  optionalOutput,
  output,
  type RecordOf,
  type ValuesOf,
} from "./argument";
import { apiNames, type ComparedSources, fromApi } from "./field";
import { defineKind, identityRules, type KindDefinition, nameAndIdRules } from "./kind";
import type { Item } from "./model";
import { normalizeUrl } from "./text/normalize";
import { byText } from "./text/sort";

const webhookArguments = {
  /** The event to be notified of. */
  type: argument<WebhookType>(webhookType, { label: "event", apiName: "webhook_type" }),
  /** The URL that is called. */
  url: argument(url, { label: "URL", apiName: "webhook_url", normalize: normalizeUrl, environmentReason: otherHost }),
  /** What to do if an identical webhook exists: `adopt` it, `fail`, or `create` a second one. Default: adopt. */
  onExisting: onExisting(),
};
/** What a program declares. */
export interface WebhookValues extends ValuesOf<typeof webhookArguments>, InAccount {}

const webhookOutputs = {
  /** Identifier of the webhook. */
  webhookId: output("webhook_id", { isKey: true }),
  /** When it was created. */
  createdAt: optionalOutput("webhook_created"),
  /** When the service suspended it, since its URL had not answered 200 for three days; absent while it is active. */
  suspendedAt: optionalOutput("webhook_suspended", {
    read: (since) => since,
    isChangedByUpdate: true,
    problem: (since) =>
      `suspended since ${since}, so it is not notified. Its URL must answer with 200. If that does not resume it, run \`up --replace <urn>\`; in YAML and with the plugin, \`destroy --target <urn>\` and \`up\``,
  }),
  /** What signs its notifications. Secret. Only the webhook's creation returns it, and only where the service signs; adopting a webhook does not. */
  secret: optionalOutput("webhook_secret", { isSecret: true, isReturnedOnce: true }),
};
/** Outputs besides the arguments. */
export interface WebhookOutputs extends ValuesOf<typeof webhookOutputs> {}

/** A webhook of an account. */
export interface WebhookInfo
  extends RecordOf<
    typeof webhookArguments & typeof webhookOutputs,
    "webhookId" | "type" | "url",
    "createdAt" | "suspendedAt"
  > {}

const typeOf = ({ fields: { type = "" } }: Item) => type;
const urlOf = ({ fields: { url = "" } }: Item) => url;

function otherHost(a: string, b: string, { isOtherEnvironment }: ComparedSources): string | undefined {
  // On one host, http in place of https is a difference.
  const isSameEndpoint = hostOf(a) !== undefined && hostOf(a) !== hostOf(b) && pathOf(a) === pathOf(b);
  return isOtherEnvironment && isSameEndpoint ? "the same webhook on a host of its environment" : undefined;
}

function pathOf(address: string): string {
  const url = parseUrl(address);
  return url ? url.pathname + url.search + url.hash : address;
}

/** Type, host and path, where there is a host. */
const endpointOf = (item: Item) => {
  const host = hostOf(urlOf(item));
  return host === undefined ? undefined : `${typeOf(item)} ${host} ${pathOf(urlOf(item))}`;
};

/** @internal */
export const webhook: KindDefinition = defineKind({
  kind: "Webhook",
  nouns: ["webhook", "webhooks"],
  arguments: { ...webhookArguments, ...inAccount },
  outputs: webhookOutputs,
  naturalKey: ["type", "url"],
  isCreatable: true,
  storage: { section: "webhooks" },
  forms: [
    {
      form: api.webhooks.create.form,
      names: apiNames(webhookArguments, ["type", "url"]),
      defaults: { webhook_type: "all", webhook_url: "https://unknown.invalid" },
    },
  ],

  matchRules: ({ isOtherEnvironment, isSameUnfilled }) => [
    ...identityRules(webhook),
    ...(isSameUnfilled ? [{ key: typeOf, when: (a: Item, b: Item) => isSameUnfilled(a, b, "url") }] : []),
    ...(isOtherEnvironment
      ? [
          {
            key: (item: Item) => endpointOf(item) && `${typeOf(item)} ${pathOf(urlOf(item))}`,
            when: (a: Item, b: Item) => hostOf(urlOf(a)) !== hostOf(urlOf(b)),
          },
        ]
      : []),
    ...nameAndIdRules({ isOtherEnvironment }),
    // Another scheme, or other credentials.
    { key: endpointOf },
  ],
  newName: typeOf,

  async read(client) {
    const webhooks = await client.webhooks.list().all();
    return webhooks
      .map((record) => ({ id: record.webhook_id, fields: fromApi(webhook, record) }))
      .sort(byText(({ id, fields: { type, url } }) => [type, url, id.padStart(20, "0")].join("\n")));
  },
});
