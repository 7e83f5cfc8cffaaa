/** All policy rules, in reading order. */
import type { PolicyRule } from "../rule";
import { approvedWording } from "./approved-wording";
import { httpsOnly } from "./https-only";
import { linkVariable } from "./link-variable";
import { noAllWebhook } from "./no-all-webhook";
import { noPlaintextKey } from "./no-plaintext-key";
import { protectCompanies } from "./protect-companies";

export const ruleDefinitions = [
  httpsOnly,
  noAllWebhook,
  protectCompanies,
  linkVariable,
  approvedWording,
  noPlaintextKey,
] as const;

/** The same without the types of their own configurations. */
export const rules: readonly PolicyRule[] = ruleDefinitions;
