/** The settings of an account. Those that this version does not know are in `other`, by the API's names. */
import { api } from "../sdk/api";
import { settingName } from "../sdk/api/settings";
import { apiNames, type Field, type Fields, type FieldTable, fromApi } from "./field";
import type { ConfigKind } from "./kind";
import {
  isOtherSetting,
  knownSettingFields,
  normalizeSetting,
  otherSettingField,
  settingApiName,
  settingArgument,
  settingInput,
  settingValue,
} from "./text/settings";

/** `emailPdfAttach` is "email pdf attach". */
const labelOf = (field: string) => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Arguments of a resource as texts by field. */
function textsOf({ other, ...inputs }: Record<string, unknown>): Fields {
  const settings = Object.entries(inputs).filter(([name]) => knownSettingFields.includes(name));
  const others = Object.entries((other ?? {}) as object).map(([name, value]) => [otherSettingField(name), value]);
  return Object.fromEntries([...settings, ...others].map(([name, value]) => [name, String(value)]));
}

const fieldNamed = (name: string): Field => ({
  label: labelOf(name),
  apiName: settingApiName(name),
  fromApi: (value: unknown) => (isOtherSetting(name) ? JSON.stringify(value) : String(value)),
  normalize: (text) => normalizeSetting(name, text),
  isOptional: true,
  isTyped: true,
});

export const settingsFields: FieldTable = {
  fields: Object.fromEntries(knownSettingFields.map((name) => [name, fieldNamed(name)])),
  otherFields: {
    section: "other",
    isField: isOtherSetting,
    name: settingName,
    rule: "must begin with setting_",
    field: fieldNamed,
    namesIn: (response) =>
      Object.keys(response)
        .filter((name) => settingName.test(name) && settingArgument(name) === undefined)
        .map(otherSettingField),
  },
};

export const settings: ConfigKind = {
  ...settingsFields,
  kind: "Settings",
  label: () => "settings",
  isCreatable: false,
  isOnRequest: true,
  storage: { section: "settings", isList: false },
  forms: [
    {
      form: api.settings.update.form,
      names: apiNames(settingsFields, knownSettingFields),
    },
  ],

  nameOf: () => undefined,
  itemNamed: () => ({ fields: {} }),
  identity: () => "",
  matchRules: () => [{ key: settings.identity }],

  items: ({ settings: fields }) => (fields === undefined ? [] : [{ fields: { ...fields } }]),
  add(account, { fields }) {
    account.settings = { ...account.settings, ...(fields as Record<string, string>) };
  },
  async read(client) {
    // A form of the API has no types: values of `other` are written as they are.
    const values = Object.entries(fromApi(settingsFields, await client.settings.get()));
    const fields = values.flatMap(([name, text]) =>
      text === undefined ? [] : [[name, String(settingValue(name, text))]],
    );
    return [{ fields: Object.fromEntries(fields) }];
  },
  fromState: ({ inputs }) => ({ fields: textsOf(inputs) }),
  toInputs({ fields }) {
    const inputs: Record<string, unknown> = {};
    const other: Record<string, unknown> = {};
    for (const [field, text] of Object.entries(fields)) {
      if (text === undefined) continue;
      if (isOtherSetting(field)) other[settingApiName(field)] = settingInput(field, text);
      else inputs[field] = settingInput(field, text);
    }
    return { ...inputs, ...(Object.keys(other).length > 0 && { other }) };
  },
};
