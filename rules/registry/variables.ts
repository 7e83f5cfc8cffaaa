/** Rules for the API's variables. */

import { isAddressAttribute } from "../../account-folder/text/html/addresses";
import { outside } from "../../account-folder/text/variable-lookalikes";
import { isKnownVariable, nearVariable, variableNames } from "../../account-folder/text/variables";
import { brandingEmailVariables } from "../../sdk/email-variables";
import { type EmailTexts, fieldNames } from "../email-texts";
import type { RequiredByField, RequiredVariable } from "../required-variables";
import { lintRule, type Violation } from "../rule";

const allNames = brandingEmailVariables.map((name) => `{${name}}`).join(", ");

/** In one line, and not longer than one. */
const displayed = (written: string) => {
  const line = written.replace(/\s+/g, " ");
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
};

const variableTypo = lintRule({
  name: "variable-typo",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Write variables exactly as the API names them. An unknown name is sent to the reader unchanged.",
  *check({ texts: email }) {
    for (const [field, text] of email.written) {
      const others = email.lookalikes(field);
      for (const { written, near, flaw, start, end } of others) {
        if (near === undefined) continue;
        yield {
          place: text.place(start, end),
          message: `${displayed(written)} is not replaced by the API: ${flaw}`,
          fix: `did you mean {${near}}?`,
        };
      }
      for (const { name, flaw, start, end } of email.variables(field).filter(outside(others))) {
        const near = isKnownVariable(name) ? flaw && name : nearVariable(name);
        if (near === undefined) continue;
        yield {
          place: text.place(start, end),
          message: `unknown variable {${name}}${flaw === undefined ? "" : `; it contains ${flaw}`}`,
          fix: `did you mean {${near}}?`,
        };
      }
    }
  },
});

const unknownVariable = lintRule({
  name: "unknown-variable",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description:
    "Use only variables that this version knows. The API may know others; what it does not know is sent unchanged.",
  *check({ texts: email }) {
    for (const [field, text] of email.written) {
      const others = email.lookalikes(field);
      for (const { written, near, flaw, start, end } of others) {
        if (near !== undefined) continue;
        yield {
          place: text.place(start, end),
          message: `${displayed(written)} is not replaced by the API: ${flaw}`,
          fix: `write the text itself, or use one of ${allNames}`,
        };
      }
      for (const { name, start, end } of email.variables(field).filter(outside(others))) {
        if (isKnownVariable(name) || nearVariable(name) !== undefined) continue;
        yield {
          place: text.place(start, end),
          message: `unknown variable {${name}}`,
          fix: `use one of ${allNames}`,
        };
      }
    }
  },
});

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
      const name = isDerived ? "the plain text that is derived from the HTML body" : fieldNames[field];
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

const missingVariable = lintRule({
  name: "missing-variable",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Keep required variables. The API rejects an update without them.",
  check: ({ texts: email }) => missingIn(email, email.context.required, "error"),
});

const advisedVariable = lintRule({
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

const variableInAttribute = lintRule({
  name: "variable-in-attribute",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description:
    "In attributes, use only URL variables, alone and in quotes. Others may contain a quote that ends the attribute.",
  *check({ texts: email }) {
    for (const { name, flaw, attribute, element, start, end } of email.variables("content")) {
      if (!element || flaw !== undefined || !isKnownVariable(name)) continue;
      const place = email.place({ start, end });
      if (!attribute) {
        const message = `{${name}} is in the tag <${element}> itself, not in an attribute`;
        yield { place, message, fix: "move it into the text, or into a quoted attribute value" };
        continue;
      }
      const isUrl = name.endsWith(" url");
      const where = `${attribute.name} of <${element}>`;
      if (!isUrl) {
        yield {
          place,
          message: `{${name}} is in ${where}: a name or title that contains a quote breaks the element`,
          fix: "move it into the text",
        };
      } else if (!isAddressAttribute(attribute.name)) {
        yield { place, message: `{${name}} is a URL, but ${where} does not take one`, fix: "move it into href" };
      } else if (attribute.quote === "") {
        yield {
          place,
          message: `{${name}} is in ${where} without quotes, so the value ends at its space`,
          fix: `write ${attribute.name}="{${name}}"`,
        };
      } else if (attribute.value.trim() !== `{${name}}`) {
        yield {
          place,
          message: `{${name}} is a complete URL, but ${where} contains more`,
          fix: `write ${attribute.name}="{${name}}"`,
        };
      }
    }
  },
});

export const variableRules = [variableTypo, unknownVariable, missingVariable, advisedVariable, variableInAttribute];
