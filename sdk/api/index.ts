/** The whole API: every endpoint value, by resource group. The client, the CLI and the emulator derive from it. */
import * as branding from "./branding";
import * as companies from "./companies";
import * as contacts from "./contacts";
import * as embedSessions from "./embed-sessions";
import type { Endpoint } from "./endpoint";
import * as envelopes from "./envelopes";
import * as settings from "./settings";
import * as templates from "./templates";
import * as usage from "./usage";
import * as users from "./users";
import * as webhooks from "./webhooks";

/** By group and operation: `api.webhooks.create`. */
export const api = {
  branding: {
    get: branding.get,
    update: branding.update,
    emails: branding.emails,
    email: branding.email,
    updateEmail: branding.updateEmail,
  },
  webhooks: {
    create: webhooks.create,
    get: webhooks.get,
    list: webhooks.list,
    update: webhooks.update,
    delete: webhooks.delete,
  },
  companies: {
    create: companies.create,
    get: companies.get,
    list: companies.list,
    update: companies.update,
    delete: companies.delete,
  },
  usage: { list: usage.list },
  envelopes: {
    createFromTemplate: envelopes.createFromTemplate,
    createFromFiles: envelopes.createFromFiles,
    get: envelopes.get,
    list: envelopes.list,
    remind: envelopes.remind,
    cancel: envelopes.cancel,
    expire: envelopes.expire,
    delete: envelopes.delete,
    updateParty: envelopes.updateParty,
  },
  embedSessions: { create: embedSessions.create },
  users: {
    create: users.create,
    get: users.get,
    list: users.list,
    update: users.update,
    delete: users.delete,
  },
  contacts: {
    create: contacts.create,
    get: contacts.get,
    list: contacts.list,
    envelopes: contacts.envelopes,
    update: contacts.update,
    delete: contacts.delete,
  },
  templates: {
    get: templates.get,
    list: templates.list,
    delete: templates.delete,
  },
  settings: { get: settings.get, update: settings.update },
} as const;

export type Api = typeof api;
export type GroupName = keyof Api;

/** All endpoints, each with its group and operation. */
export const allEndpoints: readonly { group: GroupName; operation: string; endpoint: Endpoint }[] = Object.entries(
  api,
).flatMap(([group, operations]) =>
  Object.entries(operations as Record<string, Endpoint>).map(([operation, endpoint]) => ({
    group: group as GroupName,
    operation,
    endpoint,
  })),
);
