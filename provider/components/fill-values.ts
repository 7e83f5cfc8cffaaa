/** Placeholder texts of a folder with their values filled in: at once if all are known, else as outputs. */
import type { EmailFiles } from "../../account-folder/folder/account-folder";
import type { LoadedEmail, Values } from "../../account-folder/folder/fill-folder";
import type { PlaceholderText } from "../../account-folder/placeholders/placeholder-text";
import type { Later, Surroundings } from "./declarer";

/** Loaded only by programs that have a folder. */
const folders = (): typeof import("../../account-folder/folder/fill-folder") =>
  require("../../account-folder/folder/fill-folder");
const filling = (): typeof import("../../account-folder/placeholders/placeholder-text") =>
  require("../../account-folder/placeholders/placeholder-text");

/** Values by name; one that is not known yet is an output. */
export type FolderValues = Record<string, Later>;

/** What is needed to fill in outputs. */
type Filling = Pick<Surroundings, "combine" | "fail">;

/** The parts of an email template; one that needs an output is an output, the others are not. */
export function fillEmail(files: EmailFiles, values: FolderValues, surroundings: Filling) {
  const { subject, content, contentPlain, hasPlainFile } = files;
  // Parts that need the same values are filled together: the HTML is parsed once for both bodies.
  const made = new Map<string, LoadedEmail>();
  const text = (field: "subject" | "content" | "contentPlain") => (strings: Values) => {
    const key = JSON.stringify(strings);
    const email = made.get(key) ?? folders().fillEmail(files, strings);
    made.set(key, email);
    return email[field]!.text;
  };
  const plainSource = contentPlain ?? (hasPlainFile ? undefined : content);
  return {
    ...(subject && { subject: fill([subject], values, text("subject"), surroundings) }),
    ...(content && { content: fill([content], values, text("content"), surroundings) }),
    ...(plainSource && { contentPlain: fill([plainSource], values, text("contentPlain"), surroundings) }),
  };
}

export const fillPlaceholders = (unfilled: PlaceholderText, values: Values) =>
  filling().fillPlaceholders(unfilled, { values }).text;

/** Computes something from the values that placeholder texts need: at once if all are known, else as an output. */
export function fill(
  texts: readonly PlaceholderText[],
  values: FolderValues,
  make: (strings: Values) => string,
  { combine, fail }: Filling,
): Later {
  const names = new Set(
    texts.flatMap((unfilled) =>
      filling()
        .placeholdersIn(unfilled)
        .map((value) => value.name),
    ),
  );
  const used = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  if (Object.values(used).every((value) => typeof value === "string")) return make(used as Values);
  return combine(used, (resolved) => make(asStrings(resolved, fail)));
}

/** Values as strings: "undefined" or "[object Object]" would be sent to clients. */
export const asStrings = (values: object, fail: Surroundings["fail"]): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (isSet(value) && typeof value !== "object") return [name, String(value)];
      const problem = isSet(value) ? "is not a string" : "is an output without a value";
      return fail("ESIGN1061", "account folder", `the value of \${${name}} ${problem}`);
    }),
  );

export const isSet = (value: unknown) => value !== undefined && value !== null;
