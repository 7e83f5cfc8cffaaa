import { isAddressAttribute } from "../../../account-folder/text/html/addresses";
import { isKnownVariable } from "../../../account-folder/text/variables";
import { lintRule } from "../../rule";

export const variableInAttribute = lintRule({
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
