/**
 * An account's settings as texts by field: those that this version knows by the names of arguments, others as
 * `other.<the API's name>`: an account's with their value as JSON, which keeps its type, declared ones as they are written.
 */

import { booleanSettings } from "../../sdk/api/settings";

type Value = string | number | boolean | null | undefined;

/** Names of arguments by the API's names. */
const argumentNames: ReadonlyMap<string, string> = new Map(
  [...booleanSettings, "setting_signature_format_default", "setting_signature_format_accepted"].map((name) => [
    name,
    name.replace(/^setting_/, "").replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ]),
);
const apiNames: ReadonlyMap<string, string> = new Map([...argumentNames].map(([api, argument]) => [argument, api]));

/** The fields of settings that this version knows. */
export const knownSettingFields: readonly string[] = [...apiNames.keys()];
/** Those that are true or false. */
export const booleanSettingFields: readonly string[] = booleanSettings.map((name) => argumentNames.get(name)!);

const otherPrefix = "other.";
export const isOtherSetting = (field: string): boolean => field.startsWith(otherPrefix);
export const otherSettingField = (apiName: string): string => otherPrefix + apiName;

/** The argument that a setting has, by the API's name; undefined for one that this version does not know. */
export const settingArgument = (apiName: string): string | undefined => argumentNames.get(apiName);

/** The API's name of a field. */
export const settingApiName = (field: string): string => apiNames.get(field) ?? field.slice(otherPrefix.length);

/** The text of a field as the API's value. */
export const settingValue = (field: string, text: string): Value =>
  isOtherSetting(field) ? (JSON.parse(text) as Value) : text;

/** Whether a setting is a list. Its order means nothing: services return another one. */
export const isListSetting = (field: string): boolean => field === "signatureFormatAccepted";

/** The members of a list, in the order in which it is written. */
export const settingList = (text: string): string[] =>
  text
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "");

/**
 * The form in which two values of a setting are compared, in plans, conflicts, drift and after writes: some interfaces return numbers and
 * booleans as texts, and a list that is a set in another order.
 */
export function normalizeSetting(field: string, text: string): string {
  if (isListSetting(field)) return [...new Set(settingList(text))].sort().join(",");
  if (isOtherSetting(field)) {
    try {
      const value: unknown = JSON.parse(text);
      // Of an integer with more digits than a number can hold, the text says more.
      return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? text : String(value);
    } catch {
      return text;
    }
  }
  return text.replace(/\s*,\s*/g, ",").trim();
}

/** A written value as the resource takes it. What has the form of a number or boolean in `other` is one. */
export function settingInput(field: string, text: string): string | number | boolean | string[] {
  const isBoolean = text === "true" || text === "false";
  if (isListSetting(field)) return settingList(text);
  if (!isOtherSetting(field)) return isBoolean && booleanSettingFields.includes(field) ? text === "true" : text;
  if (isBoolean) return text === "true";
  return text !== "" && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}
