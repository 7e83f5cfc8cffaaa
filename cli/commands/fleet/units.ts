/** The stacks of a fleet: one for each customer, or for the customers who name the same one; and their configuration. */
import { createHash, createHmac } from "node:crypto";
import { isStackName } from "../../../engine/config/file-names";
import { UsageError } from "../../output/exit-codes";
import type { Customer } from "./customers";

export interface ConfigEntry {
  value: string;
  secret: boolean;
}

/** What is deployed as a whole. */
export interface Unit {
  stack: string;
  /** The customers in it. */
  ids: string[];
  /** Configuration by full key. */
  config: Record<string, ConfigEntry>;
  /** Keys that other customers have, and this one has not (any more). */
  unset: string[];
  suspended: boolean;
}

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

export interface UnitOptions {
  /** What stacks' names begin with; the customer's id follows. */
  prefix: string;
  project: string;
  /** Columns whose values are encrypted in the stack's configuration. */
  secrets: ReadonlySet<string>;
}

export function toUnits(customers: readonly Customer[], options: UnitOptions): Unit[] {
  const groups = new Map<string, Customer[]>();
  for (const customer of customers) {
    const stack = options.prefix + (customer.stack ?? customer.id);
    if (!isStackName(stack)) throw new UsageError(`customer ${customer.id}: ${stack} is too long for a stack's name`);
    const group = groups.get(stack);
    if (group === undefined) groups.set(stack, [customer]);
    else group.push(customer);
  }
  const units = [...groups].map(([stack, members]) => toUnit(stack, members, options));
  const all = [...new Set(units.flatMap(({ config }) => Object.keys(config)))];
  return units.map((unit) => ({ ...unit, unset: all.filter((key) => !Object.hasOwn(unit.config, key)) }));
}

function toUnit(stack: string, customers: Customer[], { project, secrets }: UnitOptions): Omit<Unit, "unset"> {
  const ids = customers.map(({ id }) => id);
  const [first] = customers as [Customer];
  const isShared = first.stack !== undefined;
  if (customers.some((customer) => (customer.stack !== undefined) !== isShared))
    throw new UsageError(`${stack} is the stack of a customer of its own and a shared one, of ${ids.join(", ")}`);
  const suspended = customers.find((customer) => customer.suspended)?.id;
  if (isShared && suspended !== undefined)
    throw new UsageError(`customer ${suspended}: only customers with a stack of their own can be suspended`);
  const isSecret = (name: string) => secrets.has(name);
  const text = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const config: Record<string, ConfigEntry> = {};
  if (isShared) {
    const list = customers.map(({ id, values }) => ({ id, ...values }));
    const secret = list.some((record) => Object.keys(record).some(isSecret));
    config[`${project}:customers`] = { value: JSON.stringify(list), secret };
  } else {
    for (const [name, value] of Object.entries({ id: first.id, ...first.values }))
      config[name.includes(":") ? name : `${project}:${name}`] = { value: text(value), secret: isSecret(name) };
  }
  return { stack, ids, config, suspended: first.suspended };
}

/** Which of `of` machines has a stack, from 1 on: by its name, so that it stays there when others come and go. */
export const machineOf = (stack: string, of: number): number =>
  (createHash("sha256").update(stack).digest().readUInt32BE() % of) + 1;

/** Tells whether a stack's values are the same as in an earlier run. Salted, since values may be secrets that can be guessed. */
export const hashOf = ({ config }: Unit, salt: string): string =>
  createHmac("sha256", salt)
    .update(JSON.stringify(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest("base64url");
