/** The contacts of an account. The service adds one for each new address that the account sends to. */
import { api } from "../../sdk";
import type { ContactModel } from "../model";
import { normalizeEmail, normalizeName } from "../text/normalize";
import { type ConfigKind, presentFields } from "./config-kind";
import { byEmail, foundByEmail, personFromState, toItem, toPerson } from "./people";

export const contact: ConfigKind = {
  ...foundByEmail,
  kind: "Contact",
  label: (email) => `contact ${email}`,
  fields: {
    name: { label: "name", normalize: normalizeName },
    email: { label: "email address", normalize: normalizeEmail },
  },
  isCreatable: true,
  isOnRequest: true,
  storage: { section: "contacts", isList: true },
  forms: [
    {
      form: api.contacts.create.form,
      names: { name: "contact_name", email: "contact_email" },
      defaults: { contact_name: "unknown", contact_email: "unknown@unknown.invalid" },
    },
  ],

  items: ({ contacts = [] }) => contacts.map(toItem),
  add(account, item) {
    account.contacts ??= [];
    account.contacts.push(toPerson<ContactModel>(item));
  },
  async read(client) {
    const contacts = await client.contacts.list().all();
    return contacts
      .map(({ contact_id, contact_name, contact_email }) => ({
        id: contact_id,
        fields: presentFields({ name: contact_name, email: contact_email }),
      }))
      .sort(byEmail);
  },
  fromState: (resource) => personFromState(resource, ["name", "email"]),
  toInputs: ({ fields }) => fields,
};
