import { matchesIn } from "../../checks/matches-in";
import { fieldLabels } from "../../email-texts";
import { lintRule } from "../../rule";

const TAGS =
  "a|b|body|br|center|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|s|span|strong|style|table|tbody|td|tr|u|ul";

const ENTITY =
  "&(?:#\\d{1,7}|#x[\\da-f]{1,6}|amp|apos|bull|copy|euro|[gl]t|hellip|laquo|[lr][ds]quo|mdash|middot|nbsp|ndash|pound|quot|raquo|reg|rsquo|shy|trade|[aeiou](?:acute|circ|grave|uml)|szlig|ccedil|ntilde);";

const MARKUP = new RegExp(`${ENTITY}|</?(?:${TAGS})(?:\\s[^<>]{0,200})?/?>|<!doctype[^<>]{0,200}>`, "gi");

export const htmlInText = lintRule({
  name: "html-in-text",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Write subjects and plain texts without HTML: readers see tags and entities as they are.",
  check: ({ texts: email }) =>
    matchesIn(email, ["subject", "contentPlain"], MARKUP, (written, field) => ({
      message: `${fieldLabels[field]} has the HTML ${written.slice(0, 40)}, which readers see as it is`,
      fix: written.startsWith("&") ? "write the character itself" : "remove the tag",
    })),
});
