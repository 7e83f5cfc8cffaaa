/** Rules on HTML that mail clients break on. */
import { attributeOf, type HtmlToken, VOID_ELEMENTS } from "../../text/html-tokens";
import type { EmailRule, Issue, LintedEmail } from "./types";

type StartTag = HtmlToken & { kind: "start" };

const startTags = (email: LintedEmail) => email.tokens.filter((token): token is StartTag => token.kind === "start");

const script: EmailRule = {
  of: "email",
  name: "script",
  severity: "error",
  description: "No scripts: mail clients remove them, and filters take the mail for an attack.",
  *check(email) {
    for (const tag of startTags(email)) {
      if (tag.name === "script") {
        yield { place: email.place(tag), message: "scripts do not run in e-mails", fix: "take the <script> out" };
      }
      for (const attribute of tag.attributes) {
        if (/^on[a-z]/.test(attribute.name)) {
          yield {
            place: email.place(attribute),
            message: `${attribute.name} is a script; it does not run in e-mails`,
            fix: "take the attribute out",
          };
        } else if (/^\s*javascript:/i.test(attribute.value)) {
          yield {
            place: email.place(attribute.valueAt),
            message: "an address that is a script does not work in e-mails",
            fix: "link to a page",
          };
        }
      }
    }
  },
};

const externalStyle: EmailRule = {
  of: "email",
  name: "external-style",
  severity: "warning",
  description: "No styles from elsewhere: most mail clients do not load them.",
  *check(email) {
    for (const token of email.tokens) {
      if (token.kind === "start" && token.name === "link") {
        if (!/\bstylesheet\b/i.test(attributeOf(token, "rel")?.value ?? "")) continue;
        yield {
          place: email.place(token),
          message: "most mail clients do not load a style sheet from elsewhere",
          fix: "write the styles into style attributes, or into a <style>",
        };
      } else if (token.kind === "text" && token.within === "style") {
        for (const match of token.text.matchAll(/@import\b[^;]*/gi)) {
          const start = token.start + match.index;
          yield {
            place: email.place({ start, end: start + match[0].length }),
            message: "most mail clients do not follow @import",
            fix: "write the styles themselves",
          };
        }
      }
    }
  },
};

/** Elements that mail clients remove or leave without function. */
const UNSUPPORTED = new Set(
  "applet audio base button canvas dialog embed form frame frameset iframe input math object select svg textarea video".split(
    " ",
  ),
);

const unsupported: EmailRule = {
  of: "email",
  name: "unsupported-element",
  severity: "warning",
  description: "No elements that mail clients remove: forms, frames, video, inline SVG.",
  *check(email) {
    for (const tag of startTags(email)) {
      if (!UNSUPPORTED.has(tag.name)) continue;
      yield {
        place: email.place(tag),
        message: `mail clients remove <${tag.name}>, or show it without function`,
        fix: tag.name === "button" ? "make it a link that looks like a button" : "use a link or a picture instead",
      };
    }
  },
};

const imageAlt: EmailRule = {
  of: "email",
  name: "image-alt",
  severity: "warning",
  description: "Each picture has a text to stand in for it: many readers see no pictures, or hear the mail.",
  *check(email) {
    for (const tag of startTags(email)) {
      if (tag.name !== "img" || attributeOf(tag, "alt")) continue;
      yield {
        place: email.place(tag),
        message: "the picture has no alt text",
        fix: 'describe it: alt="…", or alt="" for one that only decorates',
      };
    }
  },
};

/** Bytes after which a widespread mail client cuts a mail off. */
const LIMIT = 100_000;

const large: EmailRule = {
  of: "email",
  name: "large-html",
  severity: "warning",
  description: "An HTML body has 100 kB at most: what is beyond is cut off by widespread mail clients.",
  *check(email) {
    const text = email.text("content");
    if (!text) return;
    const size = Buffer.byteLength(text.text);
    if (size <= LIMIT) return;
    yield {
      place: text.place(0),
      message: `the HTML body has ${Math.ceil(size / 1000)} kB; some mail clients cut off what is beyond 100 kB`,
      fix: "shorten it; pictures belong on a server, not into the HTML",
    };
  },
};

/** Elements whose end tag must be written: without it, what follows is drawn into them. */
const NEEDS_END = new Set(
  "a abbr b big blockquote center code div em font h1 h2 h3 h4 h5 h6 i ol pre s small span strong style sub sup table title u ul".split(
    " ",
  ),
);

const broken: EmailRule = {
  of: "email",
  name: "broken-html",
  severity: "warning",
  description: "Tags are complete and closed: mail clients repair broken HTML each in their own way.",
  *check(email) {
    const open: StartTag[] = [];
    const unclosed = (tag: StartTag): Issue => ({
      place: email.place(tag),
      message: `<${tag.name}> is not closed`,
      fix: `write </${tag.name}> where it ends`,
    });
    for (const token of email.tokens) {
      if (token.kind === "error") {
        yield {
          place: email.place(token),
          message: `not valid HTML: ${token.code.replaceAll("-", " ")}`,
          fix: "correct the tag; a < in text is written &lt;",
        };
      } else if (token.kind === "start") {
        if (!VOID_ELEMENTS.has(token.name)) open.push(token);
      } else if (token.kind === "end") {
        const index = open.findLastIndex((tag) => tag.name === token.name);
        if (index >= 0) {
          for (const tag of open.splice(index).slice(1)) if (NEEDS_END.has(tag.name)) yield unclosed(tag);
        } else if (NEEDS_END.has(token.name)) {
          yield {
            place: email.place(token),
            message: `</${token.name}> closes nothing`,
            fix: "take it out, or write the tag that it should close",
          };
        }
      }
    }
    for (const tag of open) if (NEEDS_END.has(tag.name)) yield unclosed(tag);
  },
};

export const htmlRules = [script, externalStyle, unsupported, imageAlt, large, broken];
