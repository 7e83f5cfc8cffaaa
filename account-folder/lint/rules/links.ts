/** Rules on addresses. */

import type { SourcedText } from "../../template/source-map";
import type { TextRange } from "../../text/html-tokens";
import type { EmailRule, LintedEmail } from "./types";

/** Attributes with an address, by the element that has them (`*`: any). */
const ADDRESSES: Record<string, string[]> = {
  a: ["href"],
  area: ["href"],
  img: ["src"],
  form: ["action"],
  "*": ["background"],
};

interface Link extends TextRange {
  /** As it is followed: entities decoded. */
  address: string;
  element: string;
  /** False for pictures and the like. */
  isFollowed: boolean;
}

/** All addresses of an HTML body, in their order. */
export function linksOf(email: LintedEmail): Link[] {
  const links: Link[] = [];
  for (const token of email.tokens) {
    if (token.kind !== "start") continue;
    const names = [...(ADDRESSES[token.name] ?? []), ...ADDRESSES["*"]!];
    for (const attribute of token.attributes) {
      if (!names.includes(attribute.name)) continue;
      const isFollowed = attribute.name === "href";
      links.push({ address: attribute.value.trim(), element: token.name, isFollowed, ...attribute.valueAt });
    }
  }
  return links;
}

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;

const insecure: EmailRule = {
  of: "email",
  name: "insecure-link",
  severity: "error",
  description: "Addresses begin with https://: others are marked as unsafe, and pictures from them are not shown.",
  *check(email) {
    const problem = (text: SourcedText, range: TextRange) => ({
      place: text.place(range.start, range.end),
      message: "the address is not https",
      fix: "write https://",
    });
    const content = email.text("content");
    if (content) {
      for (const link of linksOf(email)) if (/^http:/i.test(link.address)) yield problem(content, link);
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
            yield problem(content, { start: from, end: from + match[1]!.length });
          }
        }
      }
    }
    const plain = email.about.plainIsDerived ? undefined : email.text("contentPlain");
    for (const match of plain?.text.matchAll(/\bhttp:\/\/[^\s<>"')\]]+/gi) ?? []) {
      yield problem(plain!, { start: match.index, end: match.index + match[0].length });
    }
  },
};

const relative: EmailRule = {
  of: "email",
  name: "relative-link",
  severity: "error",
  description: "Addresses are whole: an e-mail has no site that a short one could belong to.",
  *check(email) {
    const content = email.text("content");
    for (const { address, element, start, end } of content ? linksOf(email) : []) {
      // A variable or a value that is not known here may be the begin of an address, or all of it.
      if (ABSOLUTE.test(address) || address.startsWith("#") || address.startsWith("{")) continue;
      if (content!.hasUnresolved(start, Math.max(end, start + 1)) && /^‹/.test(address)) continue;
      yield {
        place: content!.place(start, end),
        message:
          address === ""
            ? `the address of <${element}> is empty`
            : `"${address}" leads nowhere when it stands in an e-mail`,
        fix: "write the whole address, beginning with https://",
      };
    }
  },
};

const embedded: EmailRule = {
  of: "email",
  name: "embedded-image",
  severity: "warning",
  description: "Pictures lie on a server: those inside of the HTML are not shown by widespread mail clients.",
  *check(email) {
    for (const { address, element, start } of email.text("content") ? linksOf(email) : []) {
      if (element !== "img" || !/^data:/i.test(address)) continue;
      yield {
        place: email.place({ start, end: start + 5 }),
        message: "widespread mail clients do not show a picture that is written into the HTML",
        fix: "put the picture on a server and link to it",
      };
    }
  },
};

export const linkRules = [insecure, relative, embedded];
