/** Rules for URLs. */
import type { SourcedText } from "../../template/source-map";
import type { TextRange } from "../../text/html-tokens";
import type { EmailRule, LintedEmail } from "./types";

/** The attribute whose value is a URL, by element; `background` is one of any element. */
const URL_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["a", "href"],
  ["area", "href"],
  ["img", "src"],
  ["form", "action"],
]);

interface Link extends TextRange {
  /** Entities are decoded. */
  url: string;
  element: string;
  /** False for pictures and the like. */
  isFollowed: boolean;
}

/** All URLs of an HTML body, in order. */
export function linksOf(email: LintedEmail): Link[] {
  const links: Link[] = [];
  for (const token of email.tokens) {
    if (token.kind !== "start") continue;
    const names = [URL_ATTRIBUTES.get(token.name), "background"];
    for (const attribute of token.attributes) {
      if (!names.includes(attribute.name)) continue;
      const isFollowed = attribute.name === "href";
      links.push({ url: attribute.value.trim(), element: token.name, isFollowed, ...attribute.valueAt });
    }
  }
  return links;
}

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;

export const insecureLink: EmailRule = {
  scope: "email",
  name: "insecure-link",
  severity: "error",
  description: "Use https:// URLs. Mail clients flag http links and block http images.",
  *check(email) {
    const issue = (text: SourcedText, range: TextRange) => ({
      place: text.place(range.start, range.end),
      message: "the URL is not https",
      fix: "use https://",
    });
    const content = email.text("content");
    if (content) {
      for (const link of linksOf(email)) if (/^http:/i.test(link.url)) yield issue(content, link);
      for (const token of email.tokens) {
        const texts =
          token.kind === "text" && token.within === "style"
            ? [token]
            : token.kind === "start"
              ? token.attributes.filter(({ name }) => name === "style").map(({ valueAt }) => valueAt)
              : [];
        for (const { start, end } of texts) {
          for (const match of content.text.slice(start, end).matchAll(/url\(\s*["']?(http:[^)"']*)/gi)) {
            const from = start + match.index + match[0].length - match[1]!.length;
            yield issue(content, { start: from, end: from + match[1]!.length });
          }
        }
      }
    }
    const plain = email.context.plainIsDerived ? undefined : email.text("contentPlain");
    for (const match of plain?.text.matchAll(/\bhttp:\/\/[^\s<>"')\]]+/gi) ?? []) {
      yield issue(plain!, { start: match.index, end: match.index + match[0].length });
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
    for (const { url, element, start, end } of content ? linksOf(email) : []) {
      // A variable or an unresolved placeholder may be the beginning of a URL, or all of it.
      if (ABSOLUTE.test(url) || url.startsWith("#") || url.startsWith("{")) continue;
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
    for (const { url, element, start } of email.text("content") ? linksOf(email) : []) {
      if (element !== "img" || !/^data:/i.test(url)) continue;
      yield {
        place: email.place({ start, end: start + 5 }),
        message: "some mail clients do not show embedded images",
        fix: "host the image and link to it",
      };
    }
  },
};

export const linkRules = [insecureLink, relative, embedded];
