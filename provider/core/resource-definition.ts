/**
 * The interface of a resource: what it declares (`definitions/`) and what it does with the API (`provider/resources/`). Validation, plan,
 * drift detection, adoption, restore, errors and classes are written once and derive from it.
 */

import { z } from "zod";
import { type Output, readOutputs } from "../../definitions/argument";
import { type Field, type FieldTable, fieldOf, fromApi, toApi } from "../../definitions/field";
import type { KindDefinition } from "../../definitions/kind";
import { type Fields, isSubaccount, type ResourceKind } from "../../definitions/model";
import type { CompanyRecord } from "../../sdk/api/companies";
import type { Client } from "../../sdk/client";
import type { Edition } from "../../sdk/edition";
import type { Loss } from "./amount";
import type { Clock } from "./clock";
import type { Match, ObjectStoreHandle, RecentObjectsHandle, SharedListing } from "./object-access";
import type { Properties } from "./pulumi-values";

/** An object's changeable fields that the API stores, by argument name. */
export type { Fields };

/** An invalid argument. */
export interface Issue {
  /** Name of the argument. */
  field: string;
  /** What is wrong, what is allowed, what to do. Never the value: it may be secret. */
  message: string;
}

/** What a resource's own validation rules may use. Arguments whose value is not known yet are absent from `args`. */
export interface CheckContext {
  /** True if the argument is set, even if its value is not known yet. */
  isSet(field: string): boolean;
  /** The inputs of the last deployment; empty for a new object. */
  olds: Properties;
  allowUnknownValues: boolean;
  edition: Edition;
}

/** One account, as the calls of a resource use it. */
export interface AccountHandle {
  /** ID of the subaccount; undefined for the account of the configured key. */
  readonly companyId?: string | undefined;
  readonly client: Client;
  /** The address of the service. */
  readonly baseUrl: string;
  /** The ID that states have for an object of this account, from its key. */
  id(key: string): string;
  /** What all accounts of this process share. */
  readonly session: {
    readonly run: {
      readonly clock: Clock;
      /** Objects that were written so recently that reads may not show it yet. */
      readonly recent: { of(account: AccountHandle, kind: string): RecentObjectsHandle };
      readonly registrations: {
        /** Resolves when the program has registered all the resources that it can register for now. */
        settled(): Promise<void>;
      };
    };
    readonly connection: {
      /** The partner's companies, if another process lists them for several stacks. */
      readonly companies?: SharedListing<CompanyRecord> | undefined;
      readonly config: {
        /** True if enum values that this version does not know are accepted. */
        readonly allowUnknownValues: boolean;
      };
    };
    readonly reporting: {
      /** Removes this string from every message from now on. */
      addSecret(text: string | null | undefined): void;
    };
    readonly accounts: {
      /** The subaccount with this ID, or the account of the configured key. */
      of(companyId?: string): AccountHandle;
    };
  };
  /** A value that all calls for this account share; created on first use. */
  memoize<T>(name: string, create: () => T): T;
}

/** A write that `guard` may refuse. */
interface GuardedWrite {
  /** Key of the object; undefined for a create. */
  key: string | undefined;
  /** The values to write; undefined for a deletion. */
  fields: Fields | undefined;
  /** True if this is a preview. */
  isPreview: boolean;
}

/** How objects are created and deleted, for a resource of which an account may have several. */
interface CollectionLifecycle<Item> {
  /** The objects of an account. */
  objects(account: AccountHandle): ObjectStoreHandle<Item>;
  /** Fields that the create request can contain. An update sets the others. */
  createFields: readonly string[];
  create(account: AccountHandle, args: Properties): Promise<Item>;
  /** Values that the API sets itself for fields that the create request does not contain, as far as they can be known from `args`. */
  chosenFields?(args: Properties): Fields;
  /** Deletes the object. Returns true if the response names it; a success without a name does not prove the deletion. */
  delete(account: AccountHandle, key: string): Promise<boolean>;
  /** Whether an existing object is the declared one. Default: by the natural key (`provider/objects/match-object.ts`). */
  match?(item: Item, args: Properties): Match;
  /** Whether an object that appeared after a lost response is the declared one. Default: by all that the create request contains. */
  matchNew?(item: Item, args: Properties): boolean;
  /** True if the API's error means that such an object exists already. */
  isAlreadyExistsError?(error: unknown): boolean;
  /** True if the API may create this object together with its account. `company`: the arguments of that account's company. */
  isInNewAccount?(args: Properties, company: Properties): boolean;
  /** Throws a Failure if the object must not be deleted. */
  assertDeletable?(state: Properties): void;
  /** The data that a deletion destroys besides the object, read just before it; undefined if the object no longer exists. */
  readLoss?(account: AccountHandle, key: string): Promise<Loss | undefined>;
}

