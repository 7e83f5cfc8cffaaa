/** Who works with an account, and to whom it sends envelopes. */
import { toRoleName } from "../../definitions/text/roles";
import type { Client } from "../../sdk/client";
import type { ContactInfo, UserInfo } from "./records";

export async function getUsers(client: Client): Promise<UserInfo[]> {
  const list = await client.users.list().all();
  return list.map((user) => ({
    userId: user.user_id,
    name: user.user_name ?? undefined,
    email: user.user_email ?? undefined,
    role: user.role_id ? toRoleName(user.role_id) : undefined,
    createdAt: user.user_added ?? undefined,
  }));
}

export async function getContacts(client: Client): Promise<ContactInfo[]> {
  const list = await client.contacts.list().all();
  return list.map((contact) => ({
    contactId: contact.contact_id,
    name: contact.contact_name ?? undefined,
    email: contact.contact_email ?? undefined,
    outstandingDocuments: contact.contact_outstanding_documents,
    createdAt: contact.contact_created ?? undefined,
  }));
}
