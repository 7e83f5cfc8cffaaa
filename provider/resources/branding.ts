import { branding as brandingDefinition } from "../../definitions/branding";
import { CachedRead } from "../core/cached-read";
import { type AccountHandle, defineResource, type Issue } from "../core/resource-definition";
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

/** @internal */
export const branding = defineResource<BrandingItem>(brandingDefinition, {
  key: () => key,
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
