/** Compares webhooks. */
import { parseUrl } from "../../sdk/text/url";
import type { WebhookModel } from "../model";
import { normalizeUrl } from "../text/normalize";
import { compareStrings } from "../text/sort";
import {
  compareFields,
  differentEnvironments,
  type Fields,
  host,
  isUnmanaged,
  otherValues,
  owner,
  unmanagedReason,
} from "./compare-fields";
import type { ComparisonContext, FieldPlace, ResourceChange } from "./comparison";
import { take, takeEqual } from "./match";

export function compareWebhooks(
  context: ComparisonContext,
  before: readonly WebhookModel[],
  after: readonly WebhookModel[],
): void {
  const left = [...before].sort(byWebhook);
  const right = [...after].sort(byWebhook);
  const content = ({ type, url }: WebhookModel) => `${type} ${normalizeUrl(url)}`;
  // Of several that are equal, each is itself first.
  takeEqual(left, right, (webhook) => webhook.id && `${webhook.id} ${content(webhook)}`);
  takeEqual(left, right, content);
  // Each side has names of its own for them: those of an account have none.
  const placeOf = ({ name }: WebhookModel): FieldPlace => ({
    kind: "Webhook",
    ...(name !== undefined && { name }),
    ...owner(context),
    field: "url",
  });
  const sameTemplate = (a: WebhookModel, b: WebhookModel) => otherValues(context, placeOf(a), a.url, b.url, placeOf(b));
  const hasTemplates = context.before.matchesTemplate !== undefined || context.after.matchesTemplate !== undefined;
  const templates = hasTemplates ? take(left, right, (a, b) => a.type === b.type && sameTemplate(a, b)) : [];
  const hosts = differentEnvironments(context)
    ? takeEqual(
        left,
        right,
        ({ type, url }) => (host(url) === "" ? undefined : `${type} ${pathOf(url)}`),
        // On one host, http in place of https for one is no matter of the environment.
        (a, b) => host(a.url) !== host(b.url),
      )
    : [];
  for (const [reason, pairs] of [
    ["the same webhook with other values of the environment", templates],
    ["the same webhook on a host of its environment", hosts],
  ] as const) {
    for (const [a, b] of pairs) {
      const fields = [{ field: "url", before: a.url, after: b.url }];
      const change = {
        kind: "Webhook" as const,
        name: nameOf(a),
        ...owner(context),
        action: "change" as const,
        fields,
      };
      context.result.environment.push({ ...change, reason });
    }
  }
  // The surest match first. An identifier is the service's, and says nothing about another account.
  const matches = [
    ({ name }: WebhookModel) => name,
    ({ id }: WebhookModel) => (differentEnvironments(context) ? undefined : id),
    // Another scheme, or who signs in there.
    ({ type, url }: WebhookModel) => (host(url) === "" ? undefined : `${type} ${host(url)} ${pathOf(url)}`),
  ];
  for (const [a, b] of matches.flatMap((key) => takeEqual(left, right, key))) {
    compareFields(context, { kind: "Webhook", name: nameOf(a) }, fieldsOf(a), fieldsOf(b));
  }
  for (const webhook of left) single(context, "remove", webhook);
  for (const webhook of right) single(context, "add", webhook);
}

function single(context: ComparisonContext, action: "add" | "remove", webhook: WebhookModel): void {
  const side = action === "add" ? "after" : "before";
  const change: ResourceChange = {
    kind: "Webhook",
    name: nameOf(webhook),
    ...owner(context),
    action,
    ...(webhook.id !== undefined && { id: webhook.id }),
    fields: [
      { field: "type", [side]: webhook.type },
      { field: "url", [side]: webhook.url },
    ],
  };
  const [a, b] = action === "add" ? [undefined, webhook] : [webhook, undefined];
  if (isUnmanaged(context, a, b)) context.result.unmanaged.push({ ...change, reason: unmanagedReason(context) });
  else context.result.changes.push(change);
}

export const nameOf = (webhook: WebhookModel) => `${webhook.type} ${webhook.url}`;
const fieldsOf = ({ type, url }: WebhookModel): Fields => ({ type, url });

function pathOf(address: string): string {
  const url = parseUrl(address);
  return url ? url.pathname + url.search + url.hash : address;
}

function byWebhook(a: WebhookModel, b: WebhookModel): number {
  return compareStrings(nameOf(a), nameOf(b)) || compareStrings(a.id ?? "", b.id ?? "");
}
