/** Rules for subjects, and for the two bodies together. */
import { addressesOfText } from "../../account-folder/text/html/addresses";
import { isKnownVariable } from "../../account-folder/text/variables";
import { fieldNames } from "../email-texts";
import { lintRule } from "../rule";

const emptySubject = lintRule({
  name: "empty-subject",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Write a subject.",
  *check({ texts: email }) {
    const fix = "write one, or delete the file to leave the account's subject unchanged";
    for (const place of email.context.empty) {
      if (place.file.endsWith("/subject.txt")) yield { place, message: "the subject is empty", fix };
    }
    const subject = email.text("subject");
    if (subject && subject.text.trim() === "") yield { place: subject.place(0), message: "the subject is empty", fix };
  },
});

const subjectLineBreak = lintRule({
  name: "subject-line-break",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Write the subject in one line. A line break ends the email's header early.",
  *check({ texts: email }) {
    const subject = email.text("subject");
    const at = subject?.text.search(/[\r\n\u2028\u2029]/) ?? -1;
    if (at < 0) return;
    yield {
      place: subject!.place(at, at + 1),
      message: "the subject contains a line break",
      fix: "write it in one line",
    };
  },
});

const emptyBody = lintRule({
  name: "empty-body",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Write visible content into the HTML body.",
  *check({ texts: email }) {
    const content = email.text("content");
    if (!content) return;
    const { view, tags, isShown } = email.body;
    const isVisible =
      view.texts.some(({ text, within, isShown }) => isShown && within === undefined && text.trim() !== "") ||
      tags.some(({ name, start }) => name === "img" && isShown(start));
    if (!isVisible) {
      yield {
        place: content.place(0),
        message: "the HTML body has no visible content",
        fix: "write a text, or empty the file to leave the account's body unchanged",
      };
    }
  },
});

const missingPlain = lintRule({
  name: "missing-plain-text",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Add a plain-text body, for readers without HTML and for spam filters.",
  *check({ texts: email }) {
    for (const place of email.context.empty) {
      if (!place.file.endsWith("/body.txt") || !email.text("content")) continue;
      yield {
        place,
        message: `${email.type} has an HTML body, but an empty plain text`,
        fix: "write one, or delete the file to derive it from the HTML",
      };
    }
  },
});

/** Links that are searched for in the other body: each search reads the whole text. */
const MAX_LINKS = 500;

const plainTextMismatch = lintRule({
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

const byteOrderMark = lintRule({
  name: "byte-order-mark",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Begin texts without a byte order mark, such as that of a file that a program has read.",
  *check({ texts: email }) {
    for (const [field, text] of email.written) {
      if (!text.text.startsWith("\ufeff")) continue;
      yield {
        place: text.place(0, 1),
        message: `${fieldNames[field]} begins with a byte order mark, which editors do not show`,
        fix: 'remove it, or save the file as "UTF-8 without BOM"',
      };
    }
  },
});

export const textRules = [emptySubject, subjectLineBreak, emptyBody, missingPlain, plainTextMismatch, byteOrderMark];
