import { missingIn } from "../../checks/missing-variables";
import { lintRule } from "../../rule";

export const missingVariable = lintRule({
  name: "missing-variable",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Keep required variables. The API rejects an update without them.",
  check: ({ texts: email }) => missingIn(email, email.context.required, "error"),
});
