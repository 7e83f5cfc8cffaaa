import { missingIn } from "../../checks/missing-variables";
import type { EmailTexts } from "../../email-texts";
import { lintRule, type Violation } from "../../rule";

/** What most mail clients show of what a reader must see, and Outlook does not. */
function* hiddenByOutlook(email: EmailTexts): Iterable<Violation> {
  const content = email.text("content");
  if (!content) return;
  const { most, outlook } = email.body.shownVariables;
  for (const { anyOf, reason, mustBeShown } of email.context.required.content ?? []) {
    const name = anyOf.find((one) => most.has(one));
    if (!mustBeShown || name === undefined || anyOf.some((one) => outlook.has(one))) continue;
    const { start, end } = email.variables("content").find((one) => one.name === name && one.isShown)!;
    yield {
      place: content.place(start, end),
      message: `Outlook does not show {${name}}; ${reason} it`,
      fix: `show {${name}} in Outlook as well: outside of <!--[if !mso]><!-->, in an element without mso-hide, or in <!--[if mso]>`,
    };
  }
}

export const advisedVariable = lintRule({
  name: "advised-variable",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description:
    "Keep the variables without which a type is of little use, such as the password, and show links in Outlook, too. The API may require them.",
  *check({ texts: email }) {
    yield* missingIn(email, email.context.required, "warning");
    yield* hiddenByOutlook(email);
  },
});
