/** The logo and the colour of an account. */

import { z } from "zod";
import { api } from "../sdk/api";
import { colour, logoUrl } from "../sdk/api/scalars";
import { argument, optionalOutput, type RecordOf, type Restorable, restorable, type ValuesOf } from "./argument";
import { apiNames, fromApi } from "./field";
import { defineKind, type KindDefinition, presentFields } from "./kind";
import { normalizeColour } from "./text/normalize";

/** The API returns empty texts for what was never set. */
const present = (value: string) => value || undefined;

const brandingArguments = {
  /** Brand colour as a hex code, `#RRGGBB`. */
  colour: argument(colour.optional(), {
    label: "colour",
    apiName: "branding_colour",
    fromApi: present,
    normalize: normalizeColour,
    isOptional: true,
    isQuoted: true,
  }),
  /** URL of the logo, a JPG or PNG file. The service copies it. An empty text (in TypeScript also `null`) removes the logo, with `esign:edition: current`. */
  logoUrl: argument(
    // No language but TypeScript passes a null on.
    z
      .union([logoUrl, z.literal("")], "must be a URL")
      .nullable()
      .optional(),
    {
      label: "logo",
      apiName: "branding_logo_url",
      returnedName: "branding_logo",
      fromApi: present,
      isOptional: true,
      isRemovable: true,
      copiedTo: "logo",
    },
  ),
};
/** What a program declares. */
export interface BrandingValues extends ValuesOf<typeof brandingArguments>, Restorable {}

const brandingOutputs = {
  /** URL of the service's copy of the logo, as it was last returned. It may be another one at each read, and expire. */
  logo: optionalOutput("branding_logo", { read: (url) => url || null, isChangedByUpdate: true }),
};
/** Outputs besides the arguments. */
export interface BrandingOutputs extends ValuesOf<typeof brandingOutputs> {}

/** The branding of an account. */
export interface BrandingInfo
  extends RecordOf<typeof brandingArguments & typeof brandingOutputs, never, "logo" | "colour"> {}

/** @internal */
export const branding: KindDefinition = defineKind({
  kind: "Branding",
  nouns: ["account's branding", "accounts' branding"],
  label: () => "branding",
  arguments: { ...brandingArguments, ...restorable },
  outputs: brandingOutputs,
  naturalKey: [],
  isCreatable: false,
  storage: { section: "branding" },
  forms: [{ form: api.branding.update.form, names: apiNames(brandingArguments, ["colour", "logoUrl"]) }],

  async read(client) {
    return [{ fields: presentFields(fromApi(branding, await client.branding.get())) }];
  },
  toInputs: ({ fields: { logoUrl, ...others } }) => ({
    ...others,
    ...(logoUrl !== undefined && { logoUrl: logoUrl || null }),
  }),
});
