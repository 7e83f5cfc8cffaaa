/** What the service's error codes mean, and what to do. Offline; the specification lists none, these have been seen. */

/** Cause, field and way out of an error. */
export interface Explanation {
  /** The service's code, when there is one. */
  code?: number;
  /** What went wrong. */
  cause: string;
  /** The form field or path parameter that is to blame, by its wire name. */
  field?: string;
  /** What to do. */
  fix: string;
}

type Entry = readonly [cause: string, fix: string, field?: string];

const reportIt = "The client never sends this; if you see it, a proxy may have changed the request.";
const lookId = "List the objects to see the ids that there are.";
/** Which rule each of these codes means is not published. */
const envelopeInput: Entry = [
  "A field of the new envelope is missing or breaks a rule.",
  "The service's message may name it. The rules (§4.4): a title, documents and parties; either template documents or files; PDF, Word or Excel; hours greater than 12; metadata in valid JSON of fewer than 2000 characters; a user_id of the account.",
];
const contactService = "Ask the service's support; nothing in the request can change it.";

const table: Record<number, Entry> = {
  // General
  10001: ["The address exists, but not with this method.", reportIt],
  10002: [
    "The key is wrong.",
    "Check apiKey: is it whole, and is it for this address? A key that was rotated is dead.",
  ],
  10003: ["There is no such address.", "Check baseUrl: it holds the service's address without /v1."],
  10004: ["The account is suspended.", contactService],
  10005: ["The key was removed.", "Take a present key from the account's settings."],
  10006: ["The key was removed.", "Take a present key from the account's settings."],
  10007: ["The body was not form-encoded (§1).", reportIt],
  10008: [
    "The key is not partner-enabled (§5).",
    "Use a partner's key for companies and usage, or ask the service to enable it.",
  ],
  10009: ["The account's plan has no access to the interface.", "Change the plan, or use another account."],
  10010: ["A field breaks a rule.", "The service's message names the field and the rule."],
  // Envelopes
  10250: envelopeInput,
  10251: envelopeInput,
  10252: [
    "This envelope may not be deleted.",
    "Cancel or expire it instead, or delete it once it is finished.",
    "envelope_fingerprint",
  ],
  10253: [
    "There is no such envelope in this account.",
    "List the envelopes; it may be in another account or deleted.",
    "envelope_fingerprint",
  ],
  10254: ["There are no envelopes.", "Nothing to do: the list is empty. The client answers it as an empty list."],
  10255: envelopeInput,
  10256: envelopeInput,
  10257: envelopeInput,
  10258: envelopeInput,
  10259: envelopeInput,
  10260: envelopeInput,
  10261: envelopeInput,
  10262: [
    "With a template, an envelope holds one document only.",
    "Send one envelope per template document.",
    "envelope_documents",
  ],
  10263: envelopeInput,
  10264: envelopeInput,
  10265: envelopeInput,
  10266: envelopeInput,
  10267: envelopeInput,
  10272: [
    "A party_id is not one of the template's parties.",
    "Look the template's parties up; each has a number.",
    "envelope_parties",
  ],
  10274: [
    "An envelope in this status cannot be cancelled.",
    "Read its envelope_status: one that is signed, cancelled or expired is over.",
    "envelope_fingerprint",
  ],
  10275: [
    "An envelope in this status cannot be reminded of.",
    "Only an envelope that was sent and is not yet signed has a party to remind.",
    "envelope_fingerprint",
  ],
  10276: [
    "The envelope's status does not allow this.",
    "Read its envelope_status: one that is signed, cancelled or expired is over.",
    "envelope_fingerprint",
  ],
  10277: ["An active envelope cannot be deleted.", "Cancel or expire it first.", "envelope_fingerprint"],
  // Webhooks
  10300: ["The event type is missing.", "Give one of the types of §6.", "webhook_type"],
  10301: ["The address is missing.", "Give the address to notify.", "webhook_url"],
  10302: ["There is no such event type.", "Give one of the types of §6.", "webhook_type"],
  10303: ["The webhook's id is missing or not a number.", lookId, "webhook_id"],
  10304: ["The webhook's id is missing or not a number.", lookId, "webhook_id"],
  10305: ["The webhook's id is missing or not a number.", lookId, "webhook_id"],
  10306: [
    "There is no such webhook in this account.",
    "List the webhooks; it may be in another account or deleted.",
    "webhook_id",
  ],
  10307: ["There are no webhooks.", "Nothing to do: the list is empty. The client answers it as an empty list."],
  10308: ["Nothing to change was given.", "Give webhook_type, webhook_url or both.", "webhook_type"],
  10309: [
    "The service cannot reach the address.",
    "Let the receiver answer 200 from the public internet, then try again.",
    "webhook_url",
  ],
  // Partner
  10350: ["The company's name is missing.", "Give company_name.", "company_name"],
  10351: ["The first user's e-mail address is missing or malformed.", "Give user_email.", "user_email"],
  10352: ["The first user's name is missing.", "Give user_name.", "user_name"],
  10353: [
    "Some account already has a user with this e-mail address.",
    "Use another address, or find the company that has it: it may be the one that was wanted.",
    "user_email",
  ],
  10354: ["The company's id is missing.", lookId, "company_id"],
  10355: [
    "This is no company of this partner.",
    "List the companies; it may be another partner's or deleted.",
    "company_id",
  ],
  10356: ["An id was given for a company that is yet to be made.", reportIt, "company_id"],
  10358: ["Nothing to change was given.", "Give company_name, company_email or both.", "company_name"],
  10359: ["The company's id is missing.", lookId, "company_id"],
  10360: ["There are no companies.", "Nothing to do: the list is empty. The client answers it as an empty list."],
  // Branding
  10550: ["The address is that of one e-mail; the list is /v1/branding/emails.", reportIt],
  10551: ["Branding cannot be created: it is always there.", "Change it by PUT."],
  10552: ["Branding cannot be deleted.", "Put the earlier values back instead."],
  10553: ["There is no such branding e-mail.", "Give one of the types of §2.2.", "branding_email_type"],
  10554: [
    "No field to change was given.",
    "Give the subject, the content or the plain content.",
    "branding_email_subject",
  ],
  10555: ["No option to change was given.", "Give branding_logo_url, branding_colour or both.", "branding_logo_url"],
  10556: ["There is no such type of branding e-mail.", "Give one of the types of §2.2.", "branding_email_type"],
  10557: [
    "The HTML body lacks a variable that this e-mail must have.",
    "Keep every variable of the present HTML body.",
    "branding_email_content",
  ],
  10558: [
    "The plain body lacks a variable that this e-mail must have; the service does not say which.",
    "Keep every variable of the present plain body.",
    "branding_email_content_plain",
  ],
  10559: [
    "The logo is not a JPG or PNG file.",
    "Give the address of a JPG or PNG file that the service can reach.",
    "branding_logo_url",
  ],
  10560: ["The colour is not in hex with a leading #.", "Write it as #RRGGBB.", "branding_colour"],
};

