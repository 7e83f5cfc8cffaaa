/**
 * The definition of a kind, such as Webhook: its names, arguments, outputs, and how it is matched, stored and read. Each kind is one file
 * in this folder and one line in index.ts. Code that reads, writes, compares and promotes uses these definitions and names no kind.
 */

import { redactUrl } from "../redaction/url-credentials";
import type { Client } from "../sdk";
import { type Argument, type Arguments, fieldsOf, type Outputs, readOutputs } from "./argument";
import { type ComparedSources, type FieldTable, fromApi, normalizeField } from "./field";
import { type AccountModel, type Fields, type Item, type ResourceKind, resourceKinds } from "./model";
import { keyOfId } from "./object-id";
import { joinLines } from "./text/display";
import { readUrn } from "./urn";

/** When two items of two compared sources are taken for the same object. */
export interface MatchRule {
  /** The value that must be equal in both. An item without one matches nothing. */
  key: (item: Item) => string | undefined;
  /** A further condition on the pair. */
  when?: (a: Item, b: Item) => boolean;
}

/**
 * Where an account's folder stores the fields: in a section of account.yaml, which holds the fields of one object or several objects by
 * name; in files of a directory; or in company.yaml.
 */
type Storage = { section: string } | { directory: string; files: Readonly<Record<string, string>> } | "company.yaml";

/** A form of the API that validates some of the fields before they are sent. */
interface ApiForm {
  form: {
    safeParse(value: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined };
  };
  /** The API's field names, by field. */
  names: Readonly<Record<string, string>>;
  /** Valid values for required API fields that the item leaves open. */
  defaults?: Readonly<Record<string, string>>;
}

/** A resource as the state of a stack has it. */
export interface StateResource {
  type: string;
  name: string;
  /** URN of the parent. */
  parent?: string;
  id?: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

/** The type of a kind's dynamic resources, as states and URNs have it. It never changes. */
export const dynamicTypeOf = (kind: string): string => `pulumi-nodejs:dynamic/esign:${kind}`;

export const isDynamicType = (type: string): boolean => type.startsWith(dynamicTypeOf(""));

/** The type of a kind's resources that the plugin manages. It never changes. */
export const pluginTypeOf = (kind: string): string => `esign:index:${kind}`;

/** The kind of a resource type, dynamic or the plugin's. Undefined for types of other packages and for our components. */
export const kindNameOf = (type: string): ResourceKind | undefined =>
  resourceKinds.find((kind) => type === dynamicTypeOf(kind) || type === pluginTypeOf(kind));

/** What a kind of resource is, without its calls: those are the provider's (`provider/core/resource-definition.ts`). */
export interface KindDefinition extends FieldTable {
  kind: ResourceKind;
  /** Arguments of the resource. */
  arguments: Arguments;
  /** Outputs of the resource that are not arguments. */
  outputs: Outputs;
  /** Names of the arguments whose change replaces the object: those that are create-only. */
  createOnly: readonly string[];
  /**
   * Names of the arguments that identify an object within its account; none where every account has exactly one object. No two resources
   * may have the same values for all of them. What names and matches an object follows from it, unless the kind's file says otherwise.
   */
  naturalKey: readonly string[];
  /** The meaning of an absent argument, by argument. */
  defaults: Readonly<Record<string, unknown>>;
  /** The noun for one object and for several: `1 webhook`, `2 email templates`. */
  nouns: readonly [one: string, several: string];
  /** The phrase for an object with a name from `nameOf`: `webhook all https://…`. Default: noun and name. */
  label: (name: string) => string;
  /** True if an account's objects are read only on request, or if code manages one. */
  isOnRequest?: true;
  /** True if objects can be created and deleted. Other objects always exist and can only be changed. */
  isCreatable: boolean;
  storage: Storage;
  /** The API's forms that validate the fields. */
  forms: readonly ApiForm[];

  /** The name of an item in a list of differences; undefined if an account has only one. Default: the values of the natural key. */
  nameOf: (item: Item) => string | undefined;
  /** An item with the fields that its name contains: the inverse of `nameOf`. */
  itemNamed: (name: string) => Item;
  /** Two items of one account with the same identity are the same object. Default: that of the natural key. */
  identity: (item: Item) => string;
  /** How to match the items of two sources, the most reliable rule first. Default: by identity. */
  matchRules: (sources: ComparedSources) => readonly MatchRule[];
  /** A name for a new item in account.yaml. The caller makes it unique. */
  newName?: (item: Item) => string;

  /** The items in an account's configuration. */
  items: (account: AccountModel) => Item[];
  /** Adds an item to an account's configuration. */
  add: (account: AccountModel, item: Item) => void;

