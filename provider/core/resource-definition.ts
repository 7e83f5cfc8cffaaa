/**
 * What one resource must say of itself. Everything else (validation, plan, echo, adoption, restoring, errors, classes) is
 * derived from this, once for all resources.
 */

import type { z } from "zod";
import type { Client } from "../../sdk/client";
import type { Clock } from "./clock";
import type { ObjectStoreHandle } from "./object-list";
import type { Properties } from "./pulumi-values";

/** By this argument the class tells `check`, which takes it out again, what hooks are told by nobody: the name of the stack. */
export const stackNameArg = "__stack";

/** The fields of an object that the service keeps and that can be changed, by their friendly names. */
export type Fields = Record<string, string | undefined>;

/** Something wrong with the arguments. */
export interface Issue {
  /** The argument. */
  field: string;
  /** What is wrong, what is allowed, the way out. Never the value: it may be secret. */
  message: string;
}

/** What a resource's own rules may look at. Arguments that are not known yet are absent from `args`. */
export interface CheckContext {
  /** True for an argument that is given, known or not. */
  isSet(field: string): boolean;
  /** Inputs of the last deployment; empty for a new object. */
  olds: Properties;
  allowUnknownValues: boolean;
}

/** One account, as a resource sees it. */
export interface AccountHandle {
  /** The sub account; undefined for the account of the key. */
  readonly companyId?: string | undefined;
  readonly client: Client;
  /** What all accounts of a process share. */
  readonly session: {
    readonly clock: Clock;
    /** Never shows this text in any message. */
    addSecret(text: string | null | undefined): void;
    /** Resolves when no resource was registered for a moment. */
    registrationsSettled(): Promise<void>;
    /** The configured account, or a sub account of it. */
    account(companyId?: string): AccountHandle;
  };
  /** Something that the hooks of this account share, made when it is first asked for. */
  memoize<T>(name: string, make: () => T): T;
}

/** How the objects of a resource live when they are created and deleted through the service. */
export interface CollectionLifecycle<Item> {
  /** The objects of an account. */
  objects(account: AccountHandle): ObjectStoreHandle<Item>;
  /** Managed fields that the creating request carries; the others follow in an update. */
  createFields: readonly string[];
  create(account: AccountHandle, args: Properties): Promise<Item>;
  /** Deletes the object. True when the answer names it; a bare success may be about nothing. */
  delete(account: AccountHandle, key: string): Promise<boolean>;
  /** Is an existing object the one that is asked for? */
  match(item: Item, args: Properties): "equal" | "doubtful" | "other";
  /** Is an object that appeared during a lost answer the one that was asked for? Default: `match` says equal. */
  matchNew?(item: Item, args: Properties): boolean;
  /** True for the service's error that such an object exists already. */
  isAlreadyExistsError?(error: unknown): boolean;
  /** Why the object must not be deleted, or undefined. */
  deletionGuard?(state: Properties): string | undefined;
  /** What would be lost, in words, read from the service just before a deletion; undefined when the object is gone already. */
  describeLoss?(account: AccountHandle, key: string): Promise<string | undefined>;
}

/** One resource. `Wire` is what the service answers for one object. */
export interface Definition<
  Args extends z.ZodObject = z.ZodObject,
  Outputs extends z.ZodObject = z.ZodObject,
  // biome-ignore lint/suspicious/noExplicitAny: a list of definitions holds all kinds of answers.
  Item = any,
> {
  /** Name of the class: `Webhook`. */
  readonly kind: string;
  /** Name of the handler, part of the permanent provider text: `webhook`. */
  readonly handler: string;
  /** What the user writes: one sentence above each key. */
  readonly args: Args;
  /** What comes back besides the arguments. */
  readonly outputs: Outputs;
  /** Outputs that are secret. */
  readonly secrets: readonly (keyof z.output<Outputs> & string)[];
  /** Arguments that are fields of the object, kept and changed by the service. */
  readonly fields: readonly (keyof z.input<Args> & string)[];
  /** Arguments whose change replaces the object. */
  readonly createOnly: readonly (keyof z.input<Args> & string)[];
  /** What an absent argument means. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The arguments that name an object within its account: two resources must not agree in all of them. */
  readonly naturalKey: readonly (keyof z.input<Args> & string)[];
  /** Argument names into the service's, for an update. */
  toApi(fields: Fields): Record<string, string>;
  /** The service's names into argument names and outputs. An output that is `null` is none any more; of one that is undefined nothing was said. */
  fromApi(item: Item): { fields: Fields; outputs: Properties };
  /**
   * A value in the form in which equal values are equal texts: those that users declare, or those that the service
   * answers. Default: as it is.
   */
  normalize?(field: string, value: string, of: "declared" | "answered"): string;
  /**
   * What is left of a value when the service has written it in a notation of its own. Tells an answer that is the value sent from
   * a write that did nothing. Default: as `canonical`.
   */
  normalizeLoose?(field: string, value: string): string;
  /** What the service last answered for a field, for a state without bookkeeping. Default: the field's value. */
  lastReturned?(field: string, state: Properties): string | undefined;
  /** Fields that are answered as another value than was sent. */
  readonly serverCopied?: readonly string[];
  /** Fields that can be set to nothing, to put back that there was nothing. */
  readonly clearable?: readonly string[];
  /** Arguments that an object's key tells. */
  argsFromKey?(key: string): Properties;
  /** Rules beyond the schema. Pure and offline. */
  issues?(args: Properties, context: CheckContext): Issue[];
  /** The object as it is now, at most `age` milliseconds old; undefined when it is gone. */
  read(account: AccountHandle, key: string, maxAge: number): Promise<Item | undefined>;
  update(account: AccountHandle, key: string, form: Record<string, string>): Promise<Item>;
  /** Key of the object in its account. */
  key(item: Item, args: Properties): string;
  /** Words for an error of the service in addition to its own, such as which variables are missing. */
  hint?(code: number, wanted: Fields, live: Fields): string | undefined;
  /** Absent for what every account has exactly once: its text is taken over, and restored instead of deleted. */
  readonly collection?: CollectionLifecycle<Item>;
}

/** Keeps the exact types of a definition. */
export function defineResource<Args extends z.ZodObject, Outputs extends z.ZodObject, Item>(
  definition: Definition<Args, Outputs, Item>,
): Definition<Args, Outputs, Item> {
  return definition;
}

/** What names an object within its account, as one text. */
export function naturalKeyOf(definition: Definition, args: Properties): string {
  const values = definition.naturalKey.map((field) => {
    const value = args[field];
    return typeof value === "string" ? (definition.normalize?.(field, value, "declared") ?? value) : value;
  });
  return JSON.stringify([definition.kind, ...values]);
}

/** The arguments that an object was declared with, without everything else that a state holds. */
export function pickArguments(definition: Definition, properties: Properties): Properties {
  return Object.fromEntries(
    Object.keys(definition.args.shape).flatMap((key) =>
      properties[key] === undefined || properties[key] === null ? [] : [[key, properties[key]]],
    ),
  );
}
