/** The whole interface: every endpoint value, by area of the service. Everything that is derived is derived from here. */
import * as branding from "./branding";
import * as companies from "./companies";
import type { Endpoint } from "./endpoint";
import * as envelopes from "./envelopes";
import * as usage from "./usage";
import * as webhooks from "./webhooks";

/** Area by area, operation by operation: `areas.webhooks.create`. */
export const areas = {
  branding: {
    get: branding.get,
    update: branding.update,
    emails: branding.emails,
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
  },
} as const;

export type Areas = typeof areas;
export type AreaName = keyof Areas;

/** Every endpoint with its place: what routers, tables and references walk over. */
export const allEndpoints: readonly { area: AreaName; operation: string; endpoint: Endpoint }[] = Object.entries(
  areas,
).flatMap(([area, operations]) =>
  Object.entries(operations as Record<string, Endpoint>).map(([operation, endpoint]) => ({
    area: area as AreaName,
    operation,
    endpoint,
  })),
);
