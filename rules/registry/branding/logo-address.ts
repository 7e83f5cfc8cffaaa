import { isUnencrypted } from "../../../account-folder/text/html/addresses";
import { deadReason } from "../../checks/dead-reason";
import { lintRule } from "../../rule";

/** Parameters of addresses that were signed for a while. */
const EXPIRING = /[?&](?:x-amz-(?:expires|signature)|x-goog-(?:expires|signature)|expires|signature|sig)=/i;

export const logoAddress = lintRule({
  name: "logo-address",
  kinds: ["Branding"],
  severity: "warning",
  description: "Keep the logo at an https:// URL that does not expire: the service reads it again when it is written.",
  *check({ args: { logoUrl } }) {
    if (typeof logoUrl !== "string" || logoUrl === "") return;
    const expires = EXPIRING.test(logoUrl) ? "the logo's URL is signed for a while, and expires" : undefined;
    const message = isUnencrypted(logoUrl) ? "the logo's URL is not https" : (deadReason(logoUrl) ?? expires);
    if (message === undefined) return;
    yield {
      field: "logoUrl",
      message,
      fix: "host the picture at an https:// URL that everyone can read, and that stays",
    };
  },
});
