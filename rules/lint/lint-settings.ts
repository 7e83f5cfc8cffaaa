/** What `lint:` in account.yaml says: disabled rules, required variables, policies; and what is wrong with it. */
import type { Finding } from "../../account-folder/finding";
import type { LoadedAccount } from "../../account-folder/folder/fill-folder";
import type { LoadedFolder } from "../../account-folder/folder/load-folder";
import type { SourceLocation } from "../../account-folder/placeholders/source-map";
import { brandingEmailTypes } from "../../sdk";
import { emailType } from "../../sdk/enum-schemas";
import { didYouMean } from "../../sdk/text/did-you-mean";
import { lintRules, policies } from "../registry";
import { type ConfiguredRule, configureRules } from "../rule-configuration";

/** The rules that an account's folder disables: everywhere, or in some of its files. */
export interface DisabledRules {
  /** Path of the account's folder. */
  path: string;
  off: Record<string, true | string[]>;
}

/** Paths in account.yaml are relative to its own folder. */
export function isDisabled(finding: Finding, { path, off }: DisabledRules): boolean {
  const where = off[finding.rule];
  if (where === undefined || where === true) return where === true;
  const file = path === "" ? finding.file : finding.file.replace(`${path}/`, "");
  return where.some((entry) => file === entry || file.startsWith(`${entry.replace(/\/+$/, "")}/`));
}

/** Finds names in `off` that have no effect: of rules that do not exist, and of policies, which their own configuration disables. */
export function checkDisabledRules({ folder }: LoadedAccount, names: readonly string[]): Finding[] {
  const ruleNames = lintRules.map((rule) => rule.name);
  return names
    .filter((name) => !ruleNames.includes(name))
    .map((name) => {
      const place = folder.file.keyPlace(["lint", "off", name]);
      if (policies.some((rule) => rule.name === name))
        return settingsError(
          place,
          `"${name}" is a policy, which lint: off: does not disable`,
          "disable it, or list what may violate it under its except, where policies are configured",
        );
      return settingsError(
        place,
        `unknown rule "${name}"${didYouMean(name, ruleNames)}`,
        `rules: ${ruleNames.join(", ")}`,
      );
    });
}

/** Finds email template types in `requiredVariables` that do not exist. */
export function checkTemplateTypes({ folder }: LoadedAccount, types: readonly string[]): Finding[] {
  const allTypes: readonly string[] = brandingEmailTypes;
  return types
    .filter((type) => !emailType.safeParse(type).success)
    .map((type) =>
      settingsError(
        folder.file.keyPlace(["lint", "requiredVariables", type]),
        `unknown email template type "${type}"${didYouMean(type, allTypes)}`,
        `types: ${allTypes.join(", ")}; set esign:allowUnknownValues to use others`,
      ),
    );
}

/** Where a folder configures its policies. */
const policiesPath = ["lint", "policies"];

/** The policies as a folder configures them, none without it; and what is wrong there. */
export function policiesOfFolder({ account }: LoadedFolder): { rules: ConfiguredRule[]; findings: Finding[] } {
  const { file } = account.folder;
  const elsewhere = account.companies.flatMap(({ folder }) =>
    folder.file.content?.lint?.policies === undefined
      ? []
      : [
          settingsError(
            folder.file.keyPlace(policiesPath),
            "policies are for the whole folder",
            "move them into the account.yaml beside companies/",
          ),
        ],
  );
  const config = file.content?.lint?.policies;
  if (config === undefined) return { rules: [], findings: elsewhere };
  const { rules, issues } = configureRules(config);
  const findings = issues.map(({ path, message, fix }) => {
    const at = [...policiesPath, ...path];
    return settingsError(file.keyPlace(at), `"${at.join(".")}": ${message}`, fix);
  });
  return { rules, findings: [...elsewhere, ...findings] };
}

const settingsError = (place: SourceLocation, message: string, fix: string): Finding => ({
  ...place,
  rule: "settings",
  severity: "error",
  message,
  fix,
});
