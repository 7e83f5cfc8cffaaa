/** The users of an account. */
import { z } from "zod";
import { api } from "../sdk/api";
import { openEnum } from "../sdk/enums";
import { apiNames, type FieldTable, fromApi } from "./field";
import { type ConfigKind, presentFields } from "./kind";
import type { UserModel } from "./model";
import { byEmail, foundByEmail, personFromState, toItem, toPerson } from "./people";
import { normalizeEmail, normalizeName } from "./text/normalize";
import { roleNames, toRoleId, toRoleName } from "./text/roles";

export const userFields: FieldTable = {
  fields: {
    name: { label: "name", apiName: "user_name", normalize: normalizeName },
    email: { label: "email address", apiName: "user_email", normalize: normalizeEmail },
    role: {
      label: "role",
      apiName: "role_id",
      toApi: toRoleId,
      fromApi: (id: string) => (id === "" ? undefined : toRoleName(id)),
      returned: "sometimes",
    },
    deletionProtection: { label: "deletion protection", isOptional: true, returned: "never" },
  },
};

export const user: ConfigKind = {
  ...foundByEmail,
  kind: "User",
  label: (email) => `user ${email}`,
  ...userFields,
  isCreatable: true,
  isOnRequest: true,
  storage: { section: "users", isList: true },
  forms: [
    {
      form: api.users.create.form,
      names: apiNames(userFields, ["name", "email"]),
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
      .map((record) => ({ id: record.user_id, fields: presentFields(fromApi(userFields, record)) }))
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
