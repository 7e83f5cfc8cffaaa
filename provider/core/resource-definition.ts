/**
 * The definition of one resource. Everything else (validation, plan, drift, adoption, restore, errors, classes) is
 * derived from it, once for all resources.
 */
import { z } from "zod";
import { type Output, readOutputs } from "../../definitions/argument";
import { type FieldTable, fieldOf, fromApi, normalizeField, toApi } from "../../definitions/field";
import type { ConfigKind } from "../../definitions/kind";
import type { AccountModel, Fields, ResourceKind } from "../../definitions/model";
import type { CompanyRecord } from "../../sdk/api/companies";
import type { Client } from "../../sdk/client";
import type { Edition } from "../../sdk/edition";
import type { Loss } from "./amount";
import type { Clock } from "./clock";
import type { Match, ObjectStoreHandle, RecentObjectsHandle, SharedListing } from "./object-access";
import type { Properties } from "./pulumi-values";

/** The fields of an object that the API keeps and that can be changed, by argument name. */
export type { Fields };

/** An invalid argument. */
export interface Issue {
  /** The argument. */
  field: string;
  /** What is wrong, what is allowed, what to do. Never the value: it may be secret. */
  message: string;
}

/** What a resource's own rules may depend on. Arguments that are not known yet are absent from `args`. */
export interface CheckContext {
  /** True if the argument is set, known or not. */
  isSet(field: string): boolean;
  /** Inputs of the last deployment; empty for a new object. */
  olds: Properties;
  allowUnknownValues: boolean;
  edition: Edition;
}

/** One account, as resources use it. */
export interface AccountHandle {
  /** The subaccount; undefined for the key's own account. */
  readonly companyId?: string | undefined;
  readonly client: Client;
  /** Id of an object of this account. */
  id(key: string): string;
  /** What all accounts of a process share. */
  readonly session: {
    readonly run: {
      readonly clock: Clock;
      /** What was written so short a time ago that reads may not show it yet. */
      readonly recent: { of(account: AccountHandle, kind: string): RecentObjectsHandle };
      readonly registrations: {
        /** Resolves when the program has registered what it has to register for now. */
        settled(): Promise<void>;
      };
    };
    readonly connection: {
      /** The partner's companies, where another process lists them for many. */
      readonly companies?: SharedListing<CompanyRecord> | undefined;
      readonly settings: {
        /** True if values are accepted that this version takes for mistakes. */
        readonly allowUnknownValues: boolean;
      };
    };
    readonly reporting: {
      /** Redacts this string in every message. */
      addSecret(text: string | null | undefined): void;
    };
    readonly accounts: {
      /** The configured account, or a subaccount of it. */
      of(companyId?: string): AccountHandle;
    };
  };
  /** Something that all calls for this account share, created on first use. */
  memoize<T>(name: string, create: () => T): T;
}

/** A write, for what must not be taken from an account. */
export interface GuardedWrite {
  /** Key of the object; undefined for a new one. */
  key: string | undefined;
  /** What is written; undefined for a deletion. */
  fields: Fields | undefined;
  /** True in a preview. */
  isPlan: boolean;
}

/** How the objects of a resource are created and deleted. */
export interface CollectionLifecycle<Item> {
  /** The objects of an account. */
  objects(account: AccountHandle): ObjectStoreHandle<Item>;
  /** Fields that the creating request carries; the others follow in an update. */
  createFields: readonly string[];
  create(account: AccountHandle, args: Properties): Promise<Item>;
  /** Values that the API chooses for fields which the creating request does not carry, as far as they follow from it. */
  chosenFields?(args: Properties): Fields;
  /** Deletes the object. True if the response names it; a bare success may be about nothing. */
  delete(account: AccountHandle, key: string): Promise<boolean>;
  /** Is an existing object the declared one? */
  match(item: Item, args: Properties): Match;
  /** Is an object that appeared after a lost response the declared one? Default: `match` returns "same". */
  matchNew?(item: Item, args: Properties): boolean;
  /** True for the API's error that such an object exists already. */
  isAlreadyExistsError?(error: unknown): boolean;
  /** True if a new account may have the object from the start. `company`: the arguments of the account's company. */
  isInNewAccount?(args: Properties, company: Properties): boolean;
  /** Throws a Failure if the object must not be deleted. */
  assertDeletable?(state: Properties): void;
  /** What a deletion loses beside the object, read from the API just before it; undefined if the object no longer exists. */
  readLoss?(account: AccountHandle, key: string): Promise<Loss | undefined>;
}

/** Properties with a text for each field. State and inputs have them nested, as the user declares them. */
export interface FlatForm {
  flatten(properties: Properties): Properties;
  nest(flat: Properties): Properties;
}

/**
 * What a resource does with the API, beside what its file in `definitions/` says of it. `Item` is what the API returns for one
 * object.
 */
export interface Lifecycle<
  // biome-ignore lint/suspicious/noExplicitAny: the registry holds definitions with all kinds of items.
  Item = any,
