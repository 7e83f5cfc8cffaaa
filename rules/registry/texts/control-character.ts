import { matchesIn } from "../../checks/matches-in";
import { fieldLabels } from "../../email-texts";
import { lintRule } from "../../rule";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export const controlCharacter = lintRule({
  name: "control-character",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Remove control characters. Mail clients show them as boxes, or end the text there.",
  check: ({ texts: email }) =>
    matchesIn(email, ["subject", "content", "contentPlain"], CONTROL, (written, field) => ({
      message: `${fieldLabels[field]} has the control character U+${written.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}, which editors do not show`,
      fix: "remove it",
    })),
});
