/** Who works with an account, and to whom it sends envelopes. */
import { toRoleName } from "../../account-folder/text/roles";
import type { Client } from "../../sdk/client";
import { invoke, invokeOutput } from "./invoke";

/** A user of an account. */
export interface UserInfo {
  /** Identifier. */
  userId: string;
  /** Name of the user. */
  name: string | undefined;
  /** Email address, with which the user signs in. */
  email: string | undefined;
  /** `user`, `admin`, `super-admin`, or the API's number of a role that this version does not know; absent in older interfaces. */
  role: string | undefined;
  /** When the user was added. */
  createdAt: string | undefined;
}

/** A contact of an account. */
export interface ContactInfo {
  /** Identifier. */
  contactId: string;
  /** Name of the contact. */
  name: string | undefined;
  /** Email address of the contact. */
  email: string | undefined;
  /** Documents that the contact has not signed yet. */
  outstandingDocuments: number | undefined;
  /** When it was created. */
  createdAt: string | undefined;
}

async function users(client: Client): Promise<UserInfo[]> {
  const list = await client.users.list().all();
  return list.map((user) => ({
    userId: user.user_id,
    name: user.user_name ?? undefined,
    email: user.user_email ?? undefined,
    role: user.role_id ? toRoleName(user.role_id) : undefined,
    createdAt: user.user_added ?? undefined,
  }));
}

async function contacts(client: Client): Promise<ContactInfo[]> {
  const list = await client.contacts.list().all();
  return list.map((contact) => ({
    contactId: contact.contact_id,
    name: contact.contact_name ?? undefined,
    email: contact.contact_email ?? undefined,
    outstandingDocuments: contact.contact_outstanding_documents,
    createdAt: contact.contact_created ?? undefined,
  }));
}

/** All users of an account. */
export const getUsers = invoke("getUsers", users);
/** As {@link getUsers}, for outputs. */
export const getUsersOutput = invokeOutput("getUsers", users);
/** All contacts of an account. */
export const getContacts = invoke("getContacts", contacts);
/** As {@link getContacts}, for outputs. */
export const getContactsOutput = invokeOutput("getContacts", contacts);
