/**
 * Cause and fix of the API's error codes. The specification lists none; the service's documentation today lists codes with their meaning,
 * not their HTTP status. Codes that are not here have no explanation but that of their status.
 */

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

/**
 * Where a code is known from: the documentation's lists of error codes; its examples; recorded responses of the service; services with
 * this API, in no document; or the emulator alone.
 */
export type CodeSource = "documented" | "example" | "recorded" | "observed" | "invented";

/** The source is "documented" unless there is another. */
type Entry = readonly [cause: string, fix: string, field?: string | undefined, source?: CodeSource];

const reportIt = "The client never sends such a request: check for a proxy that changes requests.";
const useListedId = "Use an ID from the list.";
const omitId = "Leave the ID out: the service chooses it.";
const nothingToDo = "Nothing to do: the client returns an empty list.";
const chooseEventType = "Set webhook_type to one of the event types.";
const chooseTemplate = "Set branding_email_type to one of the types of email templates.";
const checkBaseUrl = "Check baseUrl: the service's URL without /v1.";
const checkStatus = "Check envelope_status: envelopes that have ended cannot change.";
const setCurrentKey =
  "Set apiKey to a current key of the account at baseUrl. Rotated and deleted keys stop working at once.";
const removedKey: Entry = ["The API key was removed.", setCurrentKey];
const contactSupport = "Contact the service's support.";
const checkOwner = (owner: string) => `Check that it was not deleted and does not belong to another ${owner}.`;
const nothingToChange = "No field to change was set.";

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
  10010: ["A field is not valid.", "Read the API's message: it names the field and the rule.", undefined, "observed"],
  // Contacts
  10050: ["The contact's name is missing.", "Set contact_name.", "contact_name"],
  10051: ["The contact's email address is missing.", "Set contact_email.", "contact_email"],
  10052: ["The contact's ID is missing.", useListedId, "contact_id"],
  10053: ["The account has no such contact.", checkOwner("account"), "contact_id"],
  10054: [nothingToChange, "Set contact_name, contact_email or both.", "contact_name"],
  10055: ["A new contact cannot have an ID.", omitId, "contact_id"],
  10056: ["The contact's ID is missing.", useListedId, "contact_id"],
  10057: ["The contact's ID is missing.", useListedId, "contact_id"],
  10058: ["The account has no contacts.", nothingToDo],
  10059: [
    "A contact with this email address already exists.",
    "Use the existing contact, or another email address. Parties of envelopes become contacts by themselves.",
    "contact_email",
  ],
  10060: ["No envelope was sent to this contact.", nothingToDo],
  // Users
  10104: [
    nothingToChange,
    "Set user_name or user_email: to change the role alone, repeat one of them.",
    "user_name",
    "example",
  ],
  // Envelope templates
  10150: ["The template's title is missing.", "Set its title."],
  10151: ["The template's document is missing.", "Set the URL of its document."],
  10152: ["The template's fingerprint is missing.", "Use a fingerprint from the list.", "template_fingerprint"],
  10153: ["The account has no such template.", checkOwner("account"), "template_fingerprint"],
  10155: ["A new template cannot have a fingerprint.", omitId, "template_fingerprint"],
  10156: ["The template's fingerprint is missing.", "Use a fingerprint from the list.", "template_fingerprint"],
  10157: ["The template's fingerprint is missing.", "Use a fingerprint from the list.", "template_fingerprint"],
  10158: ["The account has no templates.", nothingToDo],
  10159: ["The API key may not update templates.", "Change the template in the web app."],
  // Envelopes
  10250: ["A new envelope cannot have a fingerprint.", omitId, "envelope_fingerprint"],
  10251: ["The API key may not update this envelope.", "Check that the key belongs to the envelope's account."],
  10252: [
    "The API key may not delete this envelope, or its fingerprint is missing.",
    "Set the fingerprint, and check that the key belongs to the envelope's account.",
    "envelope_fingerprint",
  ],
  10253: ["The account has no such envelope.", checkOwner("account"), "envelope_fingerprint"],
  10254: ["The account has no envelopes.", nothingToDo],
  10255: ["The envelope's title is missing.", "Set envelope_title.", "envelope_title"],
  10256: ["The envelope's parties are missing.", "Set envelope_parties to a list.", "envelope_parties"],
  10257: ["The envelope's documents are missing.", "Set envelope_documents to a list.", "envelope_documents"],
  10258: ["The list of parties is empty.", "Add at least one party that signs.", "envelope_parties"],
  10259: ["A party's name is missing.", "Set party_name of each party.", "envelope_parties"],
  10260: ["A party's email address is missing.", "Set party_email of each party.", "envelope_parties"],
  10261: ["envelope_parties is not a list.", "Set it to a list of parties.", "envelope_parties"],
  10262: [
    "A template and other documents cannot be in one envelope.",
    "Send one envelope for the templates and one for the files.",
    "envelope_documents",
  ],
  10263: ["A document's title is missing.", "Set document_title of each document.", "envelope_documents"],
  10264: [
    "A document has neither a URL, nor a template, nor a file.",
    "Set document_url, document_template_fingerprint, or document_file_content with document_file_name.",
    "envelope_documents",
  ],
  10265: ["envelope_documents is not a list.", "Set it to a list of documents.", "envelope_documents"],
  10266: ["A document's format is not supported.", "Use PDF, Word or Excel files.", "envelope_documents"],
  10267: ["Something cannot be added to the envelope.", "Read the API's message."],
  10272: [
    "The template has no party with this party_id.",
    "Use the party IDs of the template.",
    "envelope_parties",
    "recorded",
  ],
  10274: ["The envelope's status does not allow cancelling.", checkStatus, "envelope_fingerprint", "example"],
  10275: [
    "The envelope's status does not allow reminders.",
    "Remind only of envelopes that were sent and are not signed yet.",
    "envelope_fingerprint",
    "example",
  ],
  10276: ["The envelope's status does not allow expiry.", checkStatus, "envelope_fingerprint", "invented"],
  10277: ["An active envelope cannot be deleted.", "Cancel or expire it first.", "envelope_fingerprint", "recorded"],
  // Webhooks
  10300: ["The event type is missing.", chooseEventType, "webhook_type"],
  10301: ["The URL is missing.", "Set the URL to notify.", "webhook_url"],
  10302: ["The event type does not exist.", chooseEventType, "webhook_type"],
  10303: ["A new webhook cannot have an ID.", omitId, "webhook_id"],
  10304: ["The ID of the webhook to update is missing.", useListedId, "webhook_id"],
  10305: ["The ID of the webhook to delete is missing.", useListedId, "webhook_id"],
  10306: ["The account has no such webhook.", checkOwner("account"), "webhook_id"],
  10307: ["The account has no webhooks.", nothingToDo],
  10308: [nothingToChange, "Set webhook_type, webhook_url or both.", "webhook_type"],
  10309: [
    "The service cannot reach the URL.",
    "Make sure that the endpoint responds with 200 on the public internet, then try again.",
    "webhook_url",
  ],
  // Partner
  10350: ["The company's name is missing.", "Set company_name.", "company_name"],
  10351: ["The first user's email address is missing.", "Set user_email.", "user_email"],
  10352: ["The first user's name is missing.", "Set user_name.", "user_name"],
  10353: [
    "A user with this email address already exists.",
    "Use another email address, or the existing company of that user.",
    "user_email",
  ],
  10354: ["The ID of the company to delete is missing.", useListedId, "company_id"],
  10355: ["The partner has no such company.", checkOwner("partner"), "company_id"],
  10356: ["A new company cannot have an ID.", omitId, "company_id"],
  10358: [nothingToChange, "Set company_name, company_email or both.", "company_name"],
  10359: ["The company's ID is missing.", useListedId, "company_id"],
  10360: ["The partner has no companies.", nothingToDo],
  10361: [
    "The setting for PDFs in emails is not true or false.",
    "Set it to true or false.",
    "setting_email_pdf_attach",
  ],
  // Branding
  10550: [
    "The URL is that of one email template; the list is at /v1/branding/emails.",
    "Use `branding.emails` (`esign branding emails`): only the edition `current` has a request for one email template.",
  ],
  10551: ["Branding cannot be created: every account has it.", "Update it."],
  10552: ["Branding cannot be deleted.", "Restore the original values instead."],
  10553: ["The email template does not exist.", chooseTemplate, "branding_email_type"],
  10554: [nothingToChange, "Set the subject, the content or the plain-text content.", "branding_email_subject"],
  10555: [nothingToChange, "Set branding_logo_url, branding_colour or both.", "branding_logo_url"],
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

/** Where a code of {@link errorCodes} is known from. */
export const sourceOf = (code: number): CodeSource => table[code]?.[3] ?? "documented";

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
