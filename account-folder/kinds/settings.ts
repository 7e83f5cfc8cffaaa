/** The settings of an account. Those that this version does not know are in `other`, by the API's names. */
import { api } from "../../sdk";
import { settingName } from "../../sdk/api/settings";
import {
  isOtherSetting,
  knownSettingFields,
  normalizeSetting,
  otherSettingField,
  plainSettings,
  settingApiName,
  settingInput,
} from "../text/settings";
import type { ConfigKind, Fields } from "./config-kind";

/** `emailPdfAttach` is "email pdf attach". */
const labelOf = (field: string) => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Arguments of a resource as texts by field. */
function textsOf({ other, ...inputs }: Record<string, unknown>): Fields {
  const settings = Object.entries(inputs).filter(([name]) => knownSettingFields.includes(name));
  const others = Object.entries((other ?? {}) as object).map(([name, value]) => [otherSettingField(name), value]);
  return Object.fromEntries([...settings, ...others].map(([name, value]) => [name, String(value)]));
}

export const settings: ConfigKind = {
  kind: "Settings",
  label: () => "settings",
  fields: Object.fromEntries(
    knownSettingFields.map((field) => [
      field,
      {
        label: labelOf(field),
        isOptional: true,
        isTyped: true,
        normalize: (text: string) => normalizeSetting(field, text),
      },
    ]),
  ),
  otherFields: { section: "other", isField: isOtherSetting, name: settingName, rule: "must begin with setting_" },
  isCreatable: false,
  isOnRequest: true,
  storage: { section: "settings", isList: false },
  forms: [
    {
      form: api.settings.update.form,
      names: Object.fromEntries(knownSettingFields.map((field) => [field, settingApiName(field)])),
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
    return [{ fields: plainSettings(await client.settings.get()) }];
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
