/**
 * The fields of objects: what a field is called, and how its values are sent, returned and compared. Each kind has one table of
 * them, beside this file. Resources, folders, comparisons and exports all follow from it.
 */
import type { Fields, Item } from "./model";

export interface Field {
  /** How people call it. */
  label: string;
  /** The API's name; absent for what is only an argument of the resource. */
  apiName?: string;
  /** The API's name in responses, if it is another one. */
  returnedName?: string;
  /** A value as the API takes it. Default: the text itself. */
  toApi?: (text: string) => string;
  /** A returned value, neither null nor undefined, as a text; undefined for one that is no value. Default: as it is. */
  fromApi?: (value: never) => string | undefined;
  /** Brings a value into the form in which two values are compared; by default, each character counts. */
  normalize?: (value: string) => string;
  /**
   * What is left of a value after any rewriting by the API. Distinguishes a response with the value sent from a write
   * that did nothing. Default: as `normalize`.
   */
  normalizeLoose?: (value: string) => string;
  /** Not returned by the API, or by some services only: compared only where both sides have it. */
  returned?: "never" | "sometimes";
  /** Sent when the object is created, and never changed. */
  isCreateOnly?: true;
  /**
   * Can be removed, in the current edition only: the argument, or the value in a settings file, is `null` then. In states, and
   * wherever else values are strings, that is the empty string.
   */
  isRemovable?: true;
  /** Can be set to nothing, in every edition, to restore that there was nothing. */
  isClearable?: true;
  /**
   * The address of a file that the service copies, with the resource's output that has the copy's address. That address is opaque: it may
   * differ at each read and expire, so of the account's value only whether there is one is ever compared.
   */
  copiedTo?: string;
  /** May be missing from the settings file. */
  isOptional?: true;
  /** HTML, in which placeholders' values are written with entities. */
  isHtml?: true;
  /** Written in quotes, for values with characters that mean something in YAML. */
  isQuoted?: true;
  /** Written without quotes where the text is a boolean or a number. */
  isTyped?: true;
  /** Why two values differ only because their environments do; undefined when they differ otherwise. */
  environmentReason?: (a: string, b: string, sources: ComparedSources) => string | undefined;
}

/** The two sources of a comparison, as far as fields and kinds need to know them. */
export interface ComparedSources {
  /** True when they are known to belong to different environments. */
  isOtherEnvironment: boolean;
  /** How many of the two are accounts; the others are code. */
  accounts: number;
  /** Whether a field of both comes from one template with different values; undefined when neither has templates. */
  isSameUnfilled?: (a: Item, b: Item, field: string) => boolean;
}

/** Further fields, whose names are those of a section within the settings file: `other.setting_…`. */
export interface OtherFields {
  section: string;
  isField: (name: string) => boolean;
  /** The names within the section, and what is said of another one. */
  name: RegExp;
  rule: string;
  field: (name: string) => Field;
  /** The names of those that a response has. */
  namesIn: (response: object) => string[];
}

/** The fields of one kind, in reading order. */
export interface FieldTable {
  readonly fields: Readonly<Record<string, Field>>;
  readonly otherFields?: OtherFields;
}

/** A field by its name; undefined if the table has none. */
export function fieldOf({ fields, otherFields }: FieldTable, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : otherFields?.isField(name) ? otherFields.field(name) : undefined;
}

/** The names of the fields, and of others in these records. */
export function fieldNames({ fields, otherFields }: FieldTable, ...records: readonly object[]): string[] {
  const others = records.flatMap((record) => Object.keys(record).filter((name) => otherFields?.isField(name) === true));
  return [...new Set([...Object.keys(fields), ...others])];
}

/** The names of fields whose definition has a property. */
export const fieldsWith = ({ fields }: FieldTable, has: (field: Field) => unknown): string[] =>
  Object.keys(fields).filter((name) => has(fields[name]!));

/** Values by the API's names, as a request has them. */
export function toApi(table: FieldTable, values: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, text]) => {
      const { apiName, toApi } = fieldOf(table, name) ?? {};
      return apiName === undefined || text === undefined ? [] : [[apiName, toApi?.(text) ?? text]];
    }),
  );
}

/** The values of an object that the API returned; undefined for fields without one. */
export function fromApi(table: FieldTable, response: object): Fields {
  const names = [...Object.keys(table.fields), ...(table.otherFields?.namesIn(response) ?? [])];
  return Object.fromEntries(
    names.map((name) => {
      const { apiName, returnedName = apiName, fromApi } = fieldOf(table, name)!;
      const value = returnedName === undefined ? undefined : (response as Record<string, unknown>)[returnedName];
      const isEmpty = value === null || value === undefined;
      return [name, isEmpty || fromApi === undefined ? ((value ?? undefined) as string) : fromApi(value as never)];
    }),
  );
}

/** The API's names of some fields, for a form of it. */
export const apiNames = (
  args: Readonly<Record<string, { readonly field?: Field | undefined }>>,
  names: readonly string[],
): Record<string, string> => Object.fromEntries(names.map((name) => [name, args[name]!.field!.apiName!]));

/** A value in the form in which it is compared. */
export const normalizeField = (table: FieldTable, name: string, value: string): string =>
  fieldOf(table, name)?.normalize?.(value) ?? value;

/** True when two values of a field mean the same. */
export const isSameValue = (table: FieldTable, name: string, a: string, b: string): boolean =>
  a === b || normalizeField(table, name, a) === normalizeField(table, name, b);
