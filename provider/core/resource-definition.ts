/**
 * What one resource must say of itself. Everything else (validation, plan, echo, adoption, restoring, errors, classes) is
 * derived from this, once for all resources.
 */

import type { z } from "zod";
import type { Client } from "../../sdk/client";
import type { Clock } from "./clock";
import type { CollectionHandle } from "./object-list";
import type { Properties } from "./pulumi-values";

/** By this argument the class tells `check`, which takes it out again, what hooks are told by nobody: the name of the stack. */
export const stackArgument = "__stack";

/** The fields of an object that the service keeps and that can be changed, by their friendly names. */
export type Fields = Record<string, string | undefined>;

/** Something wrong with the arguments. */
export interface Fault {
  /** The argument. */
  field: string;
  /** What is wrong, what is allowed, the way out. Never the value: it may be secret. */
  message: string;
}

/** What a resource's own rules may look at. Arguments that are not known yet are absent from `args`. */
export interface CheckContext {
  /** True for an argument that is given, known or not. */
  given(field: string): boolean;
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
    hide(text: string | null | undefined): void;
    /** Resolves when no resource was registered for a moment. */
    quiet(): Promise<void>;
    /** The configured account, or a sub account of it. */
    account(companyId?: string): AccountHandle;
  };
  /** Something that the hooks of this account share, made when it is first asked for. */
  keep<T>(name: string, make: () => T): T;
}

/** How the objects of a resource live when they are created and deleted through the service. */
export interface CollectionLife<Wire> {
  /** The objects of an account. */
  collection(account: AccountHandle): CollectionHandle<Wire>;
  /** Managed fields that the creating request carries; the others follow in an update. */
  createdWith: readonly string[];
  create(account: AccountHandle, args: Properties): Promise<Wire>;
  /** Deletes the object. True when the answer names it; a bare success may be about nothing. */
  remove(account: AccountHandle, key: string): Promise<boolean>;
  /** Is an existing object the one that is asked for? */
  match(wire: Wire, args: Properties): "equal" | "doubtful" | "other";
  /** Is an object that appeared during a lost answer the one that was asked for? Default: `match` says equal. */
  matchNew?(wire: Wire, args: Properties): boolean;
  /** True for the service's error that such an object exists already. */
  existsAlready?(error: unknown): boolean;
  /** Why the object must not be deleted, or undefined. */
  keep?(state: Properties): string | undefined;
  /** What would be lost, in words, read from the service just before a deletion; undefined when the object is gone already. */
  losses?(account: AccountHandle, key: string): Promise<string | undefined>;
}

/** One resource. `Wire` is what the service answers for one object. */
export interface Definition<
  Args extends z.ZodObject = z.ZodObject,
  Outputs extends z.ZodObject = z.ZodObject,
  // biome-ignore lint/suspicious/noExplicitAny: a list of definitions holds all kinds of answers.
  Wire = any,
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
  readonly managed: readonly (keyof z.input<Args> & string)[];
  /** Arguments whose change replaces the object. */
  readonly createOnly: readonly (keyof z.input<Args> & string)[];
  /** What an absent argument means. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The arguments that name an object within its account: two resources must not agree in all of them. */
  readonly identity: readonly (keyof z.input<Args> & string)[];
  /** Argument names into the service's, for an update. */
  toWire(fields: Fields): Record<string, string>;
  /** The service's names into argument names and outputs. An output that is `null` is none any more; of one that is undefined nothing was said. */
  fromWire(wire: Wire): { fields: Fields; outputs: Properties };
  /**
   * A value in the form in which equal values are equal texts: those that users declare, or those that the service
   * answers. Default: as it is.
   */
  canonical?(field: string, value: string, of: "declared" | "answered"): string;
  /**
   * What is left of a value when the service has written it in a notation of its own. Tells an answer that is the value sent from
   * a write that did nothing. Default: as `canonical`.
   */
  bare?(field: string, value: string): string;
  /** What the service last answered for a field, for a state without bookkeeping. Default: the field's value. */
  answered?(field: string, state: Properties): string | undefined;
  /** Fields that are answered as another value than was sent. */
  readonly rehosted?: readonly string[];
  /** Fields that can be set to nothing, to put back that there was nothing. */
  readonly emptiable?: readonly string[];
  /** Arguments that an object's key tells. */
  ofKey?(key: string): Properties;
  /** Rules beyond the schema. Pure and offline. */
  faults?(args: Properties, context: CheckContext): Fault[];
  /** The object as it is now, at most `age` milliseconds old; undefined when it is gone. */
  read(account: AccountHandle, key: string, age: number): Promise<Wire | undefined>;
  update(account: AccountHandle, key: string, form: Record<string, string>): Promise<Wire>;
  /** Key of the object in its account. */
  key(wire: Wire, args: Properties): string;
  /** Words for an error of the service in addition to its own, such as which variables are missing. */
  hint?(code: number, wanted: Fields, live: Fields): string | undefined;
  /** Absent for what every account has exactly once: its text is taken over, and restored instead of deleted. */
  readonly life?: CollectionLife<Wire>;
}

/** Keeps the exact types of a definition. */
export function define<Args extends z.ZodObject, Outputs extends z.ZodObject, Wire>(
  definition: Definition<Args, Outputs, Wire>,
): Definition<Args, Outputs, Wire> {
  return definition;
}

/** What names an object within its account, as one text. */
export function identityOf(definition: Definition, args: Properties): string {
  const values = definition.identity.map((field) => {
    const value = args[field];
    return typeof value === "string" ? (definition.canonical?.(field, value, "declared") ?? value) : value;
  });
  return JSON.stringify([definition.kind, ...values]);
}

/** The arguments that an object was declared with, without everything else that a state holds. */
export function declared(definition: Definition, properties: Properties): Properties {
  return Object.fromEntries(
    Object.keys(definition.args.shape).flatMap((key) =>
      properties[key] === undefined || properties[key] === null ? [] : [[key, properties[key]]],
    ),
  );
}
