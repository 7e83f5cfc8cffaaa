/** What rules check in a folder: what it declares, and the configuration of its project's stacks. */
import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { isMap, isNode, isScalar, isSeq, parseDocument } from "yaml";
import type { LoadedAccount, LoadedCompany, LoadedEmail } from "../../account-folder/folder/fill-folder";
import { SourceFile, type SourceLocation } from "../../account-folder/placeholders/source-map";
import type { EmailText } from "../../definitions/branding-email";
import { kinds, sectionKinds } from "../../definitions/index";
import { settingPath } from "../../definitions/kind";
import { soleFields } from "../../definitions/model";
import { textsOfEmail } from "../email-texts";
import { requiredVariables, type VariablesByType } from "../required-variables";
import type { Subject } from "../rule";
import type { ConfigurationSubject } from "../stack-configuration";

/** A subject, and where its fields are. */
export interface Located {
  subject: Subject;
  placeOf: (field: string) => SourceLocation;
}

interface Context {
  stack: string | undefined;
  /** Variables that email templates must keep, by type. */
  requiredByFolder: VariablesByType;
  /** The account's current email templates. */
  present: Readonly<Record<string, EmailText>> | undefined;
}

/** What an account declares, without its subaccounts. */
export function* subjectsOf({ folder, model, emails }: LoadedAccount, context: Context): Iterable<Located> {
  const { stack, requiredByFolder, present } = context;
  for (const kind of sectionKinds)
    for (const item of kind.items(model)) {
      const name = item.name ?? kind.storage.section;
      yield {
        subject: { kind: kind.kind, name, args: kind.toInputs(item), stack },
        placeOf: (field) => folder.file.place(settingPath(kind, item.name, field)),
      };
    }
  const { colour } = soleFields(model, "Branding");
  for (const email of emails) {
    const required = requiredVariables(email.type, requiredByFolder, present?.[email.type]);
    const texts = textsOfEmail(email, { required, ...(colour !== undefined && { colour }) });
    yield {
      subject: { kind: "BrandingEmail", name: email.type, args: argsOf(email), stack, texts },
      placeOf: (field) => email[field as "content"]?.place(0) ?? email.place,
    };
  }
}

/** A subaccount as the account around it declares it. */
export function companySubject(company: LoadedCompany, stack: string | undefined): Located {
  const { slug, file } = company.folder.company!;
  const args = { ...kinds.Company.toInputs(company.company), ...file.content };
  return { subject: { kind: "Company", name: slug, args, stack }, placeOf: (field) => file.keyPlace([field]) };
}

/** The texts whose placeholders all have values. */
function argsOf(email: LoadedEmail): Record<string, unknown> {
  const args: Record<string, unknown> = { type: email.type };
  for (const field of ["subject", "content", "contentPlain"] as const) {
    const text = email[field];
    if (text !== undefined && !text.hasUnresolved(0, text.text.length)) args[field] = text.text;
  }
  return args;
}

/** The place of a setting of a stack is its line; its value is never shown. @param root the folder that places are relative to */
export function configurationSubject(subject: ConfigurationSubject, root: string): Located {
  const source = new SourceFile(relative(root, subject.file).split(sep).join("/"), readFileSync(subject.file, "utf8"));
  return {
    subject,
    placeOf: (field) => placeOfSetting(source, field),
  };
}

/** The place of a setting, or of a value in its object or list: `shop:keys[0].token`. */
function placeOfSetting(source: SourceFile, field: string): SourceLocation {
  const config = parseDocument(source.text).get("config");
  const pairs = isMap(config) ? config.items : [];
  const pairOf = (setting: string) =>
    pairs.find(({ key }) => isScalar(key) && [setting, setting.replace(":", ":config:")].includes(String(key.value)));
  const rangeOf = (node: unknown) => (isNode(node) ? node.range : undefined);
  const whole = rangeOf(pairOf(field)?.key);
  if (whole) return source.place(whole[0], whole[1]);
  const [setting = "", ...path] = field.split(/[.[\]]+/).filter((name) => name !== "");
  const steps = path.map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  const value = pairOf(setting)?.value;
  const [found] = [steps, ["value", ...steps], ["default", ...steps]].flatMap((at) =>
    isMap(value) || isSeq(value) ? (value.getIn(at, true) ?? []) : [],
  );
  return source.place(rangeOf(found)?.[0] ?? 0);
}