> {
  /** For fields that are no texts, or are members of an argument. Default: each field is an argument with a text. */
  readonly flatForm?: FlatForm;
  /** Arguments that follow from an object's key. */
  argsFromKey?(key: string): Properties;
  /** Rules beyond the schema. Pure and offline. */
  issues?(args: Properties, context: CheckContext): Issue[];
  /** The object, at most `maxAge` milliseconds old; undefined if it no longer exists. */
  read(account: AccountHandle, key: string, maxAge: number): Promise<Item | undefined>;
  update(account: AccountHandle, key: string, form: Record<string, string>): Promise<Item>;
  /** Throws a Failure if the account must not lose what a write takes from it. Reads the account; called before the request. */
  guard?(account: AccountHandle, write: GuardedWrite): Promise<void>;
  /** Key of the object in its account. Default: the output that is the key. */
  key?(item: Item, args: Properties): string;
  /**
   * Key and outputs of the declared object in an account that was read; undefined if it has none. Default: of the object with the same
   * identity, or of what every account has.
   */
  locate?(args: Properties, account: AccountModel): Located | undefined;
  /** What to add to the plan of a write, for people: what the account loses, what the API may refuse. */
  warning?(key: string, declared: Fields, live: Fields): string | undefined;
  /** The same, to the plan of a create. */
  warningOnCreate?(args: Properties): string | undefined;
  /** An addition to an API error, such as which variables are missing. */
  hint?(code: number, declared: Fields, live: Fields): string | undefined;
  /** Absent for singletons, which every account has exactly once: they are adopted, and restored instead of deleted. */
  readonly collection?: CollectionLifecycle<Item>;
}

/** An object in an account that was read. */
export interface Located {
  key: string;
  outputs: Properties;
}

/** One resource: what is said of it, what it does, and what follows from both. */
export interface Definition<
  // biome-ignore lint/suspicious/noExplicitAny: the registry holds definitions with all kinds of items.
  Item = any,
> extends Lifecycle<Item>,
    FieldTable,
    Pick<ConfigKind, "outputs" | "createOnly" | "naturalKey" | "defaults"> {
  /** Name of the class: `Webhook`. */
  readonly kind: ResourceKind;
  /** Name of the handler, part of the permanent provider text: `webhook`. */
  readonly handler: string;
  /** The schema of the arguments. */
  readonly args: z.ZodObject;
  key(item: Item, args: Properties): string;
  locate(args: Properties, account: AccountModel): Located | undefined;
  /** The output that is the object's key. */
  readonly keyOutput: string | undefined;
  /** Outputs that are secret. */
  readonly secrets: readonly string[];
  /** Outputs that only the response to the creating request has, if there are any. */
  readonly returnedOnce?: readonly string[];
  /** Outputs that change in the account without any update, if there are any. */
  readonly rotatedOutputs?: readonly string[];
  /** Outputs that an update changes, or may change. */
  readonly changedByUpdate: readonly string[];
  /** Outputs that are set only while the object does not work as declared, and what that means. */
  readonly problems: Readonly<Record<string, (value: string) => string>>;
  /** Fields that the API keeps and changes, each an argument or a member of one. */
  readonly managed: readonly string[];
  /** Those that can be removed, in the current edition. */
  readonly removable: readonly string[];
  /** Those that some services do not return: without one, it is taken to be as recorded. */
  readonly sometimesReturned: readonly string[];
  /** Fields to the API's names, for an update. */
  toApi(fields: Fields): Record<string, string>;
  /** The API's names to fields and outputs. */
  fromApi(item: Item): { fields: Fields; outputs: Properties };
}

export function defineResource<Item extends object>(kind: ConfigKind, lifecycle: Lifecycle<Item>): Definition<Item> {
  const { outputs, createOnly, naturalKey, defaults } = kind;
  const names = Object.entries(kind.fields).filter(([, field]) => field.apiName && !field.isCreateOnly);
  const having = (property: "isRemovable" | "returned") =>
    names.flatMap(([name, field]) => (field[property] ? name : []));
  const outputsWith = (property: keyof Output<string>) =>
    Object.keys(outputs).filter((name) => outputs[name]![property] !== undefined);
  const [returnedOnce, rotatedOutputs] = [outputsWith("isReturnedOnce"), outputsWith("isRotated")];
  const keyOutput = outputsWith("isKey")[0];
  return {
    kind: kind.kind,
    handler: kind.kind.charAt(0).toLowerCase() + kind.kind.slice(1),
    fields: kind.fields,
    ...(kind.otherFields && { otherFields: kind.otherFields }),
    ...{ outputs, createOnly, naturalKey, defaults, keyOutput },
    args: z.object(Object.fromEntries(Object.entries(kind.arguments).map(([name, { schema }]) => [name, schema]))),
    secrets: outputsWith("isSecret"),
    ...(returnedOnce.length > 0 && { returnedOnce }),
    ...(rotatedOutputs.length > 0 && { rotatedOutputs }),
    changedByUpdate: outputsWith("isChangedByUpdate"),
    problems: Object.fromEntries(outputsWith("problem").map((name) => [name, outputs[name]!.problem!])),
    managed: names.map(([name]) => name),
    removable: having("isRemovable"),
    sometimesReturned: having("returned"),
    toApi: (fields) => toApi(kind, fields),
    fromApi: (item) => ({ fields: fromApi(kind, item), outputs: readOutputs(outputs, item) }),
    key: (item) => (item as Record<string, string>)[outputs[keyOutput!]!.apiName]!,
    locate: (args, account) => {
      if (lifecycle.collection === undefined) return { key: lifecycle.key!(undefined as never, args), outputs: {} };
      const identity = kind.identity({ fields: args as Fields });
      const id = kind.items(account).find((item) => kind.identity(item) === identity)?.id;
      return id === undefined ? undefined : { key: id, outputs: { [keyOutput!]: id } };
    },
    ...lifecycle,
  };
}

