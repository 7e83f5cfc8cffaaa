/** Rules on subjects and on the two bodies together. */
import { isKnownVariable } from "../../text/variables";
import { linksOf } from "./links";
import { type EmailRule, fieldNames } from "./types";

const emptySubject: EmailRule = {
  of: "email",
  name: "empty-subject",
  severity: "error",
  description: "A subject says something.",
  *check(email) {
    const fix = "write one, or delete the file to leave the account's subject alone";
    for (const place of email.about.empty) {
      if (place.file.endsWith("/subject.txt")) yield { place, message: "the subject is empty", fix };
    }
    const subject = email.text("subject");
    if (subject && subject.text.trim() === "") yield { place: subject.place(0), message: "the subject is empty", fix };
  },
};

const subjectLineBreak: EmailRule = {
  of: "email",
  name: "subject-line-break",
  severity: "error",
  description: "A subject is one line: a line break in it ends the mail's header early.",
  *check(email) {
    const subject = email.text("subject");
    const at = subject?.text.search(/[\r\n\u2028\u2029]/) ?? -1;
    if (at < 0) return;
    yield {
      place: subject!.place(at, at + 1),
      message: "the subject has a line break in it",
      fix: "write it in one line",
    };
  },
};

const emptyBody: EmailRule = {
  of: "email",
  name: "empty-body",
  severity: "error",
  description: "An HTML body shows something.",
  *check(email) {
    const content = email.text("content");
    if (!content) return;
    const shows = email.tokens.some(
      (token) =>
        (token.kind === "text" && !token.within && token.text.trim() !== "") ||
        (token.kind === "start" && token.name === "img"),
    );
    if (!shows) {
      yield {
        place: content.place(0),
        message: "the HTML body shows nothing",
        fix: "write a text, or leave the file empty to leave the account's text alone",
      };
    }
  },
};

const missingPlain: EmailRule = {
  of: "email",
  name: "missing-plain-text",
  severity: "warning",
  description: "An HTML body comes with a plain text: for readers who see no HTML, and for spam filters.",
  *check(email) {
    for (const place of email.about.empty) {
      if (!place.file.endsWith("/body.txt") || !email.text("content")) continue;
      yield {
        place,
        message: `${email.type} has an HTML body, but its plain text is empty`,
        fix: "write one, or delete the file to have it derived from the HTML",
      };
    }
  },
};

const outOfStep: EmailRule = {
  of: "email",
  name: "plain-text-out-of-step",
  severity: "warning",
  description: "The plain text has the links and the variables of the HTML body, and no others.",
  *check(email) {
    const [html, plain] = [email.text("content"), email.text("contentPlain")];
    if (!html || !plain || email.about.plainIsDerived) return;
    const lacks = (what: string) => ({
      place: plain.place(0),
      message: `the plain text lacks ${what}, which the HTML body has`,
      fix: "add it to the plain text, or delete the file to have it derived from the HTML",
    });
    const alone = (what: string, start: number, length: number) => ({
      place: plain.place(start, start + length),
      message: `the HTML body lacks ${what}, which the plain text has`,
      fix: "add it to the HTML body, or take it out here",
    });

    // What stands in attributes and is no address, such as a title, has no place in a plain text.
    const read = email.variables("content").filter(({ where, name }) => where === "text" || name.endsWith(" url"));
    const inHtml = new Set(read.map(({ name }) => name).filter(isKnownVariable));
    const inPlain = email.variables("contentPlain").filter(({ name }) => isKnownVariable(name));
    for (const name of inHtml) if (!inPlain.some((variable) => variable.name === name)) yield lacks(`{${name}}`);
    for (const { name, start, end } of inPlain) if (!inHtml.has(name)) yield alone(`{${name}}`, start, end - start);

    const followed = linksOf(email).filter(
      ({ isFollowed, address }) => isFollowed && /^(https?|mailto|tel):/i.test(address),
    );
    const addresses = new Map(followed.map(({ address }) => [bare(address), address]));
    for (const [short, address] of addresses) {
      if (!plain.text.includes(short) && !plain.text.includes(decoded(short))) yield lacks(`the link ${address}`);
    }
    for (const match of plain.text.matchAll(/\bhttps?:\/\/[^\s<>"'\])]+/gi)) {
      const address = match[0].replace(/[.,;:!?]+$/, "");
      if (addresses.has(bare(address)) || html.text.includes(address)) continue;
      yield alone(`the link ${address}`, match.index, address.length);
    }
  },
};

/** An address without what texts leave out. */
const bare = (address: string) => address.replace(/^(mailto|tel):/i, "").replace(/\/$/, "");
function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

const byteOrderMark: EmailRule = {
  of: "email",
  name: "byte-order-mark",
  severity: "warning",
  description: "A text does not begin with a byte order mark: some editors write one, and it goes out with the mail.",
  *check(email) {
    for (const [field, text] of email.written) {
      const at = text.text.indexOf("\ufeff");
      if (at < 0) continue;
      yield {
        place: text.place(at, at + 1),
        message: `${fieldNames[field]} holds a byte order mark, which nobody sees in an editor`,
        fix: 'save the file as "UTF-8 without BOM"',
      };
    }
  },
};

export const textRules = [emptySubject, subjectLineBreak, emptyBody, missingPlain, outOfStep, byteOrderMark];
