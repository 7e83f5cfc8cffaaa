/**
 * The variables of email templates, by edition and type: one table for lint, plan, policies, the emulator, editors and the
 * reference. No package is imported: the types of programs have it.
 */
import type { Edition } from "./edition";
import { brandingEmailTypes, unspecifiedEmailTypes } from "./known-values";

/** Variables that the specification lacks and the current edition of the service has. */
export const unspecifiedEmailVariables = ["company logo", "party message"] as const;

/** Variables that a subject or content may contain in curly brackets. */
export const brandingEmailVariables = [
  "company name",
  "contract title",
  "client name",
  "user name",
  "contract url",
  "acknowledge url",
  "contract password",
  "contract intro",
  "widget verify url",
  ...unspecifiedEmailVariables,
] as const;
export type BrandingEmailVariable = (typeof brandingEmailVariables)[number];

/** What each variable becomes. */
export const variableMeanings: Readonly<Record<BrandingEmailVariable, string>> = {
  "company name": "the company's name in the settings",
  "contract title": "the envelope's title",
  "client name": "the name of the party who gets the email",
  "user name": "the name of the user who sends the envelope",
  "contract url": "the address at which the party reads and signs",
  "acknowledge url": "the address that confirms a notice; older texts have it",
  "contract password": "the envelope's password; in the two types with a password",
  "contract intro": "the message to the party; older texts have it",
  "widget verify url": "the address that confirms the signer of a widget; older texts have it",
  "company logo": "the logo of the branding",
  "party message": "the message to the party",
};

/** A variable that both bodies of an email template need. */
export interface NeededVariable {
  /** One of them is enough. */
  anyOf: readonly BrandingEmailVariable[];
  /** `error`: the API refuses a body without it, as far as it is documented. `warning`: it may, or the email is of no use. */
  severity: "error" | "warning";
}

const link = (severity: NeededVariable["severity"]): NeededVariable => ({ anyOf: ["contract url"], severity });
const password: NeededVariable = { anyOf: ["contract password"], severity: "warning" };

const needed: Readonly<Record<(typeof brandingEmailTypes)[number], readonly NeededVariable[]>> = {
  "email-cancelled": [],
  "email-rejected": [],
  "email-reminder": [link("error")],
  "email-reminder-password": [link("error"), password],
  "email-send": [link("error")],
  "email-send-password": [link("error"), password],
  "email-signed": [link("warning")],
  "email-widget-verify": [{ anyOf: ["contract url", "widget verify url"], severity: "warning" }],
};

/** The variables that a type needs; none for an unknown type. The documents have one list for all types: this is its safe reading. */
export const neededVariables = (type: string): readonly NeededVariable[] =>
  Object.hasOwn(needed, type) ? needed[type as (typeof brandingEmailTypes)[number]] : [];

/** The types of email template of an edition. */
export const emailTypesOf = (edition: Edition): readonly (typeof brandingEmailTypes)[number][] =>
  brandingEmailTypes.filter((type) => edition === "current" || !includes(unspecifiedEmailTypes, type));

/** The variables of an edition. */
export const emailVariablesOf = (edition: Edition): readonly BrandingEmailVariable[] =>
  brandingEmailVariables.filter((name) => edition === "current" || !includes(unspecifiedEmailVariables, name));

/** The needs of a type that a text does not meet. @param has - the names of the variables in the text */
export const unmetNeeds = (type: string, has: ReadonlySet<string>): NeededVariable[] =>
  neededVariables(type).filter(({ anyOf }) => !anyOf.some((name) => has.has(name)));

const includes = (values: readonly string[], value: string): boolean => values.includes(value);
