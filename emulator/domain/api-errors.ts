/** The API's error codes with HTTP status and message. Handlers reject a request with {@link throwApiError}. */

/** HTTP status and message by code. Codes and meanings are the documented ones (`sdk/error-codes.ts` has their sources); most statuses are not documented. */
export const codes = {
  10001: [400, "This URL does not support this method."],
  10002: [401, "The API key is not valid."],
  10003: [404, "This URL does not exist."],
  10004: [403, "This account is suspended."],
  10005: [401, "This API key has been revoked."],
  10006: [401, "This API key was deleted with its account."],
  10007: [400, "The body has a content type that is not accepted."],
  10008: [403, "This API key is not a partner key."],
  10009: [403, "The account's plan does not include the API."],
  10010: [400, "A field is not valid."],
  10050: [400, "contact_name is missing."],
  10051: [400, "contact_email is missing."],
  10053: [404, "The contact does not exist."],
  10054: [400, "Nothing to update: set contact_name or contact_email."],
  10055: [400, "contact_id cannot be set when a contact is created."],
  10056: [400, "contact_id is missing: set it to update a contact."],
  10057: [400, "contact_id is missing: set it to delete a contact."],
  10058: [404, "There are no contacts."],
  10059: [400, "A contact with this email address already exists."],
  10060: [404, "No envelope was sent to this contact."],
  10104: [400, "Nothing to update: set user_name or user_email."],
  10153: [404, "The template does not exist."],
  10155: [400, "template_fingerprint cannot be set when a template is created."],
  10156: [400, "template_fingerprint is missing: set it to update a template."],
  10157: [400, "template_fingerprint is missing: set it to delete a template."],
  10158: [404, "There are no templates."],
  10159: [403, "This API key may not update a template."],
  10250: [400, "envelope_fingerprint cannot be set when an envelope is created."],
  10251: [403, "This API key may not update an envelope."],
  10252: [400, "This envelope cannot be deleted."],
  10253: [404, "The envelope does not exist."],
  10254: [404, "There are no envelopes."],
  10255: [400, "envelope_title is missing."],
  10256: [400, "envelope_parties is missing."],
  10257: [400, "envelope_documents is missing."],
  10258: [400, "envelope_parties is empty."],
  10259: [400, "party_name is missing."],
  10260: [400, "party_email is missing."],
  10261: [400, "envelope_parties is not a JSON array."],
  10262: [400, "An envelope with a template document can have only one document."],
  10263: [400, "document_title is missing."],
  10264: [400, "A document needs a URL, a template or a file."],
  10265: [400, "envelope_documents is not a JSON array."],
  10266: [400, "A document must be a PDF, Word or Excel file."],
  10272: [400, "party_id does not refer to a party of the template."],
  10274: [400, "An envelope with this status cannot be cancelled."],
  10275: [400, "An envelope with this status allows no reminder."],
  10276: [400, "An envelope with this status cannot be expired."],
  10277: [400, "An active envelope cannot be deleted; cancel it first."],
  10300: [400, "webhook_type is missing."],
  10301: [400, "webhook_url is missing."],
  10302: [400, "webhook_type is not valid."],
  10303: [400, "webhook_id cannot be set when a webhook is created."],
  10304: [400, "webhook_id is missing: set it to update a webhook."],
  10305: [400, "webhook_id is missing: set it to delete a webhook."],
  10306: [404, "The webhook does not exist."],
  10307: [404, "There are no webhooks."],
  10308: [400, "Nothing to update: set webhook_type or webhook_url."],
  10309: [400, "webhook_url cannot be reached."],
  10350: [400, "company_name is missing."],
  10351: [400, "user_email is missing or not valid."],
  10352: [400, "user_name is missing."],
  10353: [400, "A user with this email address already exists."],
  10354: [400, "company_id is missing: set it to delete a company."],
  10355: [404, "You have no company with this ID."],
  10356: [400, "company_id cannot be set when a company is created."],
  10358: [400, "Nothing to update: set company_name or company_email."],
  10359: [400, "company_id is missing."],
  10360: [404, "There are no companies."],
  10361: [400, "The setting for PDFs in emails must be true or false."],
  10550: [400, "Read email templates at /v1/branding/emails."],
  10551: [400, "Branding cannot be created, only updated."],
  10552: [400, "Branding cannot be deleted."],
  10553: [400, "The email template does not exist."],
  10554: [400, "Nothing to update: set a subject, content or plain-text content."],
  10555: [400, "Nothing to update: set branding_logo_url or branding_colour."],
  10556: [400, "branding_email_type is not valid."],
  10557: [400, "branding_email_content is missing a required variable."],
  10558: [400, "branding_email_content_plain is missing a required variable."],
  10559: [400, "The logo must be a JPG or PNG file."],
  10560: [400, "branding_colour must be a hex colour starting with #."],
} as const satisfies Record<number, readonly [status: number, message: string]>;

/** Errors without a documented code: the response contains none. */
const uncoded = {
  "no route": [404, "The route could not be found."],
  "no party": [404, "The envelope has no such party."],
  "no user": [404, "The user does not exist."],
  "email in use": [400, "A user with this email address already exists."],
  "one user": [400, "A subaccount has one user."],
  "last administrator": [400, "An account needs an administrator: this is the last one."],
  "nothing to update": [400, "Nothing to update: set a field."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type Code = keyof typeof codes | keyof typeof uncoded;

/** Status and message of an error. */
const errors: Record<Code, readonly [status: number, message: string]> = { ...codes, ...uncoded };

/** An error to send as the response. */
export class ApiError extends Error {
  constructor(
    readonly code: Code,
    /** What exactly is wrong, if the message of the code does not say it. */
    readonly detail?: string,
  ) {
    super(errors[code][1]);
  }

  get status(): number {
    return errors[this.code][0];
  }
}

/** An action of the control pages, not of the API, that is not possible. */
export class InvalidAction extends Error {}

/** Rejects the current request with an API error. */
export function throwApiError(code: Code, detail?: string): never {
  throw new ApiError(code, detail);
}

/** Whether a number is an API error code. */
export function isCode(code: number): code is keyof typeof codes {
  return code in codes;
}
