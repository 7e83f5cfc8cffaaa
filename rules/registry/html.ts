/** Rules for HTML that mail clients cannot show. */
import { browserUrl, schemeOf } from "../../account-folder/text/html/addresses";
import { attributeOf, type HtmlToken, type StartTag, VOID_ELEMENTS } from "../../account-folder/text/html/parse";
import type { EmailTexts } from "../email-texts";
import { lintRule, type Violation } from "../rule";

/** Gmail reads what an email is about, such as an order, from JSON-LD: nothing of it runs. */
const isData = (tag: StartTag) => /^\s*application\/ld\+json\b/i.test(attributeOf(tag, "type")?.value ?? "");

const script = lintRule({
  name: "script",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Remove scripts. Mail clients strip them, and spam filters flag them.",
  *check({ texts: email }) {
    for (const tag of email.body.tags) {
      if (tag.name === "script" && !isData(tag)) {
        yield { place: email.place(tag), message: "scripts do not run in emails", fix: "remove the <script> element" };
      }
      for (const attribute of tag.attributes) {
        if (/^on[a-z]/.test(attribute.name)) {
          yield {
            place: email.place(attribute),
            message: `${attribute.name} is a script, which does not run in emails`,
            fix: "remove the attribute",
          };
        } else if (schemeOf(browserUrl(attribute.value)) === "javascript") {
          yield {
            place: email.place(attribute.valueAt),
            message: "javascript: URLs do not work in emails",
            fix: "link to a page",
          };
        }
      }
    }
  },
});

/** Other clients show the text in the next font that they have. Outlook takes one that it does not find for Times. */
const hideWebFont = "hide a web font from Outlook: <!--[if !mso]><!-->…<!--<![endif]-->";

const externalStyle = lintRule({
  name: "external-style",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description:
    "Inline your styles. Most mail clients do not load external style sheets. What Outlook skips may have them: web fonts are added there.",
  *check({ texts: email }) {
    const { body } = email;
    for (const tag of body.tags) {
      if (tag.name !== "link" || !/\bstylesheet\b/i.test(attributeOf(tag, "rel")?.value ?? "")) continue;
      if (body.isSkippedByOutlook(tag.start)) continue;
      yield {
        place: email.place(tag),
        message: "most mail clients do not load external style sheets",
        fix: `use style attributes or a <style> element; ${hideWebFont}`,
      };
    }
    for (const address of body.addresses) {
      if (!address.isImport || body.isSkippedByOutlook(address.start)) continue;
      yield {
        place: email.place(address),
        message: "most mail clients do not follow @import",
        fix: `write the styles inline; ${hideWebFont}`,
      };
    }
  },
});

/** Elements that mail clients remove or show without their function. */
const UNSUPPORTED = new Set(
  "applet audio base button canvas dialog embed form frame frameset iframe input math object select svg textarea video".split(
    " ",
  ),
);

const unsupported = lintRule({
  name: "unsupported-element",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Avoid elements that mail clients remove: forms, frames, video, inline SVG.",
  *check({ texts: email }) {
    for (const tag of email.body.tags) {
      if (!UNSUPPORTED.has(tag.name)) continue;
      yield {
        place: email.place(tag),
        message: `mail clients remove <${tag.name}> or show it without its function`,
        fix: tag.name === "button" ? "replace it with a link styled as a button" : "use a link or an image instead",
      };
    }
  },
});

const imageAlt = lintRule({
  name: "image-alt",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Give each image an alt text. Many readers block images or use a screen reader.",
  *check({ texts: email }) {
    for (const tag of email.body.tags) {
      if (tag.name !== "img" || attributeOf(tag, "alt")) continue;
      yield {
        place: email.place(tag),
        message: "the image has no alt text",
        fix: 'describe it: alt="…", or alt="" for decoration',
      };
    }
  },
});

/** Gmail clips messages beyond about this many bytes. */
const MAX_BYTES = 100_000;

const large = lintRule({
  name: "large-html",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: `Keep the HTML body under ${MAX_BYTES / 1000} kB. Gmail clips longer messages.`,
  *check({ texts: email }) {
    const text = email.text("content");
    if (!text) return;
    const size = Buffer.byteLength(text.text);
    if (size <= MAX_BYTES) return;
    yield {
      place: text.place(0),
      message: `the HTML body is ${Math.ceil(size / 1000)} kB; Gmail clips messages over about ${MAX_BYTES / 1000} kB`,
      fix: "shorten it; host images instead of embedding them",
    };
  },
});

/** Elements that need an end tag: without it, the content that follows becomes part of them. */
const NEEDS_END = new Set(
  "a abbr b big blockquote center code div em font h1 h2 h3 h4 h5 h6 i ol pre s small span strong style sub sup table title u ul".split(
    " ",
  ),
);

const broken = lintRule({
  name: "broken-html",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Close all tags. Mail clients repair broken HTML in different ways.",
  *check({ texts: email }) {
    for (const tokens of email.body.tokensOfViews) yield* brokenIn(email, tokens);
  },
});

function* brokenIn(email: EmailTexts, tokens: readonly HtmlToken[]): Iterable<Violation> {
  const open: StartTag[] = [];
  const unclosed = (tag: StartTag): Violation => ({
    place: email.place(tag),
    message: `<${tag.name}> is not closed`,
    fix: `add </${tag.name}>`,
  });
  for (const token of tokens) {
    if (token.kind === "error") {
      yield {
        place: email.place(token),
        message: `invalid HTML: ${token.code.replaceAll("-", " ")}`,
        fix: "correct the tag; write < in text as &lt;",
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
          message: `</${token.name}> has no start tag`,
          fix: "remove it, or add the start tag",
        };
      }
    }
  }
  for (const tag of open) if (NEEDS_END.has(tag.name)) yield unclosed(tag);
}

export const htmlRules = [script, externalStyle, unsupported, imageAlt, large, broken];
