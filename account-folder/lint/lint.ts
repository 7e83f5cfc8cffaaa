/** Checks email templates and settings against the rules. */
import { brandingEmailTypes } from "../../sdk";
import { neededVariables } from "../../sdk/email-variables";
import { emailType } from "../../sdk/enums";
import { didYouMean } from "../../sdk/text/did-you-mean";
import type { Finding } from "../finding";
import { sortFindings } from "../finding";
import type { LoadedAccount, LoadedEmail, LoadedFolder } from "../folder/load";
import type { AccountModel, EmailText } from "../model";
import { SourcedText, SourceFile, type SourceLocation } from "../template/source-map";
import { isSameName } from "../text/normalize";
import { variableNames } from "../text/variables";
import { colourRules } from "./rules/colour";
import { htmlRules } from "./rules/html";
import { type EmailRule, type Field, type Issue, LintedEmail, type RequiredVariable, type Rule } from "./rules/rule";
import { textRules } from "./rules/texts";
import { linkRules } from "./rules/urls";
import { variableRules } from "./rules/variables";
import { writtenTextRules } from "./rules/written-texts";

export type { Rule } from "./rules/rule";

/** All rules. Two entries with one name are one rule that checks both emails and settings. */
export const rules: readonly Rule[] = [
  ...variableRules,
  ...htmlRules,
  ...linkRules,
  ...colourRules,
  ...textRules,
  ...writtenTextRules,
];

/** The variables that an email template must keep, by its type. */
export type RequiredVariables = Readonly<Record<string, readonly string[]>>;

type RequiredByField = { [k in Field]?: readonly RequiredVariable[] };

export interface LintOptions {
  /** The account's current configuration: new texts must keep the variables of its texts. */
  present?: AccountModel;
  /** More required variables, besides those of account.yaml. */
  required?: RequiredVariables;
  /** Accept variables that this version does not know (default: false). */
  allowUnknownValues?: boolean;
}

/** The findings of reading a folder and of all rules, subaccounts included, without disabled rules. */
export function lintFolder(loaded: LoadedFolder, options: LintOptions = {}): Finding[] {
  return sortFindings([...loaded.findings, ...lintAccount(loaded.account, options)]);
}

/** The rules that an account's folder disables: everywhere, or in some of its files. */
interface DisabledRules {
  /** Path of the account's folder. */
  path: string;
  off: Record<string, true | string[]>;
}

/**
 * The findings of all rules for an account and its subaccounts.
 * @param inherited - what the accounts above disable
 */
export function lintAccount(
  account: LoadedAccount,
  options: LintOptions = {},
  inherited: readonly DisabledRules[] = [],
): Finding[] {
  const { folder, model } = account;
  const { requiredVariables = {}, off = {} } = folder.settings.settings?.lint ?? {};
  const disabled = [...inherited, { path: folder.path, off }, { path: "", off: disabledByOptions(options) }];
  const required = [options.required ?? {}, requiredVariables];
  const findings = account.emails.flatMap((email) =>
    lintEmail(subjectOf(email, model.branding.colour, requiredOf(email.type, required, options.present))),
  );
  const placeOf = (field: string) => folder.settings.place(["branding", field]);
  const subject = { ...model.branding, colourPlace: placeOf("colour"), logoPlace: placeOf("logoUrl") };
  for (const rule of rules) if (rule.scope === "account") findings.push(...toFindings(rule, rule.check(subject)));
  return [
    ...findings.filter((finding) => !disabled.some((each) => isDisabled(finding, each))),
    ...checkRuleNames(account, Object.keys(off)),
    ...(options.allowUnknownValues ? [] : checkTemplateTypes(account, Object.keys(requiredVariables))),
    ...account.companies.flatMap((company) => {
      const present = options.present?.companies?.find(({ name }) => isSameName(name, company.company.name))?.account;
      const { present: _, ...rest } = options;
      return lintAccount(company, { ...rest, ...(present && { present }) }, disabled);
    }),
  ];
}

/** The findings for the texts of one email template without files; `file` of a finding is the field's name. */
export function lintTexts(type: string, texts: EmailText, options: LintOptions & { colour?: string } = {}): Finding[] {
  const required = requiredOf(type, [options.required ?? {}], options.present);
  return sortFindings(lintEmail(subjectOf(emailOfTexts(type, texts), options.colour, required)));
}

/** An email template of texts without files: each text is in a file that has the field's name. */
export function emailOfTexts(type: string, texts: EmailText): LoadedEmail {
  const sourced = Object.fromEntries(
    Object.entries(texts)
      .filter(([, text]) => text !== undefined && text !== "")
      .map(([field, text]) => [field, SourcedText.of(new SourceFile(field, text))]),
  );
  return { type, place: new SourceFile(type, "").place(0), empty: [], plainIsDerived: false, ...sourced };
}

/** The issues that one rule finds in an email template. */
export function checkEmail(rule: EmailRule, email: LoadedEmail, required: RequiredByField = {}): Iterable<Issue> {
  return rule.check(subjectOf(email, undefined, required));
}

