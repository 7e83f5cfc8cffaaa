/** Checks an account's folder by all rules. */

import { type Finding, sortFindings } from "../../account-folder/finding";
import type { LoadedAccount } from "../../account-folder/folder/fill-folder";
import type { LoadedFolder } from "../../account-folder/folder/load-folder";
import { emailTexts } from "../../definitions/branding-email";
import { companyName } from "../../definitions/company";
import type { AccountModel } from "../../definitions/model";
import { isSameName } from "../../definitions/text/normalize";
import { rules } from "../registry";
import { checkSubject } from "../rule";
import { type ConfiguredRule, withDefaults } from "../rule-configuration";
import type { ConfigurationSubject } from "../stack-configuration";
import { limitFindings } from "./limit-findings";
import { checkDisabledRules, checkTemplateTypes, type DisabledRules, isDisabled } from "./lint-settings";
import { companySubject, configurationSubject, type Located, subjectsOf } from "./subjects";

export interface LintOptions {
  /** The account's current configuration: new texts must keep the variables of its texts. */
  present?: AccountModel;
  /** Accept variables that this version does not know (default: false). */
  allowUnknownValues?: boolean;
  /** The policies, and the rules that their configuration names. These are checked everywhere: `lint: off:` does not disable them. */
  policies?: readonly ConfiguredRule[];
  /** The stack whose values the folder was loaded with. */
  stack?: string | undefined;
  /** Of the stacks of the folder's project. */
  configurations?: readonly ConfigurationSubject[];
}

/** The findings of reading a folder and of all rules, subaccounts included, without disabled rules. */
export function lintFolder(loaded: LoadedFolder, options: LintOptions = {}): Finding[] {
  const { policies = [], configurations = [] } = options;
  const located = configurations.map((each) => configurationSubject(each, loaded.root));
  return sortFindings([
    ...loaded.findings,
    ...checkSubjects(policies, located),
    ...lintAccount(loaded.account, options),
  ]);
}

/** The findings of all rules for an account and its subaccounts. */
export const lintAccount = (account: LoadedAccount, options: LintOptions = {}): Finding[] =>
  lintWithin(account, options, { path: "", off: options.allowUnknownValues ? { "unknown-variable": true } : {} });

/** @param outer what disables rules: the options, and the accounts around this one */
function lintWithin(account: LoadedAccount, options: LintOptions, ...outer: DisabledRules[]): Finding[] {
  const { present, allowUnknownValues, policies = [], stack } = options;
  const { folder, companies } = account;
  const { requiredVariables = {}, off = {} } = folder.file.content?.lint ?? {};
  const disabled = [...outer, { path: folder.path, off }];
  const isEnforced = (name: string) => policies.some(({ rule }) => rule.name === name);
  const located = [
    ...subjectsOf(account, { stack, requiredByFolder: requiredVariables, present: present && emailTexts(present) }),
    ...companies.map((company) => companySubject(company, stack)),
  ];
  const findings = checkSubjects(rulesWith(policies), located).filter(
    (finding) => isEnforced(finding.rule) || !disabled.some((each) => isDisabled(finding, each)),
  );
  return [
    ...withoutRepetitions(findings),
    ...checkDisabledRules(account, Object.keys(off)),
    ...(allowUnknownValues ? [] : checkTemplateTypes(account, Object.keys(requiredVariables))),
    ...companies.flatMap((company) => {
      const own = present?.Company?.find((each) =>
        isSameName(companyName(each), companyName(company.company)),
      )?.account;
      const { present: _, ...rest } = options;
      return lintWithin(company, { ...rest, ...(own && { present: own }) }, ...disabled);
    }),
  ];
}

/** All rules of lint, and these policies. */
const rulesWith = (policies: readonly ConfiguredRule[]): ConfiguredRule[] =>
  rules.flatMap((rule) => {
    const policy = policies.find((each) => each.rule === rule);
    return policy ?? (rule.isPolicy ? [] : withDefaults(rule));
  });

/** What two rules say in the same words of the same place is one finding, that of the first. */
function withoutRepetitions(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ file, line, column, message }: Finding) => `${file}\0${line}\0${column}\0${message}`;
  const firstRules = new Map<string, string>();
  for (const finding of findings) if (!firstRules.has(keyOf(finding))) firstRules.set(keyOf(finding), finding.rule);
  return findings.filter((finding) => firstRules.get(keyOf(finding)) === finding.rule);
}

/** The findings of rules, in the order of the rules. */
export function checkSubjects(configured: readonly ConfiguredRule[], located: readonly Located[]): Finding[] {
  return configured.flatMap(({ rule, severity, config }) =>
    severity === "off"
      ? []
      : located.flatMap(({ subject, placeOf }) => {
          const violations = [...checkSubject(rule, subject, config)];
          return limitFindings(
            violations.map(({ field, place = placeOf(field!), message, fix }) => ({
              ...{ ...place, rule: rule.name, severity },
              ...{ message, fix },
            })),
          );
        }),
  );
}
