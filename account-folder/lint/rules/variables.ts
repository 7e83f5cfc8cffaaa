/** Rules on the service's variables. */

import { brandingEmailVariables } from "../../../sdk";
import { isKnownVariable, nearVariable, variableNames } from "../../text/variables";
import { type EmailRule, fieldNames } from "./types";

const allNames = brandingEmailVariables.map((name) => `{${name}}`).join(", ");

const misspelt: EmailRule = {
  of: "email",
  name: "misspelt-variable",
  severity: "error",
  description: "A variable is written exactly as the service knows it; any other goes out to the signer as it stands.",
  *check(email) {
    for (const [field, text] of email.written) {
      for (const { name, start, end } of email.variables(field)) {
        const near = isKnownVariable(name) ? undefined : nearVariable(name);
        if (near === undefined) continue;
        const nbsp = /&nbsp;|&#160;|&#xa0;|\u00a0/i.test(name) ? "; it holds a non-breaking space" : "";
        yield {
          place: text.place(start, end),
          message: `the service does not know "{${name}}"${nbsp}`,
          fix: `did you mean {${near}}?`,
        };
      }
    }
  },
};

const unknown: EmailRule = {
  of: "email",
  name: "unknown-variable",
  severity: "error",
  description: "What looks like a variable is one of those that the service knows.",
  *check(email) {
    for (const [field, text] of email.written) {
      for (const { name, start, end } of email.variables(field)) {
        if (isKnownVariable(name) || nearVariable(name) !== undefined) continue;
        yield {
          place: text.place(start, end),
          message: `the service is not known to fill "{${name}}" in`,
          fix: `use one of ${allNames}`,
        };
      }
    }
  },
};

const missing: EmailRule = {
  of: "email",
  name: "missing-variable",
  severity: "error",
  description: "An e-mail keeps its required variables: the service refuses an update that lacks one.",
  *check(email) {
    for (const field of ["content", "contentPlain"] as const) {
      const text = email.text(field);
      if (!text) continue;
      const names = variableNames(text.text);
      for (const { name, reason } of email.about.required[field] ?? []) {
        if (names.has(name)) continue;
        yield {
          place: text.place(0),
          message: `${fieldNames[field]} of ${email.type} lacks {${name}}, which ${reason}`,
          fix: `write {${name}} where the reader needs it`,
        };
      }
    }
  },
};

/** Attributes that hold an address. */
const ADDRESS = new Set(["href", "src", "action", "background", "cite", "longdesc"]);

const inAttribute: EmailRule = {
  of: "email",
  name: "variable-in-attribute",
  severity: "warning",
  description:
    "In an attribute stands only a variable that is an address, alone and in quotes: others may hold quotes that end the attribute.",
  *check(email) {
    for (const { name, attribute, element, start, end } of email.variables("content")) {
      if (!element || !isKnownVariable(name)) continue;
      const place = email.place({ start, end });
      if (!attribute) {
        const message = `{${name}} stands in the tag <${element}> itself, not in one of its attributes`;
        yield { place, message, fix: "write it in the text, or in quotes as an attribute's value" };
        continue;
      }
      const isAddress = name.endsWith(" url");
      const where = `${attribute.name} of <${element}>`;
      if (!isAddress) {
        yield {
          place,
          message: `{${name}} stands in ${where}: a name or title with a quote in it breaks the element`,
          fix: "write it in the text instead",
        };
      } else if (!ADDRESS.has(attribute.name)) {
        yield { place, message: `{${name}} is an address, but ${where} holds none`, fix: "write it in href" };
      } else if (attribute.quote === "") {
        yield {
          place,
          message: `{${name}} stands in ${where} without quotes: it has a space in it, so the value ends early`,
          fix: `write ${attribute.name}="{${name}}"`,
        };
      } else if (attribute.value.trim() !== `{${name}}`) {
        yield {
          place,
          message: `{${name}} is a whole address, but ${where} holds more than it`,
          fix: `write ${attribute.name}="{${name}}"`,
        };
      }
    }
  },
};

export const variableRules = [misspelt, unknown, missing, inAttribute];
