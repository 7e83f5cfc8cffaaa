/** The logo and the colour of an account. */
import { api } from "../../sdk";
import { hostOf, normalizeColour, normalizeLogo } from "../text/normalize";
import { type ComparedSources, type ConfigKind, presentFields, textsOf } from "./config-kind";

const fields: ConfigKind["fields"] = {
  colour: { label: "colour", normalize: normalizeColour, isOptional: true, isQuoted: true },
  logoUrl: {
    label: "logo",
    normalize: normalizeLogo,
    isOptional: true,
    isRemovable: true,
    isReplaced: true,
    environmentReason: copiedLogo,
  },
};

function copiedLogo(a: string, b: string, { accounts, isOtherEnvironment }: ComparedSources): string | undefined {
  // One of the two has none.
  if (a === "" || b === "") return undefined;
  const areCopies = accounts === 2 && isOtherEnvironment;
  const isCopy = accounts === 1 && hostOf(a) !== hostOf(b);
  return areCopies || isCopy
    ? "the API keeps its own copy of a logo, with a URL of its own in each account"
    : undefined;
}

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

  items: ({ branding: { logo, ...declared } }) => [{ fields: declared, ...(logo && { observed: { logoUrl: logo } }) }],
  add(account, { fields, observed }) {
    const logo = observed?.logoUrl;
    Object.assign(account.branding, fields, logo !== undefined && { logo });
  },

  async read(client) {
    const { branding_logo, branding_colour } = await client.branding.get();
    return [{ fields: presentFields({ colour: branding_colour, logoUrl: branding_logo }) }];
  },
  fromState({ inputs, outputs }) {
    const declared = textsOf(inputs, Object.keys(fields));
    const { logo } = textsOf(outputs, ["logo"]);
    const isCopied = declared.logoUrl !== undefined && logo !== undefined;
    return { fields: declared, ...(isCopied && { observed: { logoUrl: logo } }) };
  },
  toInputs: ({ fields: { logoUrl, ...others } }) => ({
    ...others,
    ...(logoUrl !== undefined && { logoUrl: logoUrl || null }),
  }),
};
