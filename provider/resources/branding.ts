/** The account's logo and colour. */
import { z } from "zod";
import { brandingFields } from "../../definitions/branding";
import { colour, logoUrl } from "../../sdk/api/scalars";
import { openEnum } from "../../sdk/enums";
import { CachedRead } from "../core/cached-read";
import { type AccountHandle, defineResource, type Issue } from "../core/resource-definition";
import { accountArgument, type Restorable } from "./account-argument";
import { assertNotTestKey } from "./check-response";

/** The account's branding as the API returns it. */
export interface BrandingItem {
  branding_logo?: string | null | undefined;
  branding_colour?: string | null | undefined;
  test?: boolean | undefined;
}

const key = "branding";

function brandingOf(account: AccountHandle): CachedRead<BrandingItem> {
  return account.memoize(
    key,
    () => new CachedRead<BrandingItem>(() => account.client.branding.get(), account.session.run.clock),
  );
}

/** What a program declares. */
export interface BrandingValues extends Restorable {
  /** URL of the logo, a JPG or PNG file. The service copies it. An empty text (in TypeScript also `null`) removes the logo, with `esign:edition: current`. */
  logoUrl?: string | null | undefined;
  /** Brand colour as a hex code, `#RRGGBB`. */
  colour?: string | undefined;
}

const brandingArgs = {
  // No language but TypeScript passes a null on.
  logoUrl: z
    .union([logoUrl, z.literal("")], "must be a URL")
    .nullable()
    .optional(),
  colour: colour.optional(),
  account: accountArgument.optional(),
  onDelete: openEnum(["restore", "keep"]).optional(),
};

/** Outputs besides the arguments. */
export interface BrandingOutputs {
  /** URL of the service's copy of the logo, as of the last write. It may expire. */
  logo?: string | undefined;
}

const brandingOutputs = {
  logo: z.string().optional(),
};

/** @internal */
export const branding = defineResource({
  kind: "Branding",
  handler: "branding",
  args: z.object(brandingArgs),
  outputs: z.object(brandingOutputs),
  secrets: [],
  changedByUpdate: ["logo"],
  ...brandingFields,
  createOnly: ["account"],
  naturalKey: [],
  defaults: { onDelete: "restore" },

  key: () => key,
  outputsOf: (item: BrandingItem) => ({ logo: item.branding_logo || null }),

  locate: (_, { branding: { logoUrl } }) => ({ key, outputs: logoUrl ? { logo: logoUrl } : {} }),

  issues(args, { isSet, edition }) {
    const faults: Issue[] = [];
    if (!isSet("logoUrl") && !isSet("colour")) {
      faults.push({ field: "logoUrl, colour", message: "set at least one of the two" });
    }
    if ((args.logoUrl === null || args.logoUrl === "") && edition === "specification") {
      const message =
        "cannot be removed: the service of the specification always has one. Set esign:edition to current";
      faults.push({ field: "logoUrl", message });
    }
    return faults;
  },

  read: (account, _, age) => brandingOf(account).get(age),

  async update(account, _, form) {
    const { branding_logo_url: logo } = form;
    const response = await account.client.branding.update({ ...form, ...(logo === "" && { branding_logo_url: null }) });
    assertNotTestKey(response);
    brandingOf(account).patch((live) => Object.assign(live, response));
    return response;
  },
});
