/**
 * What an account's configuration consists of: kinds of objects. Each kind is one file beside this one and one line in
 * index.ts; reading, writing, comparing and promoting go through this interface and name no kind.
 */
import type { Client } from "../sdk";
import { type Arguments, fieldsOf, type Outputs, readOutputs } from "./argument";
import { type ComparedSources, type FieldTable, fromApi } from "./field";
import { type AccountKind, type AccountModel, type Fields, type Item, type ResourceKind, resourceKinds } from "./model";
import { redactUrl, toOneLine } from "./text/display";

/** A rule by which an item of one source and an item of the other are taken for the same object. */
export interface MatchRule {
  /** What both must agree in; an item without a key matches none. */
  key: (item: Item) => string | undefined;
  /** A further condition. */
  when?: (a: Item, b: Item) => boolean;
}

/** Where a folder keeps the fields: in a section of account.yaml, in the files of a directory, or in company.yaml. */
export type Storage =
  /** `isList`: the section holds several objects by their names, else the fields of one. */
  | { section: string; isList: boolean }
  | { directory: string; files: Readonly<Record<string, string>> }
  | "company.yaml";

/** A form of the API that validates some of the fields. */
export interface ApiForm {
  form: {
    safeParse(value: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined };
  };
  /** API field names by field. */
  names: Readonly<Record<string, string>>;
  /** Valid values for required API fields that are open. */
  defaults?: Readonly<Record<string, string>>;
}

/** A resource as a stack's state has it. */
export interface StateResource {
  type: string;
  name: string;
  /** URN of the parent. */
  parent?: string;
  id?: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

/** The type of the dynamic resources of a kind, as states and URNs have it. Permanent. */
export const dynamicTypeOf = (kind: string): string => `pulumi-nodejs:dynamic/esign:${kind}`;

export const isDynamicType = (type: string): boolean => type.startsWith(dynamicTypeOf(""));

/** The type of a kind's resources that the plugin manages. Permanent. */
export const pluginTypeOf = (kind: string): string => `esign:index:${kind}`;

/** The kind of one of our resource types, dynamic or the plugin's; undefined for other types, those of our components included. */
export const kindNameOf = (type: string): ResourceKind | undefined =>
  resourceKinds.find((kind) => type === dynamicTypeOf(kind) || type === pluginTypeOf(kind));

export interface ConfigKind extends FieldTable {
  kind: ResourceKind;
  /** What a program declares. */
  arguments: Arguments;
  /** Outputs besides the arguments. */
  outputs: Outputs;
  /** Arguments whose change replaces the object. */
  createOnly: readonly string[];
  /** The arguments that identify an object within its account: no two resources may agree in all of them. */
  naturalKey: readonly string[];
  /** What an absent argument means. */
  defaults: Readonly<Record<string, unknown>>;
  /** What people call one of them, and several: `1 webhook`, `2 email templates`. */
  nouns: readonly [one: string, several: string];
  /** How people call one of them, by what `nameOf` returns: `webhook all https://…`. */
  label: (name: string) => string;
  /** True for what is read of an account only if it is asked for, or if code manages it. */
  isOnRequest?: true;
  /** True for objects that are created and deleted; the others always exist and only change. */
  isCreatable: boolean;
  storage: Storage;
  /** The forms that validate the fields. */
  forms: readonly ApiForm[];

  /** What a difference names an item by; undefined when there is only one. */
  nameOf: (item: Item) => string | undefined;
  /** The inverse of `nameOf`: an item with what the name says. */
  itemNamed: (name: string) => Item;
  /** What makes two items of one account the same object. */
  identity: (item: Item) => string;
  /** How items of two sources are matched, the surest rule first. */
  matchRules: (sources: ComparedSources) => readonly MatchRule[];
  /** A name for a new item in account.yaml; another one is made unique. */
  newName?: (item: Item) => string;

  /** The items in an account's configuration. */
  items: (account: AccountModel) => Item[];
  /** Adds an item to an account's configuration. */
  add: (account: AccountModel, item: Item) => void;

  /** Reads the items of the client's account. */
  read: (client: Client) => Promise<Item[]>;
  /** The item that a resource of a stack declares. */
  fromState: (resource: StateResource) => Item;
  /** The arguments of the resource that declares an item. */
  toInputs: (item: Item) => Record<string, unknown>;
}

/** A kind as its file describes it: its fields are those of the arguments, unless they are in a table. */
type Description<A extends Arguments> = Omit<
  ConfigKind,
  "fields" | "arguments" | "createOnly" | "naturalKey" | "items" | "add"
> & {
  items?: ConfigKind["items"];
  add?: ConfigKind["add"];
  arguments: A;
  fields?: FieldTable["fields"];
  createOnly: readonly (keyof A & string)[];
  naturalKey: readonly (keyof A & string)[];
};

export function defineKind<A extends Arguments>(description: Description<A>): ConfigKind {
  const { isCreatable, isOnRequest, nameOf } = description;
  const kind = description.kind as AccountKind;
  const isOnly = (item: Item) => nameOf(item) === undefined;
  return {
    fields: fieldsOf(description.arguments),
    // What every account has once is there without any value, too.
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

/** What is to know of an object that the API returned, by fields and outputs: nothing secret, and nothing that no read returns. */
export function readRecord(kind: ConfigKind, response: object): Record<string, string | undefined> {
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

/** The properties of a resource that are texts. */
export const textsOf = (properties: Record<string, unknown>, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => (typeof properties[name] === "string" ? [[name, properties[name] as string]] : [])),
  );

/** A resource's name without that of its component, which is how the folder names it. */
export function ownName({ name, parent }: StateResource): string {
  const prefix = `${parent?.slice(parent.lastIndexOf("::") + 2)}-`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** The path of a field in its settings file. */
export function settingPath({ storage }: ConfigKind, name: string | undefined, field: string): string[] {
  if (typeof storage === "string" || "files" in storage) return [field];
  const path = field.split(".");
  return storage.isList ? [storage.section, name ?? "", ...path] : [storage.section, ...path];
}

/** How people call an item: in one line, since a line of a CI log may be a command, and without credentials in URLs. */
export const displayName = (kind: ConfigKind, name: string | undefined): string =>
  redactUrl(kind.label(toOneLine(name ?? "")));