/** Converts between properties as users declare them (nested) and one text for each field. */
interface FlatForm {
  flatten(properties: Properties): Properties;
  nest(flat: Properties): Properties;
}

/**
 * What a resource does with the API. What it is called and what fields it has is in `definitions/`. `Item`: the object that the API
 * returns.
 */
export interface Lifecycle<
  // biome-ignore lint/suspicious/noExplicitAny: the registry holds definitions with all kinds of items.
  Item = any,
> {
  /** For fields that are not texts, or that are members of an argument. Default: each argument is one field with a text. */
  readonly flatForm?: FlatForm;
  /** The arguments that an object's key determines. */
  argsFromKey?(key: string): Properties;
  /** Validation rules that the schema cannot express. No I/O. */
  issues?(args: Properties, context: CheckContext): Issue[];
  /**
   * False if `issues` refuses any other value of what only the create request contains: one that is not known yet is the recorded one then.
   * Default: true.
   */
  isReplaceable?(args: Properties, olds: Properties): boolean;
  /** Reads the object; a copy that is at most `maxAge` milliseconds old will do. Undefined if the object no longer exists. */
  read(account: AccountHandle, key: string, maxAge: number): Promise<Item | undefined>;
  update(account: AccountHandle, key: string, form: Record<string, string>): Promise<Item>;
  /** Throws a Failure if the account must not lose what this write would remove. May read the account; called before the request. */
  guard?(account: AccountHandle, write: GuardedWrite): Promise<void>;
  /** Key of the object in its account. Default: the output that `keyOutput` names. */
  key?(item: Item, args: Properties): string;
  /** A warning to show in the plan of an update: what the account loses, what the API may refuse. */
  warning?(key: string, declared: Fields, live: Fields): string | undefined;
  /** A warning to show in the plan of a create. */
  warningOnCreate?(args: Properties): string | undefined;
  /** Text to append to an API error, such as which variables are missing. */
  hint?(code: number, declared: Fields, live: Fields): string | undefined;
  /** Absent for singletons, which every account has exactly once: `create` adopts them, and `delete` restores the original values. */
  readonly collection?: CollectionLifecycle<Item>;
}

/** The complete definition of a resource: its declaration, its lifecycle, and what derives from both. */
export interface ResourceDefinition<
  // biome-ignore lint/suspicious/noExplicitAny: the registry holds definitions with all kinds of items.
  Item = any,
> extends Lifecycle<Item>,
    FieldTable,
    Pick<KindDefinition, "outputs" | "createOnly" | "naturalKey" | "defaults"> {
  /** Name of the class, such as `Webhook`. */
  readonly kind: ResourceKind;
  /** Name of the handler in `provider/hooks.ts`, such as `webhook`. It is in states, so it never changes. */
  readonly handler: string;
  /** The schema of the arguments. */
  readonly args: z.ZodObject;
  key(item: Item, args: Properties): string;
  /** Name of the output that holds the object's key. */
  readonly keyOutput: string | undefined;
  /** Names of the secret outputs. */
  readonly secrets: readonly string[];
  /** Names of the outputs that only the response to the create request contains. */
  readonly returnedOnce?: readonly string[];
  /** Names of the outputs that the service may change by itself. */
  readonly rotatedOutputs?: readonly string[];
  /** Names of the outputs that an update may change. */
  readonly changedByUpdate: readonly string[];
  /** Outputs that are set only if the object does not work as declared, each with its message for people. */
  readonly problems: Readonly<Record<string, (value: string) => string>>;
  /** Names of the fields that an update can change, each an argument or a member of one. */
  readonly managed: readonly string[];
  /** Those of them that can be removed in the edition `current`. */
  readonly removable: readonly string[];
  /** Those of them that some services do not return: a missing one counts as unchanged. */
  readonly sometimesReturned: readonly string[];
  /** Converts fields to the API's names, for an update. */
  toApi(fields: Fields): Record<string, string>;
  /** Converts a response to fields and outputs. */
  fromApi(item: Item): { fields: Fields; outputs: Properties };
}

