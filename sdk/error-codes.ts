/** Cause and fix of the API's error codes. The specification lists none; these were observed. */

/** Cause, field and fix of an error. */
export interface Explanation {
  /** The API's code, if the error has one. */
  code?: number;
  /** What went wrong. */
  cause: string;
  /** API name of the form field or path parameter that caused it. */
  field?: string;
  /** What to do. */
  fix: string;
}

/** The code of a URL that does not exist. */
export const UNKNOWN_URL = 10003;

type Entry = readonly [cause: string, fix: string, field?: string];

const reportIt = "The client never sends such a request: check for a proxy that changes requests.";
const useListedId = "Use an ID from the list.";
const nothingToDo = "Nothing to do: the client returns an empty list.";
const chooseEventType = "Set webhook_type to one of the event types.";
const chooseTemplate = "Set branding_email_type to one of the template types.";
const checkBaseUrl = "Check baseUrl: the service's URL without /v1.";
/** It is not published which of the rules each code is about. */
const envelopeInput: Entry = [
  "A field of the new envelope is missing or not valid.",
  "Read the API's message. Required: a title, documents and parties. Use either templates or PDF, Word or Excel files; hours greater than 12; metadata in valid JSON of fewer than 2000 characters; a user_id of this account.",
];
const checkStatus = "Check envelope_status: signed, cancelled and expired envelopes cannot change.";
const setCurrentKey =
  "Set apiKey to a current key of the account at baseUrl. Rotated and deleted keys stop working at once.";
const removedKey: Entry = ["The API key was removed.", setCurrentKey];
const contactSupport = "Contact the service's support.";

