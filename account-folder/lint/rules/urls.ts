/** Rules for URLs. */
import { addressesOfText, isUnencrypted, schemeOf } from "../../text/html/addresses";
import type { EmailRule } from "./rule";

export const insecureLink: EmailRule = {
  scope: "email",
  name: "insecure-link",
  severity: "error",
  description: "Use https:// URLs. Mail clients flag http links and block http images.",
  *check(email) {
    for (const [field, text] of email.written) {
      const addresses = field === "content" ? email.body.addresses : addressesOfText(text.text);
      for (const { url, start, end } of addresses) {
        if (!isUnencrypted(url)) continue;
        yield { place: text.place(start, end), message: "the URL is not https", fix: "use https://" };
      }
    }
  },
};

const relative: EmailRule = {
  scope: "email",
  name: "relative-link",
  severity: "error",
  description: "Use absolute URLs.",
  *check(email) {
    const content = email.text("content");
    for (const { url, element, source, start, end } of email.body.addresses) {
      // A variable or an unresolved placeholder may be the beginning of a URL, or all of it.
      if (source === "text" || schemeOf(url) !== undefined || /^[#{]/.test(url)) continue;
      if (url === "" && source === "style") continue;
      if (content!.hasUnresolved(start, Math.max(end, start + 1)) && /^‹/.test(url)) continue;
      yield {
        place: content!.place(start, end),
        message: url === "" ? `the URL of <${element}> is empty` : `"${url}" is not an absolute URL`,
        fix: "write the whole URL, starting with https://",
      };
    }
  },
};

const embedded: EmailRule = {
  scope: "email",
  name: "embedded-image",
  severity: "warning",
  description: "Host images on a server. Some mail clients do not show images embedded in the HTML.",
  *check(email) {
    for (const { url, element, start } of email.body.addresses) {
      if (element !== "img" || schemeOf(url) !== "data") continue;
      yield {
        place: email.place({ start, end: start + 5 }),
        message: "some mail clients do not show embedded images",
        fix: "host the image and link to it",
      };
    }
  },
};

export const linkRules = [insecureLink, relative, embedded];
