/** The users of an account. */
import { z } from "zod";
import { api } from "../../sdk";
import { openEnum } from "../../sdk/api/scalars";
import type { UserModel } from "../model";
import { normalizeEmail, normalizeName } from "../text/normalize";
import { roleNames, toRoleName } from "../text/roles";
import { type ConfigKind, presentFields } from "./config-kind";
import { byEmail, foundByEmail, personFromState, toItem, toPerson } from "./people";

export const user: ConfigKind = {
  ...foundByEmail,
  kind: "User",
  label: (email) => `user ${email}`,
  fields: {
    name: { label: "name", normalize: normalizeName },
    email: { label: "email address", normalize: normalizeEmail },
    role: { label: "role", returned: "sometimes" },
    deletionProtection: { label: "deletion protection", isOptional: true, returned: "never" },
  },
  isCreatable: true,
  isOnRequest: true,
  storage: { section: "users", isList: true },
  forms: [
    {
      form: api.users.create.form,
      names: { name: "user_name", email: "user_email" },
      defaults: { user_name: "unknown", user_email: "unknown@unknown.invalid", role_id: "1" },
    },
    { form: z.object({ role: openEnum(roleNames) }), names: { role: "role" } },
  ],

  items: ({ users = [] }) => users.map(toItem),
  add(account, item) {
    account.users ??= [];
    account.users.push(toPerson<UserModel>(item));
  },
  async read(client) {
    const users = await client.users.list().all();
    return users
      .map(({ user_id, user_name, user_email, role_id }) => ({
        id: user_id,
        fields: presentFields({ name: user_name, email: user_email, role: role_id && toRoleName(role_id) }),
      }))
      .sort(byEmail);
  },
  fromState: (resource) => personFromState(resource, ["name", "email", "role"]),
  toInputs: ({ fields: { deletionProtection, ...fields } }) => ({
    ...fields,
    ...(deletionProtection !== undefined && { deletionProtection: toBoolean(deletionProtection) }),
  }),
};

/** A boolean, or what is written in its place, for the resource to reject. */
const toBoolean = (text: string) => (text === "true" || text === "false" ? text === "true" : text);
