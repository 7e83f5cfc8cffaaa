/**
 * The properties of a field: its label, its API names, and how its values are sent, returned and compared. Each kind has one table of
 * fields, in its file in this folder. Resources, folders, comparisons and exports derive from it.
 */
import type { Fields, Item } from "./model";

export interface Field {
  /** The name that people use. */
  label: string;
  /** The API's name; absent for an argument that the API does not store. */
  apiName?: string;
  /** The API's name in responses, if it differs from `apiName`. */
  returnedName?: string;
  /** Converts a value to the form that the API accepts. Default: unchanged. */
  toApi?: (text: string) => string;
  /** Converts a returned value, neither null nor undefined, to a text. Undefined if it represents no value. Default: unchanged. */
  fromApi?: (value: never) => string | undefined;
  /** Converts a value to the form in which values are compared. Default: unchanged, so every character counts. */
  normalize?: (value: string) => string;
  /**
   * Reduces a value to what remains of it after any rewriting by the API, to tell a rewritten value from one that was not applied.
   * Default: `normalize`.
   */
  normalizeLoose?: (value: string) => string;
  /** `never`: the API does not return the field. `sometimes`: some services do not. It is compared only if both sides have a value. */
  returned?: "never" | "sometimes";
  /**
   * True if it can be removed, in the edition `current` only. The argument, or the value in a settings file, is `null` then; where values
   * are strings, such as in states, it is the empty string.
   */
  isRemovable?: true;
  /** True if it can be set to the empty string in every edition, to restore an empty original. */
  isClearable?: true;
  /**
   * For the address of a file that the service copies: the output with the copy's address. That address may differ at each read and
   * expire, so comparisons only ask whether there is one.
   */
  copiedTo?: string;
  /** True if the settings file may omit it. */
  isOptional?: true;
  /** True for HTML: values of placeholders are escaped. */
  isHtml?: true;
  /** True if YAML files write it in quotes, since values contain characters with a meaning in YAML. */
  isQuoted?: true;
  /** True if YAML files write a boolean or a number without quotes. */
  isTyped?: true;
  /**
   * The reason why two values differ only because their environments do, such as other host names. Undefined if they differ otherwise.
   */
  environmentReason?: (a: string, b: string, sources: ComparedSources) => string | undefined;
}

/** Facts about the two sources of a comparison that the rules of fields and kinds need. */
export interface ComparedSources {
  /** True if the sources are known to belong to different environments. */
  isOtherEnvironment: boolean;
  /** How many of the two sources are accounts; the others are code. */
  accounts: number;
  /**
   * True if both fields come from the same text with placeholders, with different values. Undefined if neither source has placeholders.
   */
  isSameUnfilled?: (a: Item, b: Item, field: string) => boolean;
}

/** Fields whose names this version does not list. They are in a section of the settings file: `other.setting_…`. */
interface OtherFields {
  section: string;
  isField: (name: string) => boolean;
  /** Pattern of the names in the section; `rule` is the message for other names. */
  name: RegExp;
  rule: string;
  field: (name: string) => Field;
  /** The names of such fields in a response. */
  namesIn: (response: object) => string[];
}

/** The fields of one kind, in display order. */
export interface FieldTable {
  readonly fields: Readonly<Record<string, Field>>;
  readonly otherFields?: OtherFields;
}

/** A field by name; undefined if the table does not have it. */
export function fieldOf({ fields, otherFields }: FieldTable, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : otherFields?.isField(name) ? otherFields.field(name) : undefined;
}

/** The names of a table's fields, and of further ones in these records. */
export function fieldNames({ fields, otherFields }: FieldTable, ...records: readonly object[]): string[] {
  const others = records.flatMap((record) => Object.keys(record).filter((name) => otherFields?.isField(name) === true));
  return [...new Set([...Object.keys(fields), ...others])];
}

/** Converts values by field to values by API name, for a request. */
export function toApi(table: FieldTable, values: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, text]) => {
      const { apiName, toApi } = fieldOf(table, name) ?? {};
      return apiName === undefined || text === undefined ? [] : [[apiName, toApi?.(text) ?? text]];
    }),
  );
}

/** The value of a field in a response; undefined if it has none. */
export function fieldFromApi(table: FieldTable, name: string, response: object): string | undefined {
  const { apiName, returnedName = apiName, fromApi } = fieldOf(table, name)!;
  const value = returnedName === undefined ? undefined : (response as Record<string, unknown>)[returnedName];
  const isEmpty = value === null || value === undefined;
  return isEmpty || fromApi === undefined ? ((value ?? undefined) as string | undefined) : fromApi(value as never);
}

/** Converts a response to values by field; undefined for fields without a value. */
export function fromApi(table: FieldTable, response: object): Fields {
  const names = [...Object.keys(table.fields), ...(table.otherFields?.namesIn(response) ?? [])];
  return Object.fromEntries(names.map((name) => [name, fieldFromApi(table, name, response)]));
}

/** The API names of some arguments, for a form of the API. */
export const apiNames = (
  args: Readonly<Record<string, { readonly field?: Field | undefined }>>,
  names: readonly string[],
): Record<string, string> => Object.fromEntries(names.map((name) => [name, args[name]!.field!.apiName!]));

/** A value in the form in which it is compared. */
export const normalizeField = (table: FieldTable, name: string, value: string): string =>
  fieldOf(table, name)?.normalize?.(value) ?? value;

/** True if two values of a field are equal in the form in which they are compared. */
export const isSameValue = (table: FieldTable, name: string, a: string, b: string): boolean =>
  a === b || normalizeField(table, name, a) === normalizeField(table, name, b);
