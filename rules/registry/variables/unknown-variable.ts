import { outside } from "../../../account-folder/text/variable-lookalikes";
import { isKnownVariable, nearVariable } from "../../../account-folder/text/variables";
import { brandingEmailVariables } from "../../../sdk/email-variables";
import { displayed } from "../../checks/displayed";
import { lintRule } from "../../rule";

const allNames = brandingEmailVariables.map((name) => `{${name}}`).join(", ");

export const unknownVariable = lintRule({
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
