/** Writes account.yaml: the sections of an account. */
import { Document, Scalar } from "yaml";
import { fieldNames } from "../../definitions/field";
import { sectionKinds } from "../../definitions/index";
import { isOnePerAccount, type KindDefinition } from "../../definitions/kind";
import type { AccountModel, Fields } from "../../definitions/model";
import { assignNames } from "./new-names";
import { skipDuplicates } from "./skip-duplicates";

/** Writes a text into a file, for instance with placeholders for an environment's values. */
export type WriteText = (text: string, kind: "text" | "html") => string;

/** The sections of account.yaml; empty when there are none. */
export function accountYaml(account: AccountModel, write: WriteText): { yaml: string; notes: string[] } {
  const notes: string[] = [];
  const content: Record<string, unknown> = {};
  for (const kind of sectionKinds) {
    const isOne = isOnePerAccount(kind);
    const all = kind.items(account);
    const kept = isOne ? { items: all, notes: [] } : skipDuplicates(kind, all);
    notes.push(...kept.notes);
    const written = (isOne ? all : assignNames(kind, kept.items))
      .map(({ name, fields }) => [name, writeFields(kind, fields, write)] as const)
      .filter(([, fields]) => Object.keys(fields).length > 0);
    if (written.length > 0) content[kind.storage.section] = isOne ? written[0]![1] : Object.fromEntries(written);
  }
  const yaml = Object.keys(content).length > 0 ? new Document(content).toString({ lineWidth: 0 }) : "";
  return { yaml, notes };
}

function writeFields(kind: KindDefinition, values: Fields, write: WriteText): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const field of fieldNames(kind, values)) {
    const value = values[field];
    if (value === undefined) continue;
    const text = write(value, "text");
    const [name, inner] = field.split(".") as [string, string?];
    const content = kind.fields[field]?.isQuoted ? quoted(text) : typedSetting(kind, field, text);
    written[name] = inner === undefined ? content : { ...(written[name] as object), [inner]: content };
  }
  return written;
}

/** What a settings file has for a text: a boolean or a number where the field is one. */
export function typedSetting(kind: KindDefinition, field: string, text: string): string | number | boolean {
  if (Object.hasOwn(kind.fields, field) && !kind.fields[field]!.isTyped) return text;
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && String(Number(text)) === text && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** A text in quotes: without them, a later edit could turn a `#` into the start of a comment. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}
