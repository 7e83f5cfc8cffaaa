/**
 * The definition of a kind, such as Webhook: its names, arguments, outputs, and how it is matched, stored and read. Each kind is one file
 * in this folder and one line in index.ts. Code that reads, writes, compares and promotes uses these definitions and names no kind.
 */

import { redactUrl } from "../redaction/url-credentials";
import type { Client } from "../sdk";
import { type Arguments, fieldsOf, type Outputs, readOutputs } from "./argument";
import { type ComparedSources, type FieldTable, fromApi } from "./field";
import { type AccountKind, type AccountModel, type Fields, type Item, type ResourceKind, resourceKinds } from "./model";
import { joinLines } from "./text/display";
import { readUrn } from "./urn";

/** When two items of two compared sources are taken for the same object. */
export interface MatchRule {
  /** The value that must be equal in both. An item without one matches nothing. */
  key: (item: Item) => string | undefined;
  /** A further condition on the pair. */
  when?: (a: Item, b: Item) => boolean;
}

/** Where an account's folder stores the fields: in a section of account.yaml, in files of a directory, or in company.yaml. */
type Storage =
  /** `isList`: true if the section holds several objects by name; false if it holds the fields of one. */
  | { section: string; isList: boolean }
  | { directory: string; files: Readonly<Record<string, string>> }
  | "company.yaml";

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
  /** Names of the arguments whose change replaces the object. */
  createOnly: readonly string[];
  /** Names of the arguments that identify an object within its account. No two resources may have the same values for all of them. */
  naturalKey: readonly string[];
  /** The meaning of an absent argument, by argument. */
  defaults: Readonly<Record<string, unknown>>;
  /** The noun for one object and for several: `1 webhook`, `2 email templates`. */
  nouns: readonly [one: string, several: string];
  /** The phrase for an object with a name from `nameOf`: `webhook all https://…`. */
  label: (name: string) => string;
  /** The arguments by which people know an object that has no name of its own in the account. */
  knownBy?: readonly string[];
  /** True if an account's objects are read only on request, or if code manages one. */
  isOnRequest?: true;
  /** True if objects can be created and deleted. Other objects always exist and can only be changed. */
  isCreatable: boolean;
  storage: Storage;
  /** The API's forms that validate the fields. */
  forms: readonly ApiForm[];

  /** The name of an item in a list of differences; undefined if an account has only one. */
  nameOf: (item: Item) => string | undefined;
  /** An item with the fields that its name contains: the inverse of `nameOf`. */
  itemNamed: (name: string) => Item;
  /** Two items of one account with the same identity are the same object. */
  identity: (item: Item) => string;
  /** How to match the items of two sources, the most reliable rule first. */
  matchRules: (sources: ComparedSources) => readonly MatchRule[];
  /** A name for a new item in account.yaml. The caller makes it unique. */
  newName?: (item: Item) => string;

  /** The items in an account's configuration. */
  items: (account: AccountModel) => Item[];
  /** Adds an item to an account's configuration. */
  add: (account: AccountModel, item: Item) => void;

  /** Reads the items of the client's account. */
  read: (client: Client) => Promise<Item[]>;
  /** The item that a resource in a state declares. */
  fromState: (resource: StateResource) => Item;
  /** The arguments of a resource that declares this item. */
  toInputs: (item: Item) => Record<string, unknown>;
}

/** What a kind's file passes to `defineKind`. Fields follow from the arguments, unless the file has a table of its own. */
type Description<A extends Arguments> = Omit<
  KindDefinition,
  "fields" | "arguments" | "createOnly" | "naturalKey" | "items" | "add"
> & {
  items?: KindDefinition["items"];
  add?: KindDefinition["add"];
  arguments: A;
  fields?: FieldTable["fields"];
  createOnly: readonly (keyof A & string)[];
  naturalKey: readonly (keyof A & string)[];
};

export function defineKind<A extends Arguments>(description: Description<A>): KindDefinition {
  const { isCreatable, isOnRequest, nameOf } = description;
  const kind = description.kind as AccountKind;
  const isOnly = (item: Item) => nameOf(item) === undefined;
  return {
    fields: fieldsOf(description.arguments),
    // A singleton exists in every account, even if it has no values.
    items: ({ items }) =>
      items[kind] ?? (!isCreatable && !isOnRequest && isOnly({ fields: {} }) ? [{ fields: {} }] : []),
    add({ items }, item) {
      items[kind] ??= [];
      const existing = isCreatable ? undefined : items[kind].find((each) => nameOf(each) === nameOf(item));
      if (existing) Object.assign(existing.fields, item.fields);
      else items[kind].push({ ...item, fields: { ...item.fields } });
    },
    ...description,
  };
}

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
export function ownName({ name, parent }: StateResource): string {
  const component = parent === undefined ? undefined : readUrn(parent)?.name;
  const prefix = component === undefined ? "" : `${component}-`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** The path of a field in the settings file. */
export function settingPath({ storage }: KindDefinition, name: string | undefined, field: string): string[] {
  if (typeof storage === "string" || "files" in storage) return [field];
  const path = field.split(".");
  return storage.isList ? [storage.section, name ?? "", ...path] : [storage.section, ...path];
}

/**
 * The phrase for an item in messages. In one line, since CI systems interpret some lines as commands, and without credentials in URLs.
 */
export const displayName = (kind: KindDefinition, name: string | undefined): string =>
  redactUrl(kind.label(joinLines(name ?? "")));
