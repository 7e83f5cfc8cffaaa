/** What users and contacts have in common: people, who are found by their email address. */

import { type KindDefinition, ownName, type StateResource, textsOf } from "./kind";
import type { Item } from "./model";
import { keyOfId } from "./object-id";
import { normalizeEmail } from "./text/normalize";
import { byText } from "./text/sort";

const emailOf = ({ fields: { email = "" } }: Item) => normalizeEmail(email);

/** How one of them is named and matched. */
export const foundByEmail: Pick<KindDefinition, "nameOf" | "itemNamed" | "identity" | "matchRules" | "newName"> = {
  nameOf: ({ fields }) => fields.email ?? "",
  itemNamed: (email) => ({ fields: { email } }),
  identity: emailOf,
  matchRules: ({ isOtherEnvironment, isSameUnfilled }) => [
    // Of several with one address, each matches itself first.
    { key: (item) => item.id && `${item.id} ${emailOf(item)}` },
    { key: emailOf },
    ...(isSameUnfilled ? [{ key: () => "", when: (a: Item, b: Item) => isSameUnfilled(a, b, "email") }] : []),
    { key: ({ name }) => name },
    // An identifier says nothing about another account.
    ...(isOtherEnvironment ? [] : [{ key: ({ id }: Item) => id }]),
  ],
  newName: ({ fields }) => fields.email?.split("@")[0] ?? "",
};

export function personFromState(resource: StateResource, fields: readonly string[]): Item {
  const id = resource.id === undefined ? undefined : keyOfId(resource.id);
  return { ...(id !== undefined && { id }), name: ownName(resource), fields: textsOf(resource.inputs, fields) };
}

export const byEmail = byText((item: Item) => [emailOf(item), item.id?.padStart(20, "0")].join("\n"));
