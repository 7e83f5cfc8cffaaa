import { EMAIL_FILES } from "../../../definitions/branding-email";
import { lintRule } from "../../rule";

export const missingPlainText = lintRule({
  name: "missing-plain-text",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Add a plain-text body, for readers without HTML and for spam filters.",
  *check({ texts: email }) {
    for (const place of email.context.empty) {
      if (!place.file.endsWith(`/${EMAIL_FILES.contentPlain}`) || !email.text("content")) continue;
      yield {
        place,
        message: `${email.type} has an HTML body, but an empty plain text`,
        fix: "write one, or delete the file to derive it from the HTML",
      };
    }
  },
});
