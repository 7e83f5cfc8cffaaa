/** The stacks of a fleet, and their configuration: one for each customer, or shared ones, whose program gets a list. */
import { createHash } from "node:crypto";
import { type ConfigNode, hasSecure } from "../../engine/config/file-values";
import { isStackName } from "../../engine/config/stack-names";
import { keyedHash } from "../../fs/machine-key";
import { UsageError } from "../output/errors";
import type { Customer } from "./customers";

export interface ConfigEntry {
  value: string;
  secret: boolean;
}

/** A stack as it is wanted: what is deployed as a whole. */
export interface CustomerStack {
  /** Its name. */
  stack: string;
  /** The customers in it. */
  ids: string[];
  /** Configuration by full key. */
  config: Record<string, ConfigEntry>;
  /** Keys that other customers have, and this one has not (any more). */
  unset: string[];
  /** Of a shared stack: the key of the list of its customers. */
  listKey?: string;
  suspended: boolean;
  /** Customers of a shared stack who have no record any more, where they are to be removed. */
  removedIds?: string[];
}

/** The customers that an operation on the stack is about: where some are removed, these. */
export const concerned = ({ ids, removedIds }: Pick<CustomerStack, "ids" | "removedIds">): string[] =>
  removedIds ?? ids;

/** A key is a secret, whoever forgets to say so. */
const alwaysSecret = ["esign:apiKey"];

/**
 * The names of configuration that are encrypted: of `values.token`, all of `values`.
 * @throws {UsageError} for a column that no customer has: what was mistyped would be in clear
 */
export function secretNames(customers: readonly Customer[], wanted: readonly string[]): Set<string> {
  const columns = new Set(customers.flatMap((customer) => customer.columns));
  const unknown = wanted.filter(
    (name) => ![...columns].some((column) => column === name || column.split(".")[0] === name),
  );
  if (unknown.length > 0)
    throw new UsageError(
      `--secret-columns: no customer has a column ${unknown.join(", ")} (columns: ${[...columns].join(", ")})`,
    );
  return new Set([...alwaysSecret, ...wanted.map((name) => name.split(".")[0]!)]);
}

export interface CustomerStackOptions {
  /** What stacks' names begin with; the customer's id follows. */
  prefix: string;
  project: string;
  /** Columns whose values are encrypted in the stack's configuration. */
  secrets: ReadonlySet<string>;
  /** How many stacks those customers share who name none. Default: each has its own. */
  stacks?: number | undefined;
}

/** One of `of` parts, from 1 on. It follows from the name alone, so that it is the same when others come and go. */
export const partOf = (name: string, of: number): number =>
  (createHash("sha256").update(name).digest().readUInt32BE() % of) + 1;

/** The number of stacks is part of the name: so the stacks that exist tell it to the next run, on any machine. */
const sharedName = (id: string, of: number): string => `${partOf(id, of)}-of-${of}`;

export function toCustomerStacks(customers: readonly Customer[], options: CustomerStackOptions): CustomerStack[] {
  const { prefix, stacks } = options;
  const groups = new Map<string, { isShared: boolean; members: Customer[] }>();
  for (const customer of customers) {
    const shared = customer.stack ?? (stacks === undefined ? undefined : sharedName(customer.id, stacks));
    const stack = prefix + (shared ?? customer.id);
    if (!isStackName(stack)) throw new UsageError(`customer ${customer.id}: ${stack} is too long for a stack's name`);
    const group = groups.get(stack) ?? { isShared: shared !== undefined, members: [] };
    groups.set(stack, group);
    group.members.push(customer);
    if (group.isShared !== (shared !== undefined)) {
      const ids = group.members.map(({ id }) => id).join(", ");
      throw new UsageError(`${stack} cannot be the stack of one customer and a shared one: see the customers ${ids}`);
    }
  }
  const customerStacks = [...groups].map(([stack, { isShared, members }]) =>
    isShared ? sharedStack(stack, members, options) : ownStack(stack, members[0]!, options),
  );
  const columns = [...groups.values()].flatMap(({ isShared, members }) => (isShared ? [] : members[0]!.columns));
  const all = new Set([
    ...customerStacks.flatMap(({ config }) => Object.keys(config)),
    // Also of those in which no customer has a value any more.
    ...columns.filter((column) => !notConfigured.has(column)).map((column) => keyOf(column.split(".")[0]!, options)),
  ]);
  return customerStacks.map((customerStack) => ({
    ...customerStack,
    unset: [...all].filter((key) => !Object.hasOwn(customerStack.config, key)),
  }));
}

/** Columns that say what is done with a customer. */
const notConfigured: ReadonlySet<string> = new Set(["id", "stack", "suspended"]);

const keyOf = (name: string, { project }: CustomerStackOptions): string =>
  name.includes(":") ? name : `${project}:${name}`;

function ownStack(stack: string, { id, suspended, values }: Customer, options: CustomerStackOptions): CustomerStack {
  const text = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const config: Record<string, ConfigEntry> = {};
  for (const [name, value] of Object.entries({ id, ...values }))
    config[keyOf(name, options)] = { value: text(value), secret: options.secrets.has(name) };
  return { stack, ids: [id], config, unset: [], suspended };
}

/** Where the program of a shared stack finds its customers. */
export const listKeyOf = (project: string): string => `${project}:customers`;

/** Whether a customer is suspended, the program of a shared stack decides what to do. */
function sharedStack(
  stack: string,
  customers: readonly Customer[],
  { project, secrets }: CustomerStackOptions,
): CustomerStack {
  const list = customers.map(({ id, suspended, values }) => ({ id, ...(suspended && { suspended }), ...values }));
  const secret = list.some((record) => Object.keys(record).some((name) => secrets.has(name)));
  const listKey = listKeyOf(project);
  const config = { [listKey]: { value: JSON.stringify(list), secret } };
  return { stack, ids: customers.map(({ id }) => id), config, unset: [], listKey, suspended: false };
}

/** What is encrypted in a stack's file remains so, if --secret-columns is forgotten once. */
export const withSecretsOf = (
  config: CustomerStack["config"],
  written: Record<string, ConfigNode>,
): CustomerStack["config"] =>
  Object.fromEntries(
    Object.entries(config).map(([key, { value, secret }]) => [
      key,
      { value, secret: secret || hasSecure(written[key] ?? null) },
    ]),
  );

/** A customer in the list of a shared stack. */
export interface CustomerEntry {
  id: string;
}

/** Customers of a shared stack who have no record any more. @param before the list that it was deployed with */
export function orphansOf({ ids }: CustomerStack, before: readonly CustomerEntry[]): CustomerEntry[] {
  const present = new Set(ids);
  return before.filter(({ id }) => !present.has(id));
}

/** A record that is gone deletes nothing: the customer stays in the list, with the values that it had. */
export function withOrphans(
  { config, listKey, ...customerStack }: CustomerStack,
  orphans: readonly CustomerEntry[],
): CustomerStack {
  if (listKey === undefined || orphans.length === 0) return { ...customerStack, config, ...(listKey && { listKey }) };
  const { value, secret } = config[listKey]!;
  const list = JSON.stringify([...(JSON.parse(value) as CustomerEntry[]), ...orphans]);
  return { ...customerStack, listKey, config: { ...config, [listKey]: { value: list, secret } } };
}

/** Tells whether a stack's values are the same as in an earlier run, on this machine: values may be secrets that can be guessed. */
export const configurationHash = ({ config }: CustomerStack, salt: string): string =>
  keyedHash(`fleet ${salt}`, JSON.stringify(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1))));
