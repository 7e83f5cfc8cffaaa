/** The findings for texts without files. */
import { type Finding, sortFindings } from "../../account-folder/finding";
import { SourceFile } from "../../account-folder/placeholders/source-map";
import { type EmailText, emailTexts } from "../../definitions/branding-email";
import type { AccountModel } from "../../definitions/model";
import { textsWithoutFiles } from "../../rules/email-texts";
import { checkSubjects } from "../../rules/lint/lint-folder";
import { lintRules } from "../../rules/registry";
import { requiredVariables, type VariablesByType } from "../../rules/required-variables";
import { withDefaults } from "../../rules/rule-configuration";

export interface TextOptions {
  colour?: string;
  present?: AccountModel;
  required?: VariablesByType;
}

const rules = lintRules.map((rule) => withDefaults(rule));

/** What `esign lint` reports of an email template; `file` of a finding is the field's name. */
export function lintTexts(type: string, texts: EmailText, options: TextOptions = {}): Finding[] {
  const { colour, present, required: listed } = options;
  const required = requiredVariables(type, listed, present && emailTexts(present)[type]);
  const subject = {
    ...{ kind: "BrandingEmail" as const, name: type, args: { type, ...texts } },
    texts: textsWithoutFiles(type, texts, { required, ...(colour !== undefined && { colour }) }),
  };
  return sortFindings(checkSubjects(rules, [{ subject, placeOf: (field) => new SourceFile(field, "").place(0) }]));
}
