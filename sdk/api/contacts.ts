/** The people to whom an account sends envelopes. */
import { z } from "zod";
import { endpoint, pageBase, responseBase } from "./endpoint";
import { email, id, idInput, optionalCount, optionalTimestamp, text, total } from "./scalars";

/** A contact as the API returns it. Sending an envelope to a new address creates one, too. */
export const contact = z.looseObject({
  /** Identifier. */
  contact_id: id,
  contact_name: z.string().nullish(),
  contact_email: z.string().nullish(),
  /** Documents that the contact has not signed yet. */
  contact_outstanding_documents: optionalCount,
  /** When the contact was added. */
  contact_created: optionalTimestamp,
});
export type ContactRecord = z.output<typeof contact>;

/** An envelope in the list of a contact's envelopes. */
export const contactEnvelope = z.looseObject({
  /** Identifier. */
  envelope_fingerprint: z.string(),
  envelope_title: z.string().nullish(),
  /** Status. One that this version does not know is returned unchanged. */
  envelope_status: z.string(),
  envelope_created: optionalTimestamp,
  envelope_sent: optionalTimestamp,
  envelope_processed: optionalTimestamp,
  /** URL of the signed document. */
  envelope_signed_pdf: z.string().nullish(),
});
export type ContactEnvelope = z.output<typeof contactEnvelope>;

const params = z.object({
  /** Identifier of the contact. */
  contact_id: idInput,
});

const base = { section: "current 1.7", optional: "contacts" } as const;

export const create = endpoint({
  ...base,
  method: "POST",
  path: "/v1/contacts",
  summary: "Adds a contact to the account.",
  form: z.object({
    /** Name of the contact. */
    contact_name: text,
    /** Email address of the contact. */
    contact_email: email,
  }),
  response: responseBase.extend(contact.shape),
});

export const get = endpoint({
  ...base,
  method: "GET",
  path: "/v1/contacts/{contact_id}",
  summary: "Returns one contact.",
  params,
  missingCode: 10053,
  response: responseBase.extend(contact.shape),
});

export const list = endpoint({
  ...base,
  method: "GET",
  path: "/v1/contacts",
  summary: "Lists the account's contacts.",
  response: pageBase.extend({
    /** Total number of contacts. */
    total_contacts: total,
    contacts: z.array(contact),
  }),
  list: { items: "contacts", total: "total_contacts", id: "contact_id", emptyCode: 10058 },
});

export const envelopes = endpoint({
  ...base,
  method: "GET",
  path: "/v1/contacts/{contact_id}/envelopes",
  summary: "Lists the envelopes that were sent to a contact.",
  params,
  missingCode: 10053,
  response: pageBase.extend({
    /** Total number of envelopes. */
    total_envelopes: total,
    envelopes: z.array(contactEnvelope),
  }),
  list: { items: "envelopes", total: "total_envelopes", id: "envelope_fingerprint", emptyCode: 10060 },
});

export const update = endpoint({
  ...base,
  method: "PUT",
  path: "/v1/contacts/{contact_id}",
  summary: "Changes a contact's name, email address or both.",
  params,
  form: z
    .object({
      /** Name of the contact. */
      contact_name: text.optional(),
      /** Email address of the contact. */
      contact_email: email.optional(),
    })
    .refine(
      (form) => form.contact_name !== undefined || form.contact_email !== undefined,
      "needs contact_name or contact_email",
    ),
  response: responseBase.extend({
    contact_id: id.optional(),
    contact_name: z.string().nullish(),
    contact_email: z.string().nullish(),
    contact_updated: optionalTimestamp,
  }),
});

const remove = endpoint({
  ...base,
  method: "DELETE",
  path: "/v1/contacts/{contact_id}",
  summary: "Removes a contact from the account.",
  params,
  response: responseBase.extend({
    contact_id: id.optional(),
    contact_name: z.string().nullish(),
    contact_email: z.string().nullish(),
  }),
});

export { remove as delete };
