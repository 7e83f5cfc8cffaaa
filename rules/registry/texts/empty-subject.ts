import { EMAIL_FILES } from "../../../definitions/branding-email";
import { lintRule } from "../../rule";

export const emptySubject = lintRule({
  name: "empty-subject",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Write a subject.",
  *check({ texts: email }) {
    const fix = "write one, or delete the file to leave the account's subject unchanged";
    for (const place of email.context.empty) {
      if (place.file.endsWith(`/${EMAIL_FILES.subject}`)) yield { place, message: "the subject is empty", fix };
    }
    const subject = email.text("subject");
    if (subject && subject.text.trim() === "") yield { place: subject.place(0), message: "the subject is empty", fix };
  },
});
