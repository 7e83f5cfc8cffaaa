/** Contacts: those that were added, and the parties of envelopes. */
import { throwApiError } from "../domain/api-errors";
import type { Account, Contact, Envelope } from "../domain/data-schema";
import { contactMembers } from "../domain/notifications/subject-members";
import type { GroupHandlers, HandlerRequest } from "./handler";
import { signedPdf } from "./present-envelope";

type Request = Pick<HandlerRequest, "context" | "account" | "actor">;

/** Adds a contact, which is an event. */
export function addContact({ context, account, actor }: Request, contact: Contact): void {
  const { id, name, email, created } = contact;
  account.contacts.push(contact);
  context.markChanged(account);
  context.recordWrite(account, "contacts", id);
  const members = contactMembers({ contact: id, name, email });
  context.emit(account, { action: "add-contact", date: created, ip: actor.ip, members });
}

function findContact(account: Account, id: string): { contact: Contact; index: number } {
  const index = account.contacts.findIndex((contact) => contact.id === id);
  return index < 0 ? throwApiError(10053) : { contact: account.contacts[index]!, index };
}

/** Documents that wait for the contact's signature. */
function outstandingDocuments({ envelopes }: Account, contact: Contact): string {
  const isWaiting = ({ status, parties }: Envelope) =>
    status === "sent" &&
    parties.some((party) => party.contact === contact.id && ["waiting", "in progress"].includes(party.status));
  return String(envelopes.filter(isWaiting).reduce((sum, { documents }) => sum + documents.length, 0));
}

const present = ({ id, name, email }: Contact) => ({
  contact_id: id,
  contact_name: name,
  contact_email: email,
});

const presentAll = (request: HandlerRequest, contact: Contact) => ({
  ...present(contact),
  contact_outstanding_documents: outstandingDocuments(request.account, contact),
  contact_created: contact.created,
});

function presentEnvelope(request: HandlerRequest, envelope: Envelope) {
  return {
    envelope_fingerprint: envelope.fingerprint,
    envelope_title: envelope.title,
    envelope_status: envelope.status,
    envelope_created: envelope.created,
    envelope_sent: envelope.sent ?? null,
    envelope_processed: envelope.processed ?? null,
    envelope_signed_pdf: signedPdf(request, envelope),
  };
}

function requireNewEmail({ account }: Request, email: string, id?: string): void {
  const isTaken = (other: Contact) => other.id !== id && other.email.toLowerCase() === email.toLowerCase();
  if (account.contacts.some(isTaken)) throwApiError(10059);
}

export const contacts: GroupHandlers<"contacts"> = {
  create: {
    errorCodes: { contact_name: [10050, 10010], contact_email: [10051, 10010] },
    run(request) {
      const { context, account, form, origin } = request;
      requireNewEmail(request, form.contact_email);
      const contact: Contact = {
        id: context.newId((id) => account.contacts.some((other) => other.id === id)),
        name: form.contact_name,
        email: form.contact_email,
        created: context.timestamp,
      };
      addContact(request, contact);
      return {
        message: `${contact.name} has been added to your contact list.`,
        href: `${origin}/v1/contacts/${contact.id}`,
        ...present(contact),
        contact_created: contact.created,
      };
    },
  },
  get: {
    run: (request) => presentAll(request, findContact(request.account, request.params.contact_id).contact),
  },
  list: {
    run: (request) => ({
      records: request.context.listVisible(request.account, "contacts", request.account.contacts),
      item: (contact: Contact) => presentAll(request, contact),
    }),
  },
  envelopes: {
    run(request) {
      const { contact } = findContact(request.account, request.params.contact_id);
      return {
        records: request.context
          .listVisible(request.account, "envelopes", request.account.envelopes)
          .filter(({ parties }) => parties.some((party) => party.contact === contact.id)),
        item: (envelope: Envelope) => presentEnvelope(request, envelope),
        failsIfEmpty: true,
      };
    },
  },
  update: {
    errorCodes: { "": 10054 },
    run(request) {
      const { context, account, form, origin } = request;
      const { contact: previous, index } = findContact(account, request.params.contact_id);
      const { contact_name: name = previous.name, contact_email: email = previous.email } = form;
      requireNewEmail(request, email, previous.id);
      const contact: Contact = { ...previous, name, email };
      account.contacts[index] = contact;
      context.markChanged(account);
      context.recordWrite(account, "contacts", contact.id, { record: previous, index });
      return {
        message: `${contact.name} has been updated in your contact list.`,
        href: `${origin}/v1/contacts/${contact.id}`,
        ...present(contact),
        contact_updated: context.timestamp,
      };
    },
  },
  delete: {
    run(request) {
      const { context, account } = request;
      const { contact, index } = findContact(account, request.params.contact_id);
      account.contacts.splice(index, 1);
      context.markChanged(account);
      context.recordWrite(account, "contacts", contact.id, { record: contact, index });
      return { message: `${contact.name} has been removed from your contact list.`, ...present(contact) };
    },
  },
};
