/** Checks e-mails and settings against the rules, before anybody receives them. */
import { brandingEmailTypes } from "../../sdk";
import { didYouMean } from "../../sdk/text/did-you-mean";
import type { Finding } from "../finding";
import { sortFindings } from "../finding";
import type { LoadedAccount, LoadedEmail, LoadedFolder } from "../folder/load";
import type { AccountModel, EmailText } from "../model";
import { SourcedText, SourceFile } from "../template/source-map";
import { isSameName } from "../text/normalize";
import { variableNames } from "../text/variables";
import { colourRules } from "./rules/colour";
import { htmlRules } from "./rules/html";
import { linkRules } from "./rules/links";
import { textRules } from "./rules/texts";
import { type Field, type Issue, LintedEmail, type RequiredVariable, type Rule } from "./rules/types";
import { variableRules } from "./rules/variables";

export type { Rule } from "./rules/types";

/** All rules. Several values of one name are one rule that looks at several things. */
export const rules: readonly Rule[] = [...variableRules, ...htmlRules, ...linkRules, ...colourRules, ...textRules];

/** Variables that an e-mail must keep, by its type. */
export type RequiredVariables = Readonly<Record<string, readonly string[]>>;

export interface LintOptions {
  /** The account as it is: what its texts have, new texts must keep. */
  present?: AccountModel;
  /** A table of required variables, beside that of account.yaml. */
  required?: RequiredVariables;
  /** Let variables through that this version does not know (false). */
  allowUnknownValues?: boolean;
}

/** What reading a folder found, and what the rules say of it, its sub accounts included; without what is switched off. */
export function lintFolder(loaded: LoadedFolder, options: LintOptions = {}): Finding[] {
  return sortFindings([...loaded.findings, ...lintAccount(loaded.account, options)]);
}

/** Rules that are switched off, by a folder that is named by its path. */
interface Off {
  path: string;
  off: Record<string, true | string[]>;
}

/** What the rules say of an account and of its sub accounts, for which holds what is switched off above them, too. */
export function lintAccount(account: LoadedAccount, options: LintOptions = {}, above: readonly Off[] = []): Finding[] {
  const { folder, model } = account;
  const { requiredVariables = {}, off = {} } = folder.settings.settings?.lint ?? {};
  const offs = [...above, { path: folder.path, off }, { path: "", off: allowed(options) }];
  const required = [options.required ?? {}, requiredVariables];
  const findings = account.emails.flatMap((email) =>
    lintEmail(subjectOf(email, model.branding.colour, requiredOf(email.type, required, options.present))),
  );
  const { colour } = model.branding;
  if (colour !== undefined) {
    const subject = { colour, colourPlace: folder.settings.place(["branding", "colour"]) };
    for (const rule of rules) if (rule.of === "account") findings.push(...report(rule, rule.check(subject)));
  }
  return [
    ...findings.filter((finding) => !offs.some((each) => isOff(finding, each))),
    ...unknownRules(account, Object.keys(off)),
    ...(options.allowUnknownValues ? [] : unknownTypes(account, Object.keys(requiredVariables))),
    ...account.companies.flatMap((company) => {
      const present = options.present?.companies?.find(({ name }) => isSameName(name, company.company.name))?.account;
      const { present: _, ...rest } = options;
      return lintAccount(company, { ...rest, ...(present && { present }) }, offs);
    }),
  ];
}

/** What the rules say of the texts of one e-mail that came from no file; `file` of a finding is the text's name. */
export function lintTexts(type: string, texts: EmailText, options: LintOptions & { colour?: string } = {}): Finding[] {
  const sourced = Object.fromEntries(
    Object.entries(texts)
      .filter(([, text]) => text !== undefined && text !== "")
      .map(([field, text]) => [field, SourcedText.of(new SourceFile(field, text))]),
  );
  const email = { type, place: new SourceFile(type, "").place(0), empty: [], plainIsDerived: false, ...sourced };
  return sortFindings(
    lintEmail(subjectOf(email, options.colour, requiredOf(type, [options.required ?? {}], options.present))),
  );
}

function lintEmail(subject: LintedEmail): Finding[] {
  return rules.flatMap((rule) => (rule.of === "email" ? report(rule, rule.check(subject)) : []));
}

function report(rule: Rule, problems: Iterable<Issue>): Finding[] {
  return [...problems].map(({ place, message, fix }) => ({
    ...place,
    rule: rule.name,
    severity: rule.severity,
    message,
    fix,
  }));
}

function subjectOf(
  email: LoadedEmail,
  colour: string | undefined,
  required: { [k in Field]?: RequiredVariable[] },
): LintedEmail {
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
): { [k in Field]?: RequiredVariable[] } {
  const listed = tables
    .flatMap((table) => table[type] ?? [])
    .map((name) => ({ name: name.replace(/^\{(.*)\}$/, "$1"), reason: "is listed as required" }));
  const had = (field: Field): RequiredVariable[] =>
    [...variableNames(present?.emails[type]?.[field] ?? "")].map((name) => ({
      name,
      reason: "the account's present text has",
    }));
  const unique = (variables: RequiredVariable[]) => [...new Map(variables.map((v) => [v.name, v])).values()];
  return {
    content: unique([...listed, ...had("content")]),
    contentPlain: unique([...listed, ...had("contentPlain")]),
  };
}

/** The rule that the setting allowUnknownValues switches off. */
const allowed = ({ allowUnknownValues }: LintOptions): Record<string, true> =>
  allowUnknownValues ? { "unknown-variable": true } : {};

/** Files are written in account.yaml as they lie beside it. */
function isOff(finding: Finding, { path, off }: Off): boolean {
  const where = off[finding.rule];
  if (where === undefined || where === true) return where === true;
  const file = path === "" ? finding.file : finding.file.replace(`${path}/`, "");
  return where.some((entry) => file === entry || file.startsWith(`${entry.replace(/\/+$/, "")}/`));
}

/** Names in a setting that nobody knows: a rule that is none, or a list for an e-mail that there is not, would do nothing. */
function unknownNames(
  { folder }: LoadedAccount,
  setting: "off" | "requiredVariables",
  names: readonly string[],
  known: readonly string[],
  words: { message: (name: string) => string; fix: string },
): Finding[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({
      ...folder.settings.keyPlace(["lint", setting, name]),
      rule: "settings",
      severity: "error",
      message: `${words.message(`"${name}"`)}${didYouMean(name, known)}`,
      fix: words.fix,
    }));
}

function unknownRules(account: LoadedAccount, names: readonly string[]): Finding[] {
  const known = [...new Set(rules.map((rule) => rule.name))];
  return unknownNames(account, "off", names, known, {
    message: (name) => `there is no rule ${name}`,
    fix: `the rules are ${known.join(", ")}`,
  });
}

function unknownTypes(account: LoadedAccount, types: readonly string[]): Finding[] {
  return unknownNames(account, "requiredVariables", types, brandingEmailTypes, {
    message: (name) => `${name} is no type of e-mail`,
    fix: `the types are ${brandingEmailTypes.join(", ")}; the setting allowUnknownValues lets others through`,
  });
}
