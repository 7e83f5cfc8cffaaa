import { lintRule } from "../../rule";

export const subjectLineBreak = lintRule({
  name: "subject-line-break",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Write the subject in one line. A line break ends the email's header early.",
  *check({ texts: email }) {
    const subject = email.text("subject");
    const at = subject?.text.search(/[\r\n\u2028\u2029]/) ?? -1;
    if (at < 0) return;
    yield {
      place: subject!.place(at, at + 1),
      message: "the subject contains a line break",
      fix: "write it in one line",
    };
  },
});