const table: Record<number, Entry> = {
  // General
  10001: ["The URL does not support this method.", reportIt],
  10002: ["The API key is not valid.", setCurrentKey],
  10003: ["The URL does not exist.", checkBaseUrl],
  10004: ["The account is suspended.", contactSupport],
  10005: removedKey,
  10006: removedKey,
  10007: [
    "The service does not take bodies of this content type.",
    "The client has sent form fields and JSON: check for a proxy that changes requests.",
  ],
  10008: [
    "The API key is not a partner key.",
    "Use a partner key for companies and usage, or ask the service to enable partner access.",
  ],
  10009: ["The account's plan does not include the API.", "Upgrade the plan, or use another account."],
  10010: ["A field is not valid.", "Read the API's message: it names the field and the rule."],
  // Contacts
  10053: [
    "The account has no such contact.",
    "Check that it was not deleted and does not belong to another account.",
    "contact_id",
  ],
  10060: ["No envelope was sent to this contact.", nothingToDo],
  // Envelopes
  10250: envelopeInput,
  10251: envelopeInput,
  10252: [
    "This envelope cannot be deleted.",
    "Cancel or expire it, or delete it once it is finished.",
    "envelope_fingerprint",
  ],
  10253: [
    "The account has no such envelope.",
    "Check that it was not deleted and does not belong to another account.",
    "envelope_fingerprint",
  ],
  10254: ["The account has no envelopes.", nothingToDo],
  10255: envelopeInput,
  10256: envelopeInput,
  10257: envelopeInput,
  10258: envelopeInput,
  10259: envelopeInput,
  10260: envelopeInput,
  10261: envelopeInput,
  10262: [
    "An envelope from a template contains only one document.",
    "Send one envelope per template.",
    "envelope_documents",
  ],
  10263: envelopeInput,
  10264: envelopeInput,
  10265: envelopeInput,
  10266: envelopeInput,
  10267: envelopeInput,
  10272: ["The template has no party with this party_id.", "Use the party IDs of the template.", "envelope_parties"],
  10274: ["The envelope's status does not allow cancelling.", checkStatus, "envelope_fingerprint"],
  10275: [
    "The envelope's status does not allow reminders.",
    "Remind only of envelopes that were sent and are not signed yet.",
    "envelope_fingerprint",
  ],
  10276: ["The envelope's status does not allow this.", checkStatus, "envelope_fingerprint"],
  10277: ["An active envelope cannot be deleted.", "Cancel or expire it first.", "envelope_fingerprint"],
  // Webhooks
  10300: ["The event type is missing.", chooseEventType, "webhook_type"],
  10301: ["The URL is missing.", "Set the URL to notify.", "webhook_url"],
  10302: ["The event type does not exist.", chooseEventType, "webhook_type"],
  10303: ["The webhook's ID is missing or not a number.", useListedId, "webhook_id"],
  10304: ["The webhook's ID is missing or not a number.", useListedId, "webhook_id"],
  10305: ["The webhook's ID is missing or not a number.", useListedId, "webhook_id"],
  10306: [
    "The account has no such webhook.",
    "Check that it was not deleted and does not belong to another account.",
    "webhook_id",
  ],
  10307: ["The account has no webhooks.", nothingToDo],
  10308: ["No field to change was set.", "Set webhook_type, webhook_url or both.", "webhook_type"],
  10309: [
    "The service cannot reach the URL.",
    "Make sure that the endpoint responds with 200 on the public internet, then try again.",
    "webhook_url",
  ],
  // Partner
  10350: ["The company's name is missing.", "Set company_name.", "company_name"],
  10351: ["The first user's email address is missing or not valid.", "Set user_email.", "user_email"],
  10352: ["The first user's name is missing.", "Set user_name.", "user_name"],
  10353: [
    "A user with this email address already exists.",
    "Use another email address, or the existing company of that user.",
    "user_email",
  ],
  10354: ["The company's ID is missing.", useListedId, "company_id"],
  10355: [
    "The partner has no such company.",
    "Check that it was not deleted and does not belong to another partner.",
    "company_id",
  ],
  10356: ["A new company cannot have an ID.", reportIt, "company_id"],
  10358: ["No field to change was set.", "Set company_name, company_email or both.", "company_name"],
  10359: ["The company's ID is missing.", useListedId, "company_id"],
  10360: ["The partner has no companies.", nothingToDo],
  // Branding
  10550: ["The URL is that of one email template; the list is at /v1/branding/emails.", reportIt],
  10551: ["Branding cannot be created: every account has it.", "Update it."],
  10552: ["Branding cannot be deleted.", "Restore the original values instead."],
  10553: ["The email template does not exist.", chooseTemplate, "branding_email_type"],
  10554: [
    "No field to change was set.",
    "Set the subject, the content or the plain-text content.",
    "branding_email_subject",
  ],
  10555: ["No field to change was set.", "Set branding_logo_url, branding_colour or both.", "branding_logo_url"],
  10556: ["The email template does not exist.", chooseTemplate, "branding_email_type"],
  10557: [
    "The HTML content is missing a required variable.",
    "Keep every variable of the current HTML content.",
    "branding_email_content",
  ],
  10558: [
    "The plain-text content is missing a required variable.",
    "Keep every variable of the current plain-text content.",
    "branding_email_content_plain",
  ],
  10559: ["The logo is not a JPG or PNG file.", "Set the public URL of a JPG or PNG file.", "branding_logo_url"],
  10560: ["The colour is not a hex code with a leading #.", "Write it as #RRGGBB.", "branding_colour"],
};

/** All codes that {@link explain} knows. */
export const errorCodes: readonly number[] = Object.keys(table).map(Number);

/** Explains one of the API's codes; undefined for an unknown one. */
export function explain(code: number): Explanation | undefined {
  const entry = table[code];
  if (entry === undefined) return undefined;
  const [cause, fix, field] = entry;
  return field === undefined ? { code, cause, fix } : { code, cause, field, fix };
}

/** Explains an HTTP status without a known code. */
export function explainStatus(status: number): Explanation {
  const [cause, fix] = statuses.find(([from, to]) => status >= from && status <= to)![2];
  return { cause, fix };
}

const statuses: readonly (readonly [from: number, to: number, entry: Entry])[] = [
  [401, 401, table[10002]!],
  [
    403,
    403,
    [
      "The API key does not have permission.",
      "Check that the key belongs to the right account. Companies and usage need a partner key.",
    ],
  ],
  [404, 404, ["The object or the URL does not exist.", `Check the ID. ${checkBaseUrl}`]],
  [407, 407, ["A proxy requires a login.", "Check baseUrl, and the user name and password of the proxy."]],
  [408, 408, ["The service did not receive the request in time.", "Try again."]],
  [429, 429, ["Too many requests.", "Lower maxConcurrency, set requestsPerSecond, or raise timeout."]],
  [503, 503, ["The service is overloaded or under maintenance.", "Try again later."]],
  [500, Number.POSITIVE_INFINITY, ["The service failed.", "Try again later."]],
  [0, 499, ["The service rejected the request.", "Read the service's message."]],
];
