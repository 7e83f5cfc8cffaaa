/** A folder as one side of a comparison: its values filled in for one environment, or left open. */

import { type LoadedAccount, type LoadedFolder, loadAccount, loadFolder, type Values } from "../folder/load";
import { SourceFile } from "../template/source-map";
import { fillTemplate, type Part, type Template } from "../template/template";
import { htmlToText } from "../text/html-to-text";
import { isSame } from "./compare-fields";
import type { ConfigSource, FieldPlace } from "./comparison";
import { accountIn, kindOf, knownValues } from "./infer-values";
import { matchTemplate, writeValue } from "./match-template";

export interface FolderSourceOptions {
  label: string;
  /** Values of the environment; without them the folder stands for every environment. */
  values?: Values;
  /** Name of the environment that the values are for. */
  environment?: string;
  /** Values of the environment that it is compared with. A text fits when they give it; without them, any values do. */
  otherValues?: Values;
}

/** A side that still knows its files. */
export interface FolderSource extends ConfigSource {
  loaded: LoadedFolder;
  ownValues: (company?: string) => Values;
  /** What the names of its values stand for in the texts of another side, or in one of them, as far as that is known or can be learnt. */
  inferValues: (other: ConfigSource, company?: string, text?: string) => Values;
  /** The template of a text, if the folder has the text. That of a derived plain text has no file to edit. */
  templateOf: (place: FieldPlace) => Template | undefined;
}

/**
 * Loads a folder. Throws when it has errors: comparing half a folder would say that the rest is gone. Types that this version
 * does not know are none here: whether they may be deployed is a question of its own, which the other side's may raise as well.
 */
export function folderSource(root: string, options: FolderSourceOptions): FolderSource {
  const { label, values, environment } = options;
  const loaded = loadFolder(root, {
    ...(values && { values }),
    requireValues: values !== undefined,
    allowUnknownValues: true,
  });
  // A value that this folder does not use may be another's: a stack's configuration holds more than one folder's.
  const errors = loaded.findings.filter((finding) => finding.severity === "error" && finding.rule !== "unused-value");
  if (errors.length > 0) {
    const lines = errors.map((e) => `  ${root}/${e.file}:${e.line}:${e.column} ${e.message}; ${e.fix}`);
    throw new Error(`${label} has errors:\n${lines.join("\n")}`);
  }
  const open = loadAccount(loaded.folder, undefined);
  // A sub account's name may hold values: it is found by the name that it has with them.
  const templateOf = (place: FieldPlace) => {
    const slug = accountIn(loaded.account, ownerOf(place))?.folder.company?.slug;
    const account = slug === undefined ? open : open.companies.find(({ company }) => company.slug === slug)!;
    return ownerOf(place) === undefined || slug !== undefined ? templateIn(account, place) : undefined;
  };
  const known = knownValues(loaded, { ...options, templateOf });
  return {
    label,
    model: loaded.account.model,
    isAuthoritative: false,
    ...(environment !== undefined && { environment }),
    ...(values === undefined && { isUnresolved: true }),
    matchesTemplate: (place, text, other) => {
      const template = templateOf(place);
      if (template === undefined) return false;
      const given = known.given(other, ownerOf(place));
      const kind = kindOf(place.field);
      const filledIn = (one: Template, kind: "text" | "html") =>
        fillTemplate(one, { values: given, write: writeValue(kind) }).text;
      const html = template.source.path === "" ? templateOf({ ...place, field: "content" }) : undefined;
      const filled = html ? htmlToText(filledIn(html, "html")) : filledIn(template, kind);
      if (isSame(place.field, filled, text)) return true;
      const learnt = matchTemplate(template, text, kind);
      if (learnt && Object.entries(learnt).every(([name, value]) => (given[name] ?? value) === value)) return true;
      return matchTemplate(template, text, kind, given) !== undefined;
    },
    ownValues: known.at,
    inferValues: known.of,
    loaded,
    templateOf,
  };
}

const ownerOf = (place: FieldPlace) => (place.kind === "Company" ? place.name : place.company);

function templateIn(account: LoadedAccount, place: FieldPlace): Template | undefined {
  const { folder } = account;
  switch (place.kind) {
    case "Branding":
      return folder.branding[place.field as keyof typeof folder.branding];
    case "BrandingEmail": {
      const email = account.emails.find(({ type }) => type === place.name);
      if (place.field === "contentPlain" && email?.plainIsDerived) return derivedTemplate(email.contentPlain!.text);
      return folder.emails.find(({ type }) => type === place.name)?.[place.field as "subject"];
    }
    case "Webhook":
      return folder.webhooks.find(({ name }) => name === place.name)?.[place.field as "url"];
    case "Company":
      return folder.company?.texts[place.field as "name"];
  }
}

/** A plain text that was derived from HTML whose values are open: where the HTML has a value, it has `‹name›`. */
function derivedTemplate(text: string): Template {
  const source = new SourceFile("", text);
  const parts = text.split(/‹([A-Za-z][\w.-]*)›/).map((piece, index): Part => {
    const stretch = { source, offset: 0, length: piece.length };
    return index % 2 ? { ...stretch, kind: "value", name: piece } : { ...stretch, kind: "literal", text: piece };
  });
  return { source, parts: parts.filter((part) => part.length > 0) };
}
