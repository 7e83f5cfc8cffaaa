/** All rules, in reading order. Each is a file of its name. */
import type { Rule } from "../rule";
import { brandContrast } from "./branding/brand-contrast";
import { logoAddress } from "./branding/logo-address";
import { brokenHtml } from "./html/broken-html";
import { externalStyle } from "./html/external-style";
import { imageAlt } from "./html/image-alt";
import { largeHtml } from "./html/large-html";
import { nestedDocument } from "./html/nested-document";
import { script } from "./html/script";
import { unsupportedElement } from "./html/unsupported-element";
import { deadLink } from "./links/dead-link";
import { embeddedImage } from "./links/embedded-image";
import { emptyLink } from "./links/empty-link";
import { insecureLink } from "./links/insecure-link";
import { relativeLink } from "./links/relative-link";
import { approvedWording } from "./policies/approved-wording";
import { httpsOnly } from "./policies/https-only";
import { linkVariable } from "./policies/link-variable";
import { noAllWebhook } from "./policies/no-all-webhook";
import { noPlaintextKey } from "./policies/no-plaintext-key";
import { protectCompanies } from "./policies/protect-companies";
import { byteOrderMark } from "./texts/byte-order-mark";
import { controlCharacter } from "./texts/control-character";
import { emptyBody } from "./texts/empty-body";
import { emptySubject } from "./texts/empty-subject";
import { encodedSubject } from "./texts/encoded-subject";
import { htmlInText } from "./texts/html-in-text";
import { missingPlainText } from "./texts/missing-plain-text";
import { mojibake } from "./texts/mojibake";
import { plainTextMismatch } from "./texts/plain-text-mismatch";
import { subjectLineBreak } from "./texts/subject-line-break";
import { advisedVariable } from "./variables/advised-variable";
import { missingVariable } from "./variables/missing-variable";
import { unknownVariable } from "./variables/unknown-variable";
import { variableInAttribute } from "./variables/variable-in-attribute";
import { variableTypo } from "./variables/variable-typo";

export const ruleDefinitions = [
  variableTypo,
  unknownVariable,
  missingVariable,
  advisedVariable,
  variableInAttribute,
  script,
  externalStyle,
  unsupportedElement,
  imageAlt,
  largeHtml,
  brokenHtml,
  insecureLink,
  relativeLink,
  embeddedImage,
  deadLink,
  emptyLink,
  logoAddress,
  brandContrast,
  emptySubject,
  subjectLineBreak,
  emptyBody,
  missingPlainText,
  plainTextMismatch,
  byteOrderMark,
  htmlInText,
  encodedSubject,
  mojibake,
  controlCharacter,
  nestedDocument,
  httpsOnly,
  noAllWebhook,
  protectCompanies,
  linkVariable,
  approvedWording,
  noPlaintextKey,
];

/** The same without the types of their own configurations. */
export const rules: readonly Rule[] = ruleDefinitions;
/** The rules that `esign lint` always checks. */
export const lintRules = rules.filter(({ isPolicy }) => !isPolicy);
export const policies = rules.filter(({ isPolicy }) => isPolicy);
