/** The logo and the colour of an account. */
import { api } from "../../sdk";
import { normalizeColour } from "../text/normalize";
import { type ConfigKind, presentFields, textsOf } from "./config-kind";

const fields: ConfigKind["fields"] = {
  colour: { label: "colour", normalize: normalizeColour, isOptional: true, isQuoted: true },
  logoUrl: { label: "logo", isOptional: true, isRemovable: true, isCopied: true },
};

export const branding: ConfigKind = {
  kind: "Branding",
  label: () => "branding",
  fields,
  isCreatable: false,
  storage: { section: "branding", isList: false },
  forms: [{ form: api.branding.update.form, names: { colour: "branding_colour", logoUrl: "branding_logo_url" } }],

  nameOf: () => undefined,
  itemNamed: () => ({ fields: {} }),
  identity: () => "",
  matchRules: () => [{ key: branding.identity }],

  items: ({ branding }) => [{ fields: { ...branding } }],
  add: (account, { fields }) => void Object.assign(account.branding, fields),

  async read(client) {
    const { branding_logo, branding_colour } = await client.branding.get();
    return [{ fields: presentFields({ colour: branding_colour, logoUrl: branding_logo }) }];
  },
  fromState: ({ inputs }) => ({ fields: textsOf(inputs, Object.keys(fields)) }),
  toInputs: ({ fields: { logoUrl, ...others } }) => ({
    ...others,
    ...(logoUrl !== undefined && { logoUrl: logoUrl || null }),
  }),
};
