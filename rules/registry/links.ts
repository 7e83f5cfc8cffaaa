/** Rules for URLs. */

import { addressesOfText, isUnencrypted, schemeOf } from "../../account-folder/text/html/addresses";
import { attributeOf } from "../../account-folder/text/html/parse";
import { isPrivate } from "../../account-folder/text/private-hosts";
import { parseUrl } from "../../sdk/text/url";
import type { EmailTexts } from "../email-texts";
import { lintRule, type Violation } from "../rule";

const insecureLink = lintRule({
  name: "insecure-link",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Use https:// URLs. Mail clients flag http links and block http images.",
  check: ({ texts }) => insecureAddresses(texts),
});

/** @internal */
export function* insecureAddresses(texts: EmailTexts): Iterable<Violation> {
  for (const [field, text] of texts.written) {
    const addresses = field === "content" ? texts.body.addresses : addressesOfText(text.text);
    for (const { url, start, end } of addresses) {
      if (!isUnencrypted(url)) continue;
      yield { place: text.place(start, end), message: "the URL is not https", fix: "use https://" };
    }
  }
}

const relative = lintRule({
  name: "relative-link",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Use absolute URLs.",
  *check({ texts: email }) {
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
});

const embedded = lintRule({
  name: "embedded-image",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Host images on a server. Some mail clients do not show images embedded in the HTML.",
  *check({ texts: email }) {
    for (const { url, element, start } of email.body.addresses) {
      if (element !== "img" || schemeOf(url) !== "data") continue;
      yield {
        place: email.place({ start, end: start + 5 }),
        message: "some mail clients do not show embedded images",
        fix: "host the image and link to it",
      };
    }
  },
});

/** Why readers cannot follow an address, or load it; undefined for one that they can. */
function deadReason(url: string): string | undefined {
  if (/^https?:[/\\]*https?(?::|\/\/|%3a)/i.test(url)) return "the URL has two schemes";
  if (/^https?:(?!\/\/)/i.test(url)) return "// is missing after the scheme";
  const scheme = schemeOf(url);
  if (scheme === "file") return "file: leads to the reader's own computer";
  if (scheme !== undefined && /^[htps]{3,9}$/.test(scheme) && !/^https?$/.test(scheme))
    return `${scheme}: is not a scheme`;
  const host = parseUrl(url)?.hostname ?? "";
  if (/^https?$/.test(scheme ?? "") && host !== "" && isPrivate(host)) return `${host} is not reachable for readers`;
  return undefined;
}

const dead = lintRule({
  name: "dead-link",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Link to what readers can reach: no misspelt scheme, no file, no host of your own machine or network.",
  *check({ texts: email }) {
    for (const [field, text] of email.written) {
      const addresses = field === "content" ? email.body.addresses : addressesOfText(text.text);
      for (const { url, start, end } of addresses) {
        const reason = text.hasUnresolved(start, Math.max(end, start + 1)) ? undefined : deadReason(url);
        if (reason === undefined) continue;
        yield { place: text.place(start, end), message: reason, fix: "write the URL as a browser shows it" };
      }
    }
  },
});

const empty = lintRule({
  name: "empty-link",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: 'Give each link a target, and each image a URL: not "#", nor cid:, which has no attachment here.',
  *check({ texts: email }) {
    for (const tag of email.body.tags) {
      const [href, src] = [attributeOf(tag, "href"), attributeOf(tag, "src")];
      if (tag.name === "a" && href?.value.trim() === "#")
        yield {
          place: email.place(href.valueAt),
          message: 'href="#" leads nowhere',
          fix: "write the URL, or remove the link",
        };
      else if (tag.name === "img" && src === undefined)
        yield {
          place: email.place(tag),
          message: "the image has no src",
          fix: "write the URL of the image, or remove it",
        };
      else if (src !== undefined && schemeOf(src.value.trim()) === "cid")
        yield {
          place: email.place(src.valueAt),
          message: "cid: is a part of the email, and the API takes none",
          fix: "host the image and link to it",
        };
    }
  },
});

/** Parameters of addresses that were signed for a while. */
const EXPIRING = /[?&](?:x-amz-(?:expires|signature)|x-goog-(?:expires|signature)|expires|signature|sig)=/i;

const logoAddress = lintRule({
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

export const linkRules = [insecureLink, relative, embedded, dead, empty, logoAddress];
