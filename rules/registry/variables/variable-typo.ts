import { outside } from "../../../account-folder/text/variable-lookalikes";
import { isKnownVariable, nearVariable } from "../../../account-folder/text/variables";
import { displayed } from "../../checks/displayed";
import { lintRule } from "../../rule";

export const variableTypo = lintRule({
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