export function defineResource<Item extends object>(
  kind: KindDefinition,
  lifecycle: Lifecycle<Item>,
): ResourceDefinition<Item> {
  const { outputs, createOnly, naturalKey, defaults } = kind;
  const names = Object.entries(kind.fields).filter(([name, { apiName }]) => apiName && !createOnly.includes(name));
  const namesWhere = (condition: (field: Field) => boolean) =>
    names.flatMap(([name, field]) => (condition(field) ? name : []));
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
    removable: namesWhere(({ isRemovable }) => isRemovable === true),
    sometimesReturned: namesWhere(({ returned }) => returned === "sometimes"),
    toApi: (fields) => toApi(kind, fields),
    fromApi: (item) => ({ fields: fromApi(kind, item), outputs: readOutputs(outputs, item) }),
    key: (item) => (item as Record<string, string>)[outputs[keyOutput!]!.apiName]!,
    ...lifecycle,
  };
}

/**
 * The outputs that the program's class marks as secret. Outputs of `returnedOnce` are not among them: the provider marks those in its
 * result.
 */
export const secretOutputsOf = ({ secrets, returnedOnce }: ResourceDefinition): string[] =>
  secrets.filter((name) => !returnedOnce?.includes(name));

/** True for what every account has exactly once, such as branding. */
export const isSingleton = (definition: ResourceDefinition): boolean => definition.collection === undefined;

/** True for resources that are accounts themselves. */
export const isAccount = ({ kind }: Pick<ResourceDefinition, "kind">): boolean => isSubaccount(kind);

/** True for resources whose deletion cannot be undone. Their argument `deletionProtection` also sets the engine's `protect`. */
export const hasDeletionProtection = ({ args }: ResourceDefinition): boolean => "deletionProtection" in args.shape;

/** True if a replacement always deletes the old object before it creates the new one. */
export const isDeletedBeforeReplaced = (definition: ResourceDefinition): boolean =>
  isSingleton(definition) || definition.returnedOnce !== undefined;

/** Names of an object's fields: those of the definition, and further ones in these records. */
export function fieldsIn({ managed, otherFields }: ResourceDefinition, ...records: readonly object[]): string[] {
  if (otherFields === undefined) return [...managed];
  const others = records.flatMap((record) => Object.keys(record).filter((name) => otherFields.isField(name)));
  return [...new Set([...managed, ...others])];
}

/** Converts nested properties to one text for each field. */
export const flatten = ({ flatForm }: ResourceDefinition, properties: Properties): Properties =>
  flatForm?.flatten(properties) ?? properties;

/** Converts one text for each field to nested properties: the inverse of {@link flatten}. */
export const nest = ({ flatForm }: ResourceDefinition, flat: Properties): Properties => flatForm?.nest(flat) ?? flat;

/** True for the address of a file that the service copies. The copy has an address of its own, so a different address is no drift. */
export const isCopied = (definition: ResourceDefinition, field: string): boolean =>
  fieldOf(definition, field)?.copiedTo !== undefined;

/** True if the field's argument is secret or has a secret member. */
export const isSecretField = (secrets: readonly string[], field: string): boolean =>
  secrets.includes(field) || secrets.includes(field.split(".", 1)[0]!);

/** True if the API of this edition accepts an empty value for the field. */
export function isClearable(definition: ResourceDefinition, name: string, edition: Edition): boolean {
  const field = fieldOf(definition, name);
  return field?.isClearable === true || (edition === "current" && field?.isRemovable === true);
}

/** The arguments among the properties of a state. */
export function pickArguments(definition: ResourceDefinition, properties: Properties): Properties {
  return Object.fromEntries(
    [...new Set([...Object.keys(definition.args.shape), ...fieldsIn(definition, properties)])].flatMap((key) =>
      properties[key] === undefined || properties[key] === null ? [] : [[key, properties[key]]],
    ),
  );
}

/** The declared values of an object's fields. */
export function pickFields(definition: ResourceDefinition, args: Properties): Fields {
  return Object.fromEntries(
    fieldsIn(definition, args).flatMap((field) => (args[field] === undefined ? [] : [[field, args[field] as string]])),
  );
}

/** What to do about an output of `returnedOnce` that was lost. */
export const onlyAtCreation =
  "only a new object has one. Run `up --replace <urn>`; in YAML and with the plugin, `destroy --target <urn>` and `up`";

/** A sentence about the outputs that are lost with a state entry because no other response returns them. */
export function describeLost({ returnedOnce = [] }: ResourceDefinition, state: Properties): string {
  const lost = returnedOnce.filter((name) => state[name] !== undefined);
  return lost.length === 0 ? "" : `, without its ${lost.join(", ")}: ${onlyAtCreation}`;
}
