/** The logo and the colour of an account. */
import { api } from "../sdk/api";
import { apiNames, type FieldTable, fromApi } from "./field";
import { type ConfigKind, presentFields, textsOf } from "./kind";
import { normalizeColour } from "./text/normalize";

/** The API returns empty texts for what was never set. */
const present = (value: string) => value || undefined;

export const brandingFields: FieldTable = {
  fields: {
    colour: {
      label: "colour",
      apiName: "branding_colour",
      fromApi: present,
      normalize: normalizeColour,
      isOptional: true,
      isQuoted: true,
    },
    logoUrl: {
      label: "logo",
      apiName: "branding_logo_url",
      returnedName: "branding_logo",
      fromApi: present,
      isOptional: true,
      isRemovable: true,
      copiedTo: "logo",
    },
  },
};

export const branding: ConfigKind = {
  kind: "Branding",
  label: () => "branding",
  ...brandingFields,
  isCreatable: false,
  storage: { section: "branding", isList: false },
  forms: [{ form: api.branding.update.form, names: apiNames(brandingFields, ["colour", "logoUrl"]) }],

  nameOf: () => undefined,
  itemNamed: () => ({ fields: {} }),
  identity: () => "",
  matchRules: () => [{ key: branding.identity }],

  items: ({ branding }) => [{ fields: { ...branding } }],
  add: (account, { fields }) => void Object.assign(account.branding, fields),

  async read(client) {
    return [{ fields: presentFields(fromApi(brandingFields, await client.branding.get())) }];
  },
  fromState: ({ inputs }) => ({ fields: textsOf(inputs, Object.keys(brandingFields.fields)) }),
  toInputs: ({ fields: { logoUrl, ...others } }) => ({
    ...others,
    ...(logoUrl !== undefined && { logoUrl: logoUrl || null }),
  }),
};