/** The codes that are known one by one. */
export const errorCodes: readonly number[] = Object.keys(table).map(Number);

/** Explains one of the service's codes; undefined for one that is not known. */
export function explain(code: number): Explanation | undefined {
  const entry = table[code];
  if (entry === undefined) return undefined;
  const [cause, fix, field] = entry;
  return field === undefined ? { code, cause, fix } : { code, cause, field, fix };
}

/** Explains a status that came without a known code. */
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
      "The key may not do this.",
      "Check that the key is the right account's; companies and usage need a partner's key (§5).",
    ],
  ],
  [
    404,
    404,
    [
      "There is no such object, or no such address.",
      "Check the id, and that baseUrl holds the service's address without /v1.",
    ],
  ],
  [407, 407, ["A proxy wants a login.", "Check baseUrl, and the login at the proxy that stands between."]],
  [408, 408, ["The service did not get the request in time.", "Try again."]],
  [
    429,
    429,
    [
      "Too many requests.",
      "Lower maxConcurrency or set requestsPerSecond; raise timeout so that there is time to wait.",
    ],
  ],
  [503, 503, ["The service is overloaded or being maintained.", "Try again later."]],
  [500, Number.POSITIVE_INFINITY, ["The service failed.", "Try again later."]],
  [0, 499, ["The service refused the request.", "The service's message says what it wants."]],
];
