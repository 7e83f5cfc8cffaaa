import { z } from "zod";
import { brandingEmailVariables, neededVariables } from "../../../sdk/email-variables";
import { missingIn } from "../../checks/missing-variables";
import type { RequiredVariable } from "../../required-variables";
import { policy } from "../../rule";

/** The links of the emails that ask for something: without one, nothing can be done. */
const linksOf = (type: string): (readonly string[])[] =>
  neededVariables(type)
    .filter(({ anyOf, severity }) => severity === "error" || anyOf.length > 1)
    .map(({ anyOf }) => anyOf);

export const linkVariable = policy({
  name: "link-variable",
  description:
    "Keep the link in emails that ask for something, where readers see it: without it, the reader cannot sign.",
  severity: "error",
  kinds: ["BrandingEmail"],
  config: {
    variables: z
      .record(z.string(), z.array(z.enum(brandingEmailVariables)))
      .default({})
      .describe(
        "Variables that the HTML body and the plain text must contain, by email template type. Without those of a type: `contract url` where the reader is asked to sign, for `email-widget-verify` it or `widget verify url`",
      ),
  },
  *check({ texts }, { variables }) {
    const { type } = texts;
    const own = Object.hasOwn(variables, type) ? variables[type]!.map((name) => [name]) : linksOf(type);
    const required = own.map(
      (anyOf): RequiredVariable => ({ anyOf, reason: "the policy link-variable requires", mustBeShown: true }),
    );
    yield* missingIn(texts, { content: required, contentPlain: required }, "error");
  },
});
