import { insecureLink } from "../../account-folder/lint/rules/urls";
import { browserUrl, isUnencrypted } from "../../account-folder/text/html/addresses";
import { isLoopback, parseUrl } from "../../sdk/text/url";
import { checkEmail } from "../check-email";
import { defineRule } from "../rule";

/** True for an address that anyone on the way can read. One on this machine, such as an emulator's, is not on any way. */
function isInsecure(address: unknown): boolean {
  if (typeof address !== "string" || !isUnencrypted(browserUrl(address))) return false;
  const url = parseUrl(address);
  return url === undefined || !isLoopback(url.hostname);
}

export const httpsOnly = defineRule({
  name: "https-only",
  description: "Use https:// for webhooks, for the logo, and for what emails link to.",
  enforcementLevel: "mandatory",
  kinds: ["Webhook", "Branding", "BrandingEmail"],
  config: {},
  *check(subject) {
    for (const field of ["url", "logoUrl"]) {
      if (!isInsecure(subject.args[field])) continue;
      yield { field, message: "the URL is not https", fix: "use https://" };
    }
    if (subject.kind !== "BrandingEmail") return;
    // The lint rule, for programs that deploy no folder.
    yield* checkEmail(subject, insecureLink);
  },
});
