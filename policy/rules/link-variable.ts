import { z } from "zod";
import { missingVariable } from "../../account-folder/lint/rules/variables";
import { type BrandingEmailType, brandingEmailVariables } from "../../sdk/known-values";
import { checkEmail } from "../check-email";
import { defineRule } from "../rule";

type Variable = (typeof brandingEmailVariables)[number];

/** The emails that ask for something, and the link by which it is done. */
const links: Partial<Record<BrandingEmailType, Variable[]>> = {
  "email-send": ["contract url"],
  "email-send-password": ["contract url"],
  "email-reminder": ["contract url"],
  "email-reminder-password": ["contract url"],
  "email-widget-verify": ["widget verify url"],
};

export const linkVariable = defineRule({
  name: "link-variable",
  description: "Keep the link in emails that ask for something: without it, the reader cannot sign.",
  enforcementLevel: "mandatory",
  kinds: ["BrandingEmail"],
  config: {
    variables: z
      .record(z.string(), z.array(z.enum(brandingEmailVariables)))
      .default(links as Record<string, Variable[]>)
      .describe("Variables that the HTML body and the plain text must contain, by email template type"),
  },
  *check(subject, { variables }) {
    const type = String(subject.args.type);
    const required = (Object.hasOwn(variables, type) ? variables[type]! : []).map((name) => ({
      name,
      reason: "the policy link-variable requires",
    }));
    yield* checkEmail(subject, missingVariable, { content: required, contentPlain: required });
  },
});
