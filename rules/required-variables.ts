/** Which variables an email template must contain, and why: what its type needs, what is listed, what the account's text has. */
import type { Severity } from "../account-folder/finding";
import { variableNames } from "../account-folder/text/variables";
import type { EmailText } from "../definitions/branding-email";
import { neededVariables } from "../sdk/email-variables";

/** A variable that an email template must contain, and why. */
export interface RequiredVariable {
  /** One of them is enough. */
  anyOf: readonly string[];
  /** "requires", "the account's current text contains": what follows the variable in a message. */
  reason: string;
  /** Whether a reader must see it. If not, the API alone looks for it, also in comments. */
  mustBeShown?: boolean;
  /** `warning`: it is advised only. Default: error. */
  severity?: Severity;
}

export type RequiredByField = Readonly<{ [field in keyof EmailText]?: readonly RequiredVariable[] }>;

/** Variables by the type of the email template, as a folder requires them. */
export type VariablesByType = Readonly<Record<string, readonly string[]>>;

/** @param present the account's texts, whose variables new ones must keep */
export function requiredVariables(
  type: string,
  byFolder: VariablesByType = {},
  present: EmailText | undefined = {},
): RequiredByField {
  const names = Object.hasOwn(byFolder, type) ? byFolder[type]! : [];
  const fromList = names.map(
    (name): RequiredVariable => ({
      anyOf: [name.replace(/^\{(.*)\}$/, "$1")],
      reason: "is listed as required",
    }),
  );
  const needed = neededVariables(type).map(
    ({ anyOf, severity }): RequiredVariable => ({
      ...{ anyOf, severity, mustBeShown: true },
      reason: severity === "error" ? "the API requires" : `${type} needs`,
    }),
  );
  const current = (field: keyof EmailText): RequiredVariable[] =>
    [...variableNames(present[field] ?? "")].map((name) => ({
      anyOf: [name],
      reason: "the account's current text contains",
    }));
  // What the reader must see is required most.
  const unique = (variables: RequiredVariable[]) =>
    [...new Map(variables.toReversed().map((each) => [each.anyOf.join(), each])).values()].toReversed();
  const isError = ({ severity }: RequiredVariable) => severity === "error";
  const of = (field: keyof EmailText) =>
    unique([...needed.filter(isError), ...fromList, ...current(field), ...needed.filter((each) => !isError(each))]);
  return { content: of("content"), contentPlain: of("contentPlain") };
}
