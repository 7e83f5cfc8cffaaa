import { browserUrl, isUnencrypted } from "../../../account-folder/text/html/addresses";
import { isLoopback, parseUrl } from "../../../sdk/text/url";
import { insecureAddresses } from "../../checks/insecure-addresses";
import { policy } from "../../rule";

/** True for an address that anyone on the way can read. One on this machine, such as an emulator's, is not on any way. */
function isInsecure(address: unknown): boolean {
  if (typeof address !== "string" || !isUnencrypted(browserUrl(address))) return false;
  const url = parseUrl(address);
  return url === undefined || !isLoopback(url.hostname);
}

export const httpsOnly = policy({
  name: "https-only",
  description: "Use https:// for webhooks, for the logo, and for what emails link to.",
  severity: "error",
  kinds: ["Webhook", "Branding", "BrandingEmail"],
  *check(subject) {
    if (subject.kind === "BrandingEmail") yield* insecureAddresses(subject.texts);
    for (const field of ["url", "logoUrl"]) {
      if (!isInsecure(subject.args[field])) continue;
      yield { field, message: "the URL is not https", fix: "use https://" };
    }
  },
});
