/** The contacts of an account. The service adds one for each new address that the account sends to. */
import { api } from "../sdk/api";
import { apiNames, type FieldTable, fromApi } from "./field";
import { type ConfigKind, presentFields } from "./kind";
import type { ContactModel } from "./model";
import { byEmail, foundByEmail, personFromState, toItem, toPerson } from "./people";
import { normalizeEmail, normalizeName } from "./text/normalize";

export const contactFields: FieldTable = {
  fields: {
    name: { label: "name", apiName: "contact_name", normalize: normalizeName },
    email: { label: "email address", apiName: "contact_email", normalize: normalizeEmail },
  },
};

export const contact: ConfigKind = {
  ...foundByEmail,
  kind: "Contact",
  label: (email) => `contact ${email}`,
  ...contactFields,
  isCreatable: true,
  isOnRequest: true,
  storage: { section: "contacts", isList: true },
  forms: [
    {
      form: api.contacts.create.form,
      names: apiNames(contactFields, ["name", "email"]),
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
      .map((record) => ({ id: record.contact_id, fields: presentFields(fromApi(contactFields, record)) }))
      .sort(byEmail);
  },
  fromState: (resource) => personFromState(resource, Object.keys(contactFields.fields)),
  toInputs: ({ fields }) => fields,
};
