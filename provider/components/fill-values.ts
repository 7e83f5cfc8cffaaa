/** Texts of a folder with their values filled in: at once when all are known, else as outputs. */
import * as pulumi from "@pulumi/pulumi";
import type { LoadedEmail, Values } from "../../account-folder/folder/load";
import type { EmailFiles } from "../../account-folder/folder/read";
import type { Template } from "../../account-folder/template/template";

/** Loaded by those programs only that have a folder. */
const loading = (): typeof import("../../account-folder/folder/load") => require("../../account-folder/folder/load");
const filling = (): typeof import("../../account-folder/template/template") =>
  require("../../account-folder/template/template");

/** Values by their names; what is not known yet is an output. */
export type FolderValues = Record<string, pulumi.Input<string>>;

/** The texts of an e-mail; one that needs an output is an output, the others are not. */
export function emailTexts(files: EmailFiles, values: FolderValues) {
  const { subject, content, contentPlain, hasPlainFile } = files;
  // Texts that need the same values are made together: the HTML is worked through once for both bodies.
  const made = new Map<string, LoadedEmail>();
  const text = (field: "subject" | "content" | "contentPlain") => (known: Values) => {
    const key = JSON.stringify(known);
    const email = made.get(key) ?? loading().fillEmail(files, known);
    made.set(key, email);
    return email[field]!.text;
  };
  const plainSource = contentPlain ?? (hasPlainFile ? undefined : content);
  return {
    ...(subject && { subject: fill([subject], values, text("subject")) }),
    ...(content && { content: fill([content], values, text("content")) }),
    ...(plainSource && { contentPlain: fill([plainSource], values, text("contentPlain")) }),
  };
}

export const fillTemplate = (template: Template, values: Values) => filling().fillTemplate(template, { values }).text;

/** Makes something of the values that some templates name: at once when all are known, else as an output. */
export function fill(
  templates: readonly Template[],
  values: FolderValues,
  make: (known: Values) => string,
): pulumi.Input<string> {
  const names = new Set(
    templates.flatMap((template) =>
      filling()
        .placeholdersIn(template)
        .map((value) => value.name),
    ),
  );
  const used = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  if (Object.values(used).every((value) => typeof value === "string")) return make(used as Values);
  return pulumi.all(used).apply((known) => make(asTexts(known)));
}

/** Values as texts. "undefined" or "[object Object]" would stand in e-mails to clients. */
export const asTexts = (values: object): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (isSet(value) && typeof value !== "object") return [name, String(value)];
      const what = isSet(value) ? "is no text" : "is an output that turned out to be empty";
      throw new pulumi.RunError(`what is given for \${${name}} in an account's folder ${what}`);
    }),
  );

export const isSet = (value: unknown) => value !== undefined && value !== null;