function lintEmail(subject: LintedEmail): Finding[] {
  return rules.flatMap((rule) => (rule.scope === "email" ? toFindings(rule, rule.check(subject)) : []));
}

/** Findings of one rule in one file that are listed; the rest are counted. */
export const MOST_FINDINGS = 50;

function toFindings({ name: rule, severity }: Rule, issues: Iterable<Issue>): Finding[] {
  const findings: Finding[] = [];
  const counts = new Map<string, number>();
  const rest = new Map<string, { place: SourceLocation; fix: string; count: number }>();
  for (const { place, message, fix } of issues) {
    const count = (counts.get(place.file) ?? 0) + 1;
    counts.set(place.file, count);
    if (count <= MOST_FINDINGS) findings.push({ ...place, rule, severity, message, fix });
    else rest.set(place.file, { place: rest.get(place.file)?.place ?? place, fix, count: count - MOST_FINDINGS });
  }
  for (const { place, fix, count } of rest.values()) {
    const message = `${count} more of this rule in this file, from here on`;
    findings.push({ ...place, rule, severity, message, fix });
  }
  return findings;
}

function subjectOf(email: LoadedEmail, colour: string | undefined, required: RequiredByField): LintedEmail {
  const { type, subject, content, contentPlain, place, empty, plainIsDerived } = email;
  return new LintedEmail(
    type,
    { ...(subject && { subject }), ...(content && { content }), ...(contentPlain && { contentPlain }) },
    { place, empty, plainIsDerived, required, ...(colour !== undefined && { colour }) },
  );
}

function requiredOf(
  type: string,
  tables: readonly RequiredVariables[],
  present: AccountModel | undefined,
): RequiredByField {
  const listed = tables
    .flatMap((table) => (Object.hasOwn(table, type) ? table[type]! : []))
    .map((name): RequiredVariable => ({ anyOf: [name.replace(/^\{(.*)\}$/, "$1")], reason: "is listed as required" }));
  const needed = neededVariables(type).map(
    ({ anyOf, severity }): RequiredVariable => ({
      ...{ anyOf, severity, mustBeShown: true },
      reason: severity === "error" ? "the API requires" : `${type} needs`,
    }),
  );
  const current = (field: Field): RequiredVariable[] =>
    [...variableNames(present?.emails[type]?.[field] ?? "")].map((name) => ({
      anyOf: [name],
      reason: "the account's current text contains",
    }));
  // What the reader must see is required most.
  const unique = (variables: RequiredVariable[]) =>
    [...new Map(variables.toReversed().map((each) => [each.anyOf.join(), each])).values()].toReversed();
  const isError = ({ severity }: RequiredVariable) => severity === "error";
  const of = (field: Field) =>
    unique([...needed.filter(isError), ...listed, ...current(field), ...needed.filter((each) => !isError(each))]);
  return { content: of("content"), contentPlain: of("contentPlain") };
}

/** The rule that the setting allowUnknownValues disables. */
const disabledByOptions = ({ allowUnknownValues }: LintOptions): Record<string, true> =>
  allowUnknownValues ? { "unknown-variable": true } : {};

/** Paths in account.yaml are relative to its own folder. */
function isDisabled(finding: Finding, { path, off }: DisabledRules): boolean {
  const where = off[finding.rule];
  if (where === undefined || where === true) return where === true;
  const file = path === "" ? finding.file : finding.file.replace(`${path}/`, "");
  return where.some((entry) => file === entry || file.startsWith(`${entry.replace(/\/+$/, "")}/`));
}

/** Rules that once had another name. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["misspelt-variable", "variable-typo"],
  ["plain-text-out-of-step", "plain-text-mismatch"],
]);

/** Finds rules in account.yaml that do not exist: they would have no effect. */
function checkRuleNames({ folder }: LoadedAccount, names: readonly string[]): Finding[] {
  const ruleNames = [...new Set(rules.map((rule) => rule.name))];
  return names
    .filter((name) => !ruleNames.includes(name))
    .map((name) => {
      const place = folder.settings.keyPlace(["lint", "off", name]);
      const renamed = RENAMED.get(name);
      if (renamed !== undefined)
        return settingsError(place, `the rule "${name}" is now called "${renamed}"`, `write ${renamed}`);
      return settingsError(
        place,
        `unknown rule "${name}"${didYouMean(name, ruleNames)}`,
        `rules: ${ruleNames.join(", ")}`,
      );
    });
}

/** Finds email template types in account.yaml that do not exist. */
function checkTemplateTypes({ folder }: LoadedAccount, types: readonly string[]): Finding[] {
  const allTypes: readonly string[] = brandingEmailTypes;
  return types
    .filter((type) => !emailType.safeParse(type).success)
    .map((type) =>
      settingsError(
        folder.settings.keyPlace(["lint", "requiredVariables", type]),
        `unknown email template type "${type}"${didYouMean(type, allTypes)}`,
        `types: ${allTypes.join(", ")}; set allowUnknownValues to use others`,
      ),
    );
}

/** A finding about what `lint:` in account.yaml says. */
export const settingsError = (place: SourceLocation, message: string, fix: string): Finding => ({
  ...place,
  rule: "settings",
  severity: "error",
  message,
  fix,
});
