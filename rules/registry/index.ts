/** All rules, in reading order. */
import type { Rule } from "../rule";
import { approvedWording } from "./approved-wording";
import { brandContrast } from "./brand-contrast";
import { htmlRules } from "./html";
import { httpsOnly } from "./https-only";
import { linkVariable } from "./link-variable";
import { linkRules } from "./links";
import { writtenTextRules } from "./markup-and-encoding";
import { noAllWebhook } from "./no-all-webhook";
import { noPlaintextKey } from "./no-plaintext-key";
import { protectCompanies } from "./protect-companies";
import { textRules } from "./subjects-and-bodies";
import { variableRules } from "./variables";

export const ruleDefinitions = [
  ...variableRules,
  ...htmlRules,
  ...linkRules,
  brandContrast,
  ...textRules,
  ...writtenTextRules,
  ...[httpsOnly, noAllWebhook, protectCompanies, linkVariable, approvedWording, noPlaintextKey],
];

/** The same without the types of their own configurations. */
export const rules: readonly Rule[] = ruleDefinitions;
/** The rules that `esign lint` always checks. */
export const lintRules = rules.filter(({ isPolicy }) => !isPolicy);
export const policies = rules.filter(({ isPolicy }) => isPolicy);
