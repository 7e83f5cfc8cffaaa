/** The contacts of an account. The service adds one for each new address that the account sends to. */
import { api } from "../sdk/api";
import { email, text } from "../sdk/api/scalars";
import {
  argument,
  type InAccount,
  inAccount,
  onExisting,
  optionalOutput,
  output,
  type RecordOf,
  type ValuesOf,
} from "./argument";
import { apiNames, fromApi } from "./field";
import { defineKind, type KindDefinition, presentFields } from "./kind";
import { byEmail, localPart, matchPeople } from "./people";
import { normalizeEmail, normalizeName } from "./text/normalize";

const contactArguments = {
  /** Name of the contact. */
  name: argument(text, { label: "name", apiName: "contact_name", normalize: normalizeName }),
  /** Email address of the contact. */
  email: argument(email, { label: "email address", apiName: "contact_email", normalize: normalizeEmail }),
  /** What to do if a contact with this email address exists: `adopt` it, `fail`, or `create` a second one. Default: adopt. */
  onExisting: onExisting(),
};
/** What a program declares. */
export interface ContactValues extends ValuesOf<typeof contactArguments>, InAccount {}

const contactOutputs = {
  /** Identifier of the contact. */
  contactId: output("contact_id", { isKey: true }),
  /** When it was created. */
  createdAt: optionalOutput("contact_created"),
};
/** Outputs besides the arguments. */
export interface ContactOutputs extends ValuesOf<typeof contactOutputs> {}

/** A contact of an account. */
export interface ContactInfo
  extends RecordOf<typeof contactArguments & typeof contactOutputs, "contactId", "name" | "email" | "createdAt"> {
  /** Documents that the contact has not signed yet. */
  outstandingDocuments: number | undefined;
}

/** @internal */
export const contact: KindDefinition = defineKind({
  kind: "Contact",
  nouns: ["contact", "contacts"],
  arguments: { ...contactArguments, ...inAccount },
  outputs: contactOutputs,
  naturalKey: ["email"],
  isCreatable: true,
  isOnRequest: true,
  storage: { section: "contacts" },
  forms: [
    {
      form: api.contacts.create.form,
      names: apiNames(contactArguments, ["name", "email"]),
      defaults: { contact_name: "unknown", contact_email: "unknown@unknown.invalid" },
    },
  ],

  matchRules: (sources) => matchPeople(contact, sources),
  newName: localPart,

  async read(client) {
    const contacts = await client.contacts.list().all();
    return contacts
      .map((record) => ({ id: record.contact_id, fields: presentFields(fromApi(contact, record)) }))
      .sort(byEmail);
  },
});
