import { brandingEmail as brandingEmailDefinition } from "../../definitions/branding-email";
import { fromApi } from "../../definitions/field";
import type { BrandingEmailRecord } from "../../sdk/api/branding";
import type { BrandingEmailType } from "../../sdk/known-values";
import { CachedRead } from "../core/cached-read";
import { type AccountHandle, defineResource, type Fields, type Issue } from "../core/resource-definition";
import { readMaxAge } from "../core/time-limits";
import {
  assertKeepsVariables,
  lostVariables,
  needIssues,
  variableIssues,
  warningsOn,
} from "./branding-email-variables";
import { assertNotTestKey, assertSameId } from "./check-response";

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

const texts = ["subject", "content", "contentPlain"] as const;

/** @internal */
export const brandingEmail = defineResource<BrandingEmailRecord>(brandingEmailDefinition, {
  argsFromKey: (key) => ({ type: key }),
  key: (_, args) => `${args.type}`,
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

  async guard(account, { key, fields, isPreview }) {
    if (key === undefined || fields === undefined || account.session.connection.config.allowUnknownValues) return;
    const item = await this.read(account, key, isPreview ? readMaxAge.preview : readMaxAge.write);
    if (item !== undefined) assertKeepsVariables(key, fields, fromApi(brandingEmailDefinition, item));
  },

  warning: warningsOn,

  hint(code: number, declared: Fields, live: Fields) {
    const field = code === 10557 ? "content" : code === 10558 ? "contentPlain" : undefined;
    if (field === undefined) return undefined;
    const missing = lostVariables(live[field] ?? "", declared[field] ?? "");
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