  /** Reads the items of the client's account. */
  read: (client: Client) => Promise<Item[]>;
  /** The item that a resource in a state declares. Default: by its arguments that are texts, and its name. */
  fromState: (resource: StateResource) => Item;
  /** The arguments of a resource that declares this item. Default: its fields. */
  toInputs: (item: Item) => Record<string, unknown>;
}

/** What follows from the rest, unless a kind's file has its own. */
type Derived = "label" | "nameOf" | "itemNamed" | "identity" | "matchRules" | "fromState" | "toInputs";

/** What a kind's file passes to `defineKind`. */
type Description<A extends Arguments> = Omit<
  KindDefinition,
  "fields" | "arguments" | "createOnly" | "naturalKey" | "defaults" | "items" | "add" | Derived
> & {
  [name in Derived]?: KindDefinition[name];
} & {
  arguments: A;
  naturalKey: readonly (keyof A & string)[];
};

export function defineKind<A extends Arguments>(description: Description<A>): KindDefinition {
  const { kind, isCreatable, isOnRequest, naturalKey } = description;
  const isOne = isOnePerAccount(description);
  const fields = fieldsOf(description.arguments);
  const all = Object.entries<Argument<unknown>>(description.arguments);
  const definition: KindDefinition = {
    fields,
    createOnly: all.flatMap(([name, { isCreateOnly }]) => (isCreateOnly ? [name] : [])),
    defaults: Object.fromEntries(
      all.flatMap(([name, argument]) => (argument.default === undefined ? [] : [[name, argument.default]])),
    ),
    label: (name) => `${description.nouns[0]} ${name}`,
    nameOf(item) {
      if (isOne) return undefined;
      const inputs = definition.toInputs(item);
      return naturalKey.map((name) => inputs[name] ?? "").join(" ");
    },
    itemNamed(name) {
      const words = name.split(" ");
      const valueAt = (i: number) => (i < naturalKey.length - 1 ? words[i] : words.slice(i).join(" "));
      return { fields: Object.fromEntries(naturalKey.map((field, i) => [field, valueAt(i)])) };
    },
    identity: (item) => naturalKeyOf(definition, isOne ? {} : definition.toInputs(item)),
    matchRules: () => identityRules(definition),
    fromState(resource) {
      const declared = textsOf(resource.inputs, Object.keys(fields));
      if (isOne) return { fields: declared };
      const id = resource.id === undefined ? undefined : keyOfId(resource.id);
      return { ...(id !== undefined && { id }), name: ownName(resource), fields: declared };
    },
    toInputs: (item) => item.fields,
    // A singleton exists in every account, even if it has no values.
    items: (account) => account[kind] ?? (isOne && !isOnRequest ? [{ fields: {} }] : []),
    add(account, item) {
      account[kind] ??= [];
      const identity = definition.identity(item);
      const existing = isCreatable ? undefined : account[kind].find((each) => definition.identity(each) === identity);
      if (existing) Object.assign(existing.fields, item.fields);
      else account[kind].push({ ...item, fields: { ...item.fields } });
    },
    ...description,
  };
  return definition;
}

/** True where every account has exactly one object, such as its branding. */
export const isOnePerAccount = ({ naturalKey }: Pick<KindDefinition, "naturalKey">): boolean => naturalKey.length === 0;

/** The arguments that identify an object within its account, in the form in which values are compared, as one string. */
export function naturalKeyOf(
  kind: FieldTable & Pick<KindDefinition, "kind" | "naturalKey">,
  args: Readonly<Record<string, unknown>>,
): string {
  const values = kind.naturalKey.map((name) => {
    const value = args[name];
    return typeof value === "string" ? normalizeField(kind, name, value) : value;
  });
  return JSON.stringify([kind.kind, ...values]);
}

/** Matches items that are the same object by what identifies it. */
export const identityRules = ({ identity }: KindDefinition): MatchRule[] => [
  // Of several identical ones, each matches itself first.
  { key: (item) => item.id && `${item.id} ${identity(item)}` },
  { key: identity },
];

/** Matches those left over by what may stay when what identifies an object changes. */
export const nameAndIdRules = ({ isOtherEnvironment }: Pick<ComparedSources, "isOtherEnvironment">): MatchRule[] => [
  { key: ({ name }) => name },
  // An identifier says nothing about another account.
  ...(isOtherEnvironment ? [] : [{ key: ({ id }: Item) => id }]),
];

/**
 * The fields and outputs of an object that the API returned, as functions return them. Contains no secret, and no output that reads do
 * not return.
 */
export function readRecord(kind: KindDefinition, response: object): Record<string, string | undefined> {
  const isRead = (name: string) => {
    const { apiName, returned, copiedTo } = kind.fields[name] ?? {};
    return apiName !== undefined && returned !== "never" && copiedTo === undefined;
  };
  const isOpen = (name: string) => {
    const { isSecret, isOfNewObjects } = kind.outputs[name]!;
    return !isSecret && !isOfNewObjects;
  };
  const values = [
    ...Object.entries(fromApi(kind, response)).filter(([name]) => isRead(name)),
    ...Object.entries(readOutputs(kind.outputs, response)).filter(([name]) => isOpen(name)),
  ];
  return Object.fromEntries(values.map(([name, value]) => [name, value ?? undefined]));
}

/** Drops empty values: the API returns null or an empty text for a field that was never set. */
export const presentFields = (values: Record<string, string | null | undefined>): Fields =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Fields;

/** Those of the named properties that are texts. */
export const textsOf = (properties: Record<string, unknown>, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => (typeof properties[name] === "string" ? [[name, properties[name] as string]] : [])),
  );

/** The name of a resource without the prefix of its component: the name that the folder uses. */
function ownName({ name, parent }: StateResource): string {
  const component = parent === undefined ? undefined : readUrn(parent)?.name;
  const prefix = component === undefined ? "" : `${component}-`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** The path of a field in the settings file. */
export function settingPath(kind: KindDefinition, name: string | undefined, field: string): string[] {
  const { storage } = kind;
  if (typeof storage === "string" || "files" in storage) return [field];
  const path = field.split(".");
  return isOnePerAccount(kind) ? [storage.section, ...path] : [storage.section, name ?? "", ...path];
}

/**
 * The phrase for an item in messages. In one line, since CI systems interpret some lines as commands, and without credentials in URLs.
 */
export const displayName = (kind: KindDefinition, name: string | undefined): string =>
  redactUrl(kind.label(joinLines(name ?? "")));
