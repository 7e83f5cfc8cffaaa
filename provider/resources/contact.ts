import { contact as contactDefinition } from "../../definitions/contact";
import { ApiError } from "../../sdk/errors";
import { type AccountHandle, defineResource } from "../core/resource-definition";
import { assertNotTestKey, assertSameId, confirmsDeletion } from "./check-response";
import { EmailAddresses } from "./email-addresses";
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

const addressesOf = (account: AccountHandle) =>
  EmailAddresses.of(account, "contact", contactsOf(account), ({ contact_email }) => contact_email);

/** @internal */
export const contact = defineResource<ContactItem>(contactDefinition, {
  read: (account, key, age) => contactsOf(account).read(key, age),

  async update(account, key, form) {
    const response = await account.client.contacts.update({ contact_id: key, ...form });
    assertNotTestKey(response);
    assertSameId(response.contact_id, key);
    const { contact_name, contact_email } = response;
    contactsOf(account).updated(key, form, { contact_name, contact_email });
    return { ...contactsOf(account).cached(key), contact_id: key, contact_name, contact_email };
  },

  async guard(account, { key, fields, isPreview }) {
    if (fields?.email !== undefined) await addressesOf(account).guard(key, fields.email, isPreview);
  },

  collection: {
    objects: contactsOf,
    createFields: ["name", "email"],
    isAlreadyExistsError: (error) => error instanceof ApiError && error.code === 10059,
    async create(account, args) {
      await addressesOf(account).claim(undefined, args.email as string);
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
