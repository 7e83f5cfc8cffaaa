/** A folder as one side of a comparison: its values filled in for one environment, or left open. */
import { isSameName } from "./canonical";
import type { FieldPlace, Side } from "./compare";
import { type LoadedAccount, type LoadedFolder, loadAccount, loadFolder, type Values } from "./load";
import { type CompanyChoice, withCompanies } from "./read";
import { learnValues } from "./recognise";
import { SourceFile } from "./source";
import type { Part, Template } from "./template";

export interface FolderSideOptions {
  label: string;
  /** Values of the environment; without them the folder stands for every environment. */
  values?: Values;
  /** Name of the environment that the values are for. */
  environment?: string;
  /** Values of the environment that it is compared with. A text fits when they give it; without them, any values do. */
  otherValues?: Values;
  /** Which sub accounts it is about (all). */
  companies?: CompanyChoice;
}

/** A side that still knows its files. */
export interface FolderSide extends Side {
  loaded: LoadedFolder;
  /** The template of a text, if the folder has the text. That of a derived plain text has no file to edit. */
  templateOf: (place: FieldPlace) => Template | undefined;
}

/**
 * Loads a folder. Throws when it has errors: comparing half a folder would say that the rest is gone. Types that this version
 * does not know are none here: whether they may be deployed is a question of its own, which the other side's may raise as well.
 */
export function folderSide(root: string, options: FolderSideOptions): FolderSide {
  const { label, values, environment, otherValues = {}, companies = "all" } = options;
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
  const open = loadAccount(loaded.folder, {});
  const templateOf = (place: FieldPlace) => templateIn(open, place);
  return {
    label,
    model: withCompanies(loaded.account.model, companies),
    complete: false,
    ...(environment !== undefined && { environment }),
    ...(values === undefined && { anyEnvironment: true }),
    fits: (place, text) => {
      const template = templateOf(place);
      const learnt = template && learnValues(template, text, kindOf(place.field));
      return (
        learnt !== undefined && Object.entries(learnt).every(([name, value]) => (otherValues[name] ?? value) === value)
      );
    },
    loaded,
    templateOf,
  };
}

/** What a field's text is: in HTML, values are written with entities. */
export const kindOf = (field: string): "text" | "html" => (field === "content" ? "html" : "text");

function templateIn(root: LoadedAccount, place: FieldPlace): Template | undefined {
  const owner = place.kind === "Company" ? place.name : place.company;
  const account = owner === undefined ? root : root.companies.find(({ company }) => isSameName(company.name, owner));
  if (!account) return undefined;
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
