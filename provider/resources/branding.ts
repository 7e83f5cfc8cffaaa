/** The account's logo and colour (§2.1, §4.1). */
import { z } from "zod";
import { normalizeColour, normalizeLogo } from "../../account-folder/text/normalize";
import { isNoLogo } from "../../sdk/api/branding";
import { colour, oneOf, url } from "../../sdk/api/scalars";
import { CachedRead } from "../core/cached-read";
import { Failure } from "../core/failure";
import { type AccountHandle, defineResource, type Issue } from "../core/resource-definition";
import { accountArgument } from "./account-argument";
import { assertNotTestKey } from "./check-response";

/** The account's branding as the service answers it. */
export interface BrandingItem {
  branding_logo?: string | null | undefined;
  branding_colour?: string | null | undefined;
}

const key = "branding";

function brandingOf(account: AccountHandle): CachedRead<BrandingItem> {
  return account.memoize(key, () => new CachedRead<BrandingItem>(() => account.client.branding.get()));
}

/** What the user writes. */
export const brandingArgs = {
  /** Address of the logo, a JPG or PNG file. The service copies it. */
  logoUrl: url.optional(),
  /** Brand colour as a hex code, `#RRGGBB`. */
  colour: colour.optional(),
  /** The sub account that it belongs to: a Company or its id. Default: the account of the key. */
  account: accountArgument.optional(),
  /** What a deletion does, also that of an argument: `restore` puts back what was there before, `keep` leaves it. Default: restore. */
  onDelete: oneOf(["restore", "keep"]).optional(),
};

/** What comes back besides. */
export const brandingOutputs = {
  /** Address of the logo at the service. */
  logo: z.string().optional(),
};

export const branding = defineResource({
  kind: "Branding",
  handler: "branding",
  args: z.object(brandingArgs),
  outputs: z.object(brandingOutputs),
  secrets: [],
  fields: ["logoUrl", "colour"],
  createOnly: ["account"],
  naturalKey: [],
  defaults: { onDelete: "restore" },

  serverCopied: ["logoUrl"],

  key: () => key,
  normalize(field, value, of) {
    if (field === "colour") return normalizeColour(value);
    return of === "answered" ? normalizeLogo(value) : value;
  },
  // An imported object has no bookkeeping: the answer to the logo's address is the output `logo`.
  lastReturned: (field, state) => (field === "logoUrl" ? (state.logo as string | undefined) : undefined),
  toApi: (fields) => ({
    ...(fields.logoUrl !== undefined && { branding_logo_url: fields.logoUrl }),
    ...(fields.colour !== undefined && { branding_colour: fields.colour }),
  }),
  fromApi: (wire: BrandingItem) => ({
    fields: {
      logoUrl: wire.branding_logo || undefined,
      colour: wire.branding_colour || undefined,
    },
    outputs: { logo: wire.branding_logo || null },
  }),

  issues(args, { isSet }) {
    const faults: Issue[] = [];
    if (!isSet("logoUrl") && !isSet("colour")) {
      faults.push({ field: "logoUrl, colour", message: "at least one of the two must be given" });
    }
    if (args.logoUrl !== undefined && isNoLogo(args.logoUrl as string)) {
      faults.push({ field: "logoUrl", message: "must be a JPG or PNG file, as §8 says" });
    }
    return faults;
  },

  async read(account, asked, age) {
    // A company's id alone would be answered with the partner's own branding.
    if (asked !== key)
      throw new Failure(`there is no such id; it is "${key}", in a sub account "<company's id>/${key}"`);
    return brandingOf(account).get(age);
  },

  async update(account, _, form) {
    const answer = await account.client.branding.update(form);
    assertNotTestKey(answer);
    brandingOf(account).patch((live) => Object.assign(live, answer));
    return answer;
  },
});
