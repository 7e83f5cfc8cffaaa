import { type HtmlToken, type StartTag, VOID_ELEMENTS } from "../../../account-folder/text/html/parse";
import type { EmailTexts } from "../../email-texts";
import { lintRule, type Violation } from "../../rule";

/** Elements that need an end tag: without it, the content that follows becomes part of them. */
const NEEDS_END = new Set(
  "a abbr b big blockquote center code div em font h1 h2 h3 h4 h5 h6 i ol pre s small span strong style sub sup table title u ul".split(
    " ",
  ),
);

export const brokenHtml = lintRule({
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
