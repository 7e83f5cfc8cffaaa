/** Branding and email templates. */

import { throwApiError } from "../domain/api-errors";
import type { Account, EmailContent } from "../domain/data-schema";
import { defaultEmails, emailContent } from "../domain/emails/default-emails";
import type { Settings } from "../domain/emulator-settings";
import { type EmailType, emailTypes, emailTypesOf } from "../domain/enums-by-edition";
import { hostLogo, presentLogo } from "../domain/logos";
import { omitEmptyFields, omitNullFields } from "./body-fields";
import type { GroupHandlers, HandlerRequest } from "./handler";

function present({
  account,
  context,
  origin,
}: Pick<HandlerRequest<unknown, unknown>, "account" | "context" | "origin">) {
  return {
    branding_logo: presentLogo(account, origin, context.settings),
    branding_colour: account.branding.colour,
  };
}

function presentEmail(account: Account, type: EmailType) {
  const template = emailContent(account, type);
  return {
    branding_email_type: type,
    branding_email_subject: template.subject,
    branding_email_content: template.content,
    branding_email_content_plain: template.contentPlain,
    branding_email_updated: template.updated,
  };
}

function applyTextStyle(text: string, style: Settings["textStyle"]): string {
  if (style === "crlf") return text.replace(/\r\n|\r|\n/g, "\r\n");
  if (style === "trimmed") return text.replace(/(?<![ \t])[ \t]+$/gm, "").trim();
  return text;
}

/** Rejects a body without a required variable. Only the error's detail contains its name. */
function requireVariables(body: string, names: readonly string[], code: 10557 | 10558): void {
  const missing = names.filter((name) => !body.includes(`{${name}}`));
  if (missing.length > 0) throwApiError(code, `missing: ${missing.map((name) => `{${name}}`).join(", ")}`);
}

type EmailForm = {
  branding_email_subject?: string | undefined;
  branding_email_content?: string | undefined;
  branding_email_content_plain?: string | undefined;
};

type Content = Omit<EmailContent, "updated">;

function isSameContent(a: Content, b: Content): boolean {
  return a.subject === b.subject && a.content === b.content && a.contentPlain === b.contentPlain;
}

function updateEmail({
  context,
  account,
  params,
  form,
}: HandlerRequest<{ branding_email_type: EmailType }, EmailForm>) {
  const type = params.branding_email_type;
  const { settings } = context;
  const required = settings.requiredVariables[type];
  const { branding_email_content: html, branding_email_content_plain: plain } = form;
  if (html !== undefined) requireVariables(html, required, 10557);
  if (plain !== undefined) requireVariables(plain, required, 10558);
  const before = emailContent(account, type);
  const after = {
    subject: form.branding_email_subject ?? before.subject,
    content: html === undefined ? before.content : applyTextStyle(html, settings.textStyle),
    contentPlain: plain === undefined ? before.contentPlain : applyTextStyle(plain, settings.textStyle),
  };
  if (!isSameContent(after, before)) {
    // Only customized templates are stored; one with its default content again is not.
    if (isSameContent(after, defaultEmails[type])) delete account.emails[type];
    else account.emails[type] = { ...after, updated: context.timestamp };
    // In the order of the types, not of the first changes.
    account.emails = Object.fromEntries(emailTypes.flatMap((t) => (account.emails[t] ? [[t, account.emails[t]]] : [])));
    context.markChanged(account);
  }
  return { message: "The email template has been updated.", ...presentEmail(account, type) };
}

export const branding: GroupHandlers<"branding"> = {
  get: { run: present },
  update: {
    errorCodes: { "": 10555, branding_logo_url: [10555, 10559], branding_colour: [10555, 10560] },
    // Null removes the logo.
    normalize: ({ branding_logo_url: logo, ...others }) => ({
      ...omitEmptyFields(others),
      ...(logo !== undefined && logo !== "" && { branding_logo_url: logo }),
    }),
    run(request) {
      const { context, account, form, origin } = request;
      const { branding_logo_url: source, branding_colour } = form;
      // Both fields are validated before either is written.
      const logo = source ? hostLogo(account.id, source, context.now, origin) : source;
      account.branding = {
        logo: logo === undefined ? account.branding.logo : logo,
        colour: branding_colour?.toUpperCase() ?? account.branding.colour,
      };
      context.markChanged(account);
      return { message: "The branding has been updated.", ...present(request) };
    },
  },
  emails: {
    run: ({ account, context }) => ({
      branding_emails: emailTypesOf(context.settings).map((type) => presentEmail(account, type)),
    }),
  },
  email: {
    errorCodes: { branding_email_type: 10553 },
    run: ({ account, params }) => presentEmail(account, params.branding_email_type as EmailType),
  },
  updateEmail: {
    errorCodes: { "": 10554, branding_email_type: 10556 },
    // An empty string is a value here: it is missing its variables.
    normalize: omitNullFields,
    run: updateEmail,
  },
};
