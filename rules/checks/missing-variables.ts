/** Which variables an email lacks that it must have, or shows to no reader. */
import { variableNames } from "../../account-folder/text/variables";
import { type EmailTexts, fieldLabels } from "../email-texts";
import type { RequiredByField, RequiredVariable } from "../required-variables";
import type { Violation } from "../rule";

/**
 * What an email does not have of what it must have, by severity.
 * @internal
 */
export function* missingIn(
  email: EmailTexts,
  requiredByField: RequiredByField,
  severity: NonNullable<RequiredVariable["severity"]>,
): Iterable<Violation> {
  const reported = new Set<string>();
  for (const field of ["content", "contentPlain"] as const) {
    const text = email.text(field);
    if (!text) continue;
    const anywhere = variableNames(text.text);
    const { most: shown, outlook } =
      field === "content" ? email.body.shownVariables : { most: anywhere, outlook: anywhere };
    for (const required of requiredByField[field] ?? []) {
      const { anyOf, reason, mustBeShown, severity: own = "error" } = required;
      if (own !== severity || reported.has(anyOf.join())) continue;
      if (anyOf.some((name) => (mustBeShown ? shown : anywhere).has(name))) continue;
      // A derived plain text lacks what the HTML lacks.
      if (field === "content" && email.context.plainIsDerived) reported.add(anyOf.join());
      const names = anyOf.map((name) => `{${name}}`).join(" or ");
      const hidden = anyOf.find((name) => anywhere.has(name));
      const isDerived = field === "contentPlain" && email.context.plainIsDerived;
      const name = isDerived ? "the plain text that is derived from the HTML body" : fieldLabels[field];
      const at = hidden === undefined ? 0 : text.text.indexOf(`{${hidden}}`);
      yield {
        place: hidden === undefined ? text.beginning : text.place(at, at + hidden.length + 2),
        message:
          hidden === undefined
            ? `${name} of ${email.type} is missing ${names}, which ${reason}`
            : `${name} of ${email.type} has {${hidden}} only where ${outlook.has(hidden) ? "Outlook alone shows" : "no reader sees"} it; ${reason} it`,
        fix:
          hidden === undefined
            ? `add ${names}`
            : `show {${hidden}}, or link to it: not in a comment, nor in a hidden element`,
      };
    }
  }
}
