import { matchesIn } from "../../checks/matches-in";
import { lintRule } from "../../rule";

export const encodedSubject = lintRule({
  name: "encoded-subject",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Write the subject in plain letters: the service encodes it for the email's header.",
  check: ({ texts: email }) =>
    matchesIn(email, ["subject"], /=\?[\w-]{1,40}\?[bq]\?[^?\s]{0,200}\?=/gi, () => ({
      message: "the subject has an encoded word of an email's header, which readers would see",
      fix: "write the text that it encodes",
    })),
});
