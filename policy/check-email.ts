/** A lint rule for emails as a part of a policy. */
import { emailOfTexts, checkEmail as issuesOf } from "../account-folder/lint/lint";
import type { EmailRule, Field, RequiredVariable } from "../account-folder/lint/rules/rule";
import type { Subject, Violation } from "./rule";

const fields: readonly Field[] = ["subject", "content", "contentPlain"];

/** What the rule finds in a resource's arguments, or in the files that they were read from. */
export function* checkEmail(
  { args, email }: Subject,
  rule: EmailRule,
  required: { [k in Field]?: readonly RequiredVariable[] } = {},
): Iterable<Violation> {
  const texts = Object.fromEntries(
    fields.flatMap((name) => (typeof args[name] === "string" ? [[name, args[name]]] : [])),
  );
  const checked = email ?? emailOfTexts(String(args.type), texts);
  for (const { place, message, fix } of issuesOf(rule, checked, required)) {
    const field = fields.find((name) => name === place.file) ?? "content";
    yield { field, message, fix, place };
  }
}
