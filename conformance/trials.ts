/** What `--write` makes, changes and deletes: objects that are recognised by their names, whatever happened to the run that made them. */
import { randomBytes } from "node:crypto";
import type { Endpoint } from "../sdk/api/endpoint";
import { api } from "../sdk/api/index";

type Fields = Readonly<Record<string, string>>;
type Operation = "create" | "get" | "list" | "update" | "delete";

/** One object's life. */
export interface Trial {
  readonly group: "webhooks" | "contacts";
  readonly kind: "webhook" | "contact";
  readonly endpoints: Readonly<Record<Operation, Endpoint>>;
  /** Name of the ID. */
  readonly id: "webhook_id" | "contact_id";
  /** The member by which an object of such a run is recognised. */
  readonly mark: "webhook_url" | "contact_email";
  readonly fields: Fields;
  readonly changes: Fields;
}

const mark = /\besign-conformance-[0-9a-f]{8}\b/;

/** Whether a run of this command has made an object. */
export const isOfTrial = ({ mark: member }: Trial, object: Readonly<Record<string, unknown>>): boolean =>
  mark.test(String(object[member] ?? ""));

/** Whether this very run has. */
export const isOwn = (trial: Trial, object: Readonly<Record<string, unknown>>): boolean =>
  mark.exec(String(object[trial.mark] ?? ""))?.[0] === mark.exec(trial.fields[trial.mark]!)![0];

/**
 * The trials of a run. Unless there is another URL, that of the webhook leads nowhere, and its event type is a rare one: no
 * notification reaches anyone.
 */
export function trials(webhookUrl: string | undefined): Trial[] {
  const name = `esign-conformance-${randomBytes(4).toString("hex")}`;
  const url = new URL(webhookUrl ?? `https://${name}.invalid/`);
  if (webhookUrl !== undefined) url.searchParams.set("run", name);
  const changed = new URL(url);
  changed.searchParams.set("changed", "yes");
  return [
    {
      group: "webhooks",
      kind: "webhook",
      endpoints: api.webhooks,
      id: "webhook_id",
      mark: "webhook_url",
      fields: { webhook_type: "add-template", webhook_url: url.href },
      changes: { webhook_url: changed.href },
    },
    {
      group: "contacts",
      kind: "contact",
      endpoints: api.contacts,
      id: "contact_id",
      mark: "contact_email",
      // No mail is ever delivered to example.com.
      fields: { contact_name: name, contact_email: `${name}@example.com` },
      changes: { contact_name: `${name} changed` },
    },
  ];
}