/** The outputs that a program marks as secret: what only the creating request returns is marked by what returns it. */
export const secretOutputsOf = ({ secrets, returnedOnce }: Definition): string[] =>
  secrets.filter((name) => !returnedOnce?.includes(name));

/** True for what every account has exactly once: branding and email templates. */
export const isSingleton = (definition: Definition): boolean => definition.collection === undefined;

/** True for what is an account of its own. */
export const isAccount = ({ kind }: Pick<Definition, "kind">): boolean => kind === "Company";

/** True for what a deletion cannot bring back: the argument `deletionProtection` sets the engine's `protect`, too. */
export const hasDeletionProtection = ({ args }: Definition): boolean => "deletionProtection" in args.shape;

/** True if a replacement deletes the old object before it creates the new one, whatever identifies them. */
export const isDeletedBeforeReplaced = (definition: Definition): boolean =>
  isSingleton(definition) || definition.returnedOnce !== undefined;

/** The fields of an object: those of the definition, and others in these records. */
export function fieldsIn({ managed, otherFields }: Definition, ...records: readonly object[]): string[] {
  if (otherFields === undefined) return [...managed];
  const others = records.flatMap((record) => Object.keys(record).filter((name) => otherFields.isField(name)));
  return [...new Set([...managed, ...others])];
}

/** Properties with a text for each field. */
export const flatten = ({ flatForm }: Definition, properties: Properties): Properties =>
  flatForm?.flatten(properties) ?? properties;

/** The inverse of {@link flatten}. */
export const nest = ({ flatForm }: Definition, flat: Properties): Properties => flatForm?.nest(flat) ?? flat;

/** True for a field of which the service keeps a copy: nothing follows from another address. */
export const isCopied = (definition: Definition, field: string): boolean =>
  fieldOf(definition, field)?.copiedTo !== undefined;

/** True for a field of a secret argument, or of one that has a secret member. */
export const isSecretField = (secrets: readonly string[], field: string): boolean =>
  secrets.includes(field) || secrets.includes(field.split(".", 1)[0]!);

/** True if the API of the edition accepts nothing as the field's value. */
export function isClearable(definition: Definition, name: string, edition: Edition): boolean {
  const field = fieldOf(definition, name);
  return field?.isClearable === true || (edition === "current" && field?.isRemovable === true);
}

/** What identifies an object within its account, as one string. */
export function naturalKeyOf(definition: Definition, args: Properties): string {
  const values = definition.naturalKey.map((field) => {
    const value = args[field];
    return typeof value === "string" ? normalizeField(definition, field, value) : value;
  });
  return JSON.stringify([definition.kind, ...values]);
}

/** The declared arguments among the properties of a state. */
export function pickArguments(definition: Definition, properties: Properties): Properties {
  return Object.fromEntries(
    [...new Set([...Object.keys(definition.args.shape), ...fieldsIn(definition, properties)])].flatMap((key) =>
      properties[key] === undefined || properties[key] === null ? [] : [[key, properties[key]]],
    ),
  );
}

/** The declared values of the fields. */
export function pickFields(definition: Definition, args: Properties): Fields {
  return Object.fromEntries(
    fieldsIn(definition, args).flatMap((field) => (args[field] === undefined ? [] : [[field, args[field] as string]])),
  );
}

/** What to do about an output of `returnedOnce` that was lost. */
export const onlyAtCreation =
  "only a new object has one. Run `up --replace <urn>`; with the plugin on the Pulumi CLI, `destroy --target <urn>` and `up`";

/** Of a state that is given up, the outputs that no other response has. */
export function describeLost({ returnedOnce = [] }: Definition, state: Properties): string {
  const lost = returnedOnce.filter((name) => state[name] !== undefined);
  return lost.length === 0 ? "" : `, without its ${lost.join(", ")}: ${onlyAtCreation}`;
}
