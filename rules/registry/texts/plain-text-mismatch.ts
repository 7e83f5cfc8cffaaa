import { addressesOfText } from "../../../account-folder/text/html/addresses";
import { isKnownVariable } from "../../../account-folder/text/variables";
import { lintRule } from "../../rule";

/** Links that are searched for in the other body: each search reads the whole text. */
const MAX_LINKS = 500;

export const plainTextMismatch = lintRule({
  name: "plain-text-mismatch",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Use the same links and variables in the plain text as in the HTML body.",
  *check({ texts: email }) {
    const [html, plain] = [email.text("content"), email.text("contentPlain")];
    if (!html || !plain || email.context.plainIsDerived) return;
    const missingInPlain = (what: string) => ({
      place: plain.beginning,
      message: `the plain text is missing ${what}, which the HTML body contains`,
      fix: "add it to the plain text, or delete the file to derive it from the HTML",
    });
    const missingInHtml = (what: string, start: number, length: number) => ({
      place: plain.place(start, start + length),
      message: `the HTML body is missing ${what}, which the plain text contains`,
      fix: "add it to the HTML body, or remove it here",
    });

    // Attributes other than those of links, such as a title, have no place in a plain text. It may have the label of a picture.
    const written = email.variables("content").filter(({ flaw }) => flaw === undefined);
    const inHtml = new Set(written.flatMap(({ name, isShown }) => (isShown && isKnownVariable(name) ? name : [])));
    const inLabels = new Set(written.flatMap(({ name, attribute }) => (attribute?.name === "alt" ? name : [])));
    const inPlain = email.variables("contentPlain").filter(({ name }) => isKnownVariable(name));
    for (const name of inHtml)
      if (!inPlain.some((variable) => variable.name === name)) yield missingInPlain(`{${name}}`);
    for (const { name, start, end } of inPlain)
      if (!inHtml.has(name) && !inLabels.has(name)) yield missingInHtml(`{${name}}`, start, end - start);

    const links = new Set(
      email.body.tags
        .filter(({ start }) => email.body.isShown(start))
        .flatMap(({ attributes }) => attributes.map(({ valueAt }) => valueAt.start)),
    );
    const followed = email.body.addresses.filter(
      ({ isFollowed, source, start, url }) =>
        isFollowed && source === "attribute" && links.has(start) && /^(https?|mailto|tel):/i.test(url),
    );
    const urls = new Map(followed.map(({ url }) => [shorten(url), url]));
    for (const [short, url] of [...urls].slice(0, MAX_LINKS)) {
      if (!plain.text.includes(short) && !plain.text.includes(decoded(short))) yield missingInPlain(`the link ${url}`);
    }
    for (const { url, start } of addressesOfText(plain.text).slice(0, MAX_LINKS)) {
      if (urls.has(shorten(url)) || html.text.includes(url)) continue;
      yield missingInHtml(`the link ${url}`, start, url.length);
    }
  },
});

/** A URL without the parts that plain texts omit. */
const shorten = (url: string) => url.replace(/^(mailto|tel):/i, "").replace(/\/$/, "");

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
