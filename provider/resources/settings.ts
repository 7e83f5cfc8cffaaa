import { settingsArguments, settings as settingsDefinition } from "../../definitions/settings";
import {
  booleanSettingFields,
  isListSetting,
  isOtherSetting,
  otherSettingField,
  settingApiName,
  settingArgument,
  settingList,
  settingValue,
} from "../../definitions/text/settings-as-texts";
import { isInSubaccounts, settingProblem } from "../../sdk/api/settings";
import { CachedRead } from "../core/cached-read";
import { type Properties, UNKNOWN } from "../core/pulumi-values";
import { type AccountHandle, defineResource, type Issue } from "../core/resource-definition";
import { assertNotTestKey } from "./check-response";

/** The settings as the API returns them. */
type SettingsItem = Record<string, unknown>;

const key = "settings";

function settingsOf(account: AccountHandle): CachedRead<SettingsItem> {
  return account.memoize(
    key,
    () => new CachedRead<SettingsItem>(() => account.client.settings.get(), account.session.run.clock),
  );
}

/** Members of `other` and lists as texts, as fields are. */
function flatten({ other, ...properties }: Properties): Properties {
  const flat: Properties = {};
  for (const [name, value] of Object.entries(properties)) {
    if (Array.isArray(value)) flat[name] = value.includes(UNKNOWN) ? UNKNOWN : value.join(",");
    else flat[name] = typeof value === "boolean" && booleanSettingFields.includes(name) ? String(value) : value;
  }
  if (typeof other !== "object" || other === null) return other === undefined ? flat : { ...flat, other };
  for (const [name, value] of Object.entries(other)) {
    flat[otherSettingField(name)] = value === UNKNOWN ? UNKNOWN : JSON.stringify(value);
  }
  return flat;
}

function nest(flat: Properties): Properties {
  const properties: Properties = {};
  const other: Properties = {};
  for (const [name, value] of Object.entries(flat)) {
    if (value === undefined || value === null) continue;
    if (isOtherSetting(name)) other[settingApiName(name)] = settingValue(name, value as string);
    else if (isListSetting(name)) properties[name] = settingList(value as string);
    else properties[name] = booleanSettingFields.includes(name) ? value === "true" : value;
  }
  return Object.keys(other).length === 0 ? properties : { ...properties, other };
}

/** @internal */
export const settings = defineResource<SettingsItem>(settingsDefinition, {
  flatForm: { flatten, nest },
  key: () => key,

  issues(args, { isSet }) {
    const names = Object.keys(settingsArguments);
    if (!names.some(isSet)) return [{ field: "arguments", message: "are missing: set at least one setting" }];
    return Object.entries(args.other ?? {}).flatMap(([name, value]): Issue[] => {
      const argument = settingArgument(name);
      if (argument !== undefined) return [{ field: "other", message: `has ${name}: set ${argument} instead` }];
      const problem = settingProblem(name, value);
      if (problem !== undefined) return [{ field: "other", message: `has ${name}, which ${problem}` }];
      if (!isSet("account") || isInSubaccounts(name)) return [];
      const message = `has ${name}, which subaccounts do not have: declare it without account, for the partner itself`;
      return [{ field: "other", message }];
    });
  },

  read: (account, _, age) => settingsOf(account).get(age),

  async update(account, _, form) {
    const values = Object.entries(form).map(([name, text]) => [
      name,
      settingValue(settingArgument(name) ?? otherSettingField(name), text),
    ]);
    const response = await account.client.settings.update(Object.fromEntries(values));
    assertNotTestKey(response);
    settingsOf(account).patch((live) => Object.assign(live, response));
    return response;
  },
});
