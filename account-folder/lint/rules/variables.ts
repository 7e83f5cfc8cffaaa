/** Rules for the API's variables. */
import { brandingEmailVariables } from "../../../sdk";
import { isAddressAttribute } from "../../text/html/addresses";
import { isKnownVariable, nearVariable, variableNames } from "../../text/variables";
import { type EmailRule, fieldNames } from "./types";

const allNames = brandingEmailVariables.map((name) => `{${name}}`).join(", ");

const variableTypo: EmailRule = {
  scope: "email",
  name: "variable-typo",
  severity: "error",
  description: "Write variables exactly as the API names them. An unknown name is sent to the reader unchanged.",
  *check(email) {
    for (const [field, text] of email.written) {
      for (const { name, flaw, start, end } of email.variables(field)) {
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
};

const unknownVariable: EmailRule = {
  scope: "email",
  name: "unknown-variable",
  severity: "error",
  description: "Use only variables that the API knows.",
  *check(email) {
    for (const [field, text] of email.written) {
      for (const { name, start, end } of email.variables(field)) {
        if (isKnownVariable(name) || nearVariable(name) !== undefined) continue;
        yield {
          place: text.place(start, end),
          message: `unknown variable {${name}}`,
          fix: `use one of ${allNames}`,
        };
      }
    }
  },
};

export const missingVariable: EmailRule = {
  scope: "email",
  name: "missing-variable",
  severity: "error",
  description: "Keep required variables. The API rejects an update without them.",
  *check(email) {
    for (const field of ["content", "contentPlain"] as const) {
      const text = email.text(field);
      if (!text) continue;
      const names = variableNames(text.text);
      for (const { name, reason } of email.context.required[field] ?? []) {
        if (names.has(name)) continue;
        yield {
          place: text.place(0),
          message: `${fieldNames[field]} of ${email.type} is missing {${name}}, which ${reason}`,
          fix: `add {${name}}`,
        };
      }
    }
  },
};

const variableInAttribute: EmailRule = {
  scope: "email",
  name: "variable-in-attribute",
  severity: "warning",
  description:
    "In attributes, use only URL variables, alone and in quotes. Others may contain a quote that ends the attribute.",
  *check(email) {
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
};

export const variableRules = [variableTypo, unknownVariable, missingVariable, variableInAttribute];
