/** Contacts: people to whom an account sends envelopes. */
import { z } from "zod";
import { contactFields } from "../../definitions/contact";
import { isSameEmail, isSameName } from "../../definitions/text/normalize";
import { email, text } from "../../sdk/api/scalars";
import { openEnum } from "../../sdk/enums";
import { ApiError } from "../../sdk/errors";
import { type AccountHandle, defineResource } from "../core/resource-definition";
import { accountArgument, type InAccount } from "./account-argument";
import { assertNotTestKey, assertSameId, confirmsDeletion } from "./check-response";
import { listedObjects } from "./listed-objects";

type Maybe = string | null | undefined;

/** A contact as create, list and update return it; an update may omit what it changed. */
export interface ContactItem {
  contact_id: string;
  contact_name?: Maybe;
  contact_email?: Maybe;
  contact_created?: Maybe;
}

/** The contacts of an account, read together. */
const contactsOf = (account: AccountHandle) =>
  listedObjects<ContactItem, "contact_id">(account, "contacts", "contact_id", {
    list: (offset) => account.client.contacts.list({ offset }),
    get: (id) => account.client.contacts.get({ contact_id: id }),
  });

/** What a program declares. */
export interface ContactValues extends InAccount {
  /** Name of the contact. */
  name: string;
  /** Email address of the contact. An existing contact with this address is adopted. */
  email: string;
  /** What to do if a contact with this email address exists: `adopt` it, `fail`, or `create` a second one. Default: adopt. */
  onExisting?: "adopt" | "fail" | "create" | undefined;
}

const contactArgs = {
  name: text,
  email: email,
  account: accountArgument.optional(),
  onExisting: openEnum(["adopt", "fail", "create"]).optional(),
};

/** Outputs besides the arguments. */
export interface ContactOutputs {
  /** Identifier of the contact. */
  contactId: string;
  /** When it was created. */
  createdAt?: string | undefined;
}

const contactOutputs = {
  contactId: z.string(),
  createdAt: z.string().optional(),
};

/** @internal */
export const contact = defineResource({
  kind: "Contact",
  handler: "contact",
  args: z.object(contactArgs),
  outputs: z.object(contactOutputs),
  keyOutput: "contactId",
  secrets: [],
  ...contactFields,
  createOnly: ["account"],
  naturalKey: ["email"],
  defaults: { onExisting: "adopt" },

  key: (item) => item.contact_id,
  outputsOf: (item: ContactItem) => ({ contactId: item.contact_id, createdAt: item.contact_created || undefined }),

  locate(args, { contacts = [] }) {
    const id = contacts.find((each) => isSameEmail(each.email, args.email as string))?.id;
    return id === undefined ? undefined : { key: id, outputs: { contactId: id } };
  },

  read: (account, key, age) => contactsOf(account).read(key, age),

  async update(account, key, form) {
    const response = await account.client.contacts.update({ contact_id: key, ...form });
    assertNotTestKey(response);
    assertSameId(response.contact_id, key);
    const { contact_name, contact_email } = response;
    contactsOf(account).updated(key, form, { contact_name, contact_email });
    return { ...contactsOf(account).cached(key), contact_id: key, contact_name, contact_email };
  },

  collection: {
    objects: contactsOf,
    createFields: ["name", "email"],
    match: (item, args) => (isSameEmail(item.contact_email ?? "", args.email as string) ? "same" : "different"),
    matchNew: (item, args) =>
      isSameEmail(item.contact_email ?? "", args.email as string) &&
      isSameName(item.contact_name ?? "", args.name as string),
    isAlreadyExistsError: (error) => error instanceof ApiError && error.code === 10059,
    async create(account, args) {
      const response = await account.client.contacts.create({
        contact_name: args.name as string,
        contact_email: args.email as string,
      });
      assertNotTestKey(response);
      return response;
    },
    async delete(account, key) {
      const response = await account.client.contacts.delete({ contact_id: key });
      return confirmsDeletion(response, response.contact_id, key);
    },
  },
});
