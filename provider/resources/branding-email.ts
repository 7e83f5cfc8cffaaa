/** Email templates: the API's branding emails. */
import { z } from "zod";
import { brandingEmailFields } from "../../definitions/branding-email";
import { fromApi } from "../../definitions/field";
import type { BrandingEmailRecord } from "../../sdk/api/branding";
import { emailType, openEnum } from "../../sdk/enums";
import type { BrandingEmailType } from "../../sdk/known-values";
import { CachedRead } from "../core/cached-read";
import { type AccountHandle, defineResource, type Fields, type Issue } from "../core/resource-definition";
import { readMaxAge } from "../core/time-limits";
import { accountArgument, type Restorable } from "./account-argument";
import { assertNotTestKey, assertSameId } from "./check-response";
import { assertKeepsVariables, missingVariables, needIssues, remarksOn, variableIssues } from "./email-variables";

/** One response has all email templates of an account. */
function emailsOf(account: AccountHandle): CachedRead<BrandingEmailRecord[]> {
  return account.memoize(
    "emails",
    () =>
      new CachedRead<BrandingEmailRecord[]>(async () => {
        const { branding_emails } = await account.client.branding.emails();
        return branding_emails;
      }, account.session.run.clock),
  );
}

const filled = z.string("must be a string").refine((value) => value.trim() !== "", "must not be empty");
const texts = ["subject", "content", "contentPlain"] as const;

/** What a program declares. */
export interface BrandingEmailValues extends Restorable {
  /** Which of the emails. */
  type: BrandingEmailType;
  /** Subject line; may contain variables such as `{contract title}`. */
  subject?: string | undefined;
  /** HTML body; may contain variables, and must keep those that the API requires. */
  content?: string | undefined;
  /** Plain-text body; may contain variables, and must keep those that the API requires. */
  contentPlain?: string | undefined;
}

const brandingEmailArgs = {
  type: emailType,
  subject: filled.refine((value) => !/[\r\n]/.test(value), "must be one line").optional(),
  content: filled.optional(),
  contentPlain: filled.optional(),
  account: accountArgument.optional(),
  onDelete: openEnum(["restore", "keep"]).optional(),
};

/** Outputs besides the arguments. */
export interface BrandingEmailOutputs {
  /** When the email was last changed. */
  updatedAt?: string | undefined;
}

const brandingEmailOutputs = {
  updatedAt: z.string().optional(),
};

/** @internal */
export const brandingEmail = defineResource({
  kind: "BrandingEmail",
  handler: "brandingEmail",
  args: z.object(brandingEmailArgs),
  outputs: z.object(brandingEmailOutputs),
  secrets: [],
  changedByUpdate: ["updatedAt"],
  ...brandingEmailFields,
  createOnly: ["type", "account"],
  naturalKey: ["type"],
  defaults: { onDelete: "restore" },

  argsFromKey: (key) => ({ type: key }),
  key: (_, args) => `${args.type}`,
  outputsOf: (item: BrandingEmailRecord) => ({ updatedAt: item.branding_email_updated || undefined }),

  locate: (args) => ({ key: String(args.type), outputs: {} }),

  issues(args, { isSet, allowUnknownValues, edition }) {
    const faults: Issue[] = [];
    if (!texts.some(isSet)) {
      faults.push({ field: texts.join(", "), message: "set at least one of the three" });
    }
    if (allowUnknownValues) return faults;
    for (const field of texts) {
      const text = args[field];
      if (typeof text !== "string") continue;
      faults.push(...variableIssues(field, text));
      // The specification does not say which variables are required.
      if (edition === "current") faults.push(...needIssues(String(args.type), field, text));
    }
    return faults;
  },

  async guard(account, { key, fields, isPlan }) {
    if (key === undefined || fields === undefined || account.session.connection.settings.allowUnknownValues) return;
    const item = await this.read(account, key, isPlan ? readMaxAge.preview : readMaxAge.write);
    if (item !== undefined) assertKeepsVariables(key, fields, fromApi(brandingEmailFields, item));
  },

  remark: remarksOn,

  hint(code: number, declared: Fields, live: Fields) {
    const field = code === 10557 ? "content" : code === 10558 ? "contentPlain" : undefined;
    if (field === undefined) return undefined;
    const missing = missingVariables(live[field] ?? "", declared[field] ?? "");
    if (missing.length === 0) return undefined;
    return `The new value is missing ${missing.map((name) => `{${name}}`).join(", ")}, which the account's current one contains`;
  },

  async read(account, key, age) {
    const emails = await emailsOf(account).get(age);
    return emails.find(({ branding_email_type }) => branding_email_type === key);
  },

  async update(account, key, form) {
    const response = await account.client.branding.updateEmail({
      branding_email_type: key as BrandingEmailType,
      ...form,
    });
    assertNotTestKey(response);
    assertSameId(response.branding_email_type, key);
    const item = { ...response, branding_email_type: key };
    emailsOf(account).patch((emails) => {
      const place = emails.findIndex(({ branding_email_type }) => branding_email_type === key);
      if (place >= 0) emails[place] = { ...emails[place], ...item };
    });
    return item;
  },
});
