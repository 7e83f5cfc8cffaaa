/** The users of an account. */
import { z } from "zod";
import { api } from "../sdk/api";
import { email, text } from "../sdk/api/scalars";
import { openEnum } from "../sdk/enum-schemas";
import { type RoleName, roleNames, toRoleId, toRoleName } from "../sdk/roles";
import {
  argument,
  deletionProtection,
  type InAccount,
  inAccount,
  onExisting,
  optionalOutput,
  output,
  type RecordOf,
  type ValuesOf,
} from "./argument";
import { apiNames, fromApi } from "./field";
import { defineKind, type KindDefinition, presentFields } from "./kind";
import { byEmail, localPart, matchPeople } from "./people";
import { normalizeEmail, normalizeName } from "./text/normalize";

const userArguments = {
  /** Name of the user. */
  name: argument(text, { label: "name", apiName: "user_name", normalize: normalizeName }),
  /** Email address, with which the user signs in. */
  email: argument(email, { label: "email address", apiName: "user_email", normalize: normalizeEmail }),
  /** What the user may do: `user`, `admin` or `super-admin`. The last administrator of an account keeps the role. */
  role: argument<RoleName>(openEnum(roleNames), {
    label: "role",
    apiName: "role_id",
    toApi: toRoleId,
    fromApi: (id: string) => (id === "" ? undefined : toRoleName(id)),
    returned: "sometimes",
  }),
  /** What to do if a user with this email address exists: `adopt` it, `fail`, or `create` a second one. Default: adopt. */
  onExisting: onExisting(),
  /** Protects the user, who would lose access, from being deleted. Default: true. */
  deletionProtection: deletionProtection({ label: "deletion protection", isOptional: true, returned: "never" }),
};
/** What a program declares. */
export interface UserValues extends ValuesOf<typeof userArguments>, InAccount {}

const userOutputs = {
  /** Identifier of the user. */
  userId: output("user_id", { isKey: true }),
  /** When the user was added. */
  createdAt: optionalOutput("user_added"),
};
/** Outputs besides the arguments. */
export interface UserOutputs extends ValuesOf<typeof userOutputs> {}

/** A user of an account. */
export interface UserInfo
  extends RecordOf<typeof userArguments & typeof userOutputs, "userId", "name" | "email" | "createdAt"> {
  /** `user`, `admin`, `super-admin`, or the API's number of a role that this version does not know; absent in older interfaces. */
  role: string | undefined;
}

/** @internal */
export const user: KindDefinition = defineKind({
  kind: "User",
  nouns: ["user", "users"],
  arguments: { ...userArguments, ...inAccount },
  outputs: userOutputs,
  naturalKey: ["email"],
  isCreatable: true,
  isOnRequest: true,
  storage: { section: "users" },
  forms: [
    {
      form: api.users.create.form,
      names: apiNames(userArguments, ["name", "email"]),
      defaults: { user_name: "unknown", user_email: "unknown@unknown.invalid", role_id: "1" },
    },
    { form: z.object({ role: openEnum(roleNames) }), names: { role: "role" } },
  ],

  matchRules: (sources) => matchPeople(user, sources),
  newName: localPart,

  async read(client) {
    const users = await client.users.list().all();
    return users.map((record) => ({ id: record.user_id, fields: presentFields(fromApi(user, record)) })).sort(byEmail);
  },
  toInputs: ({ fields: { deletionProtection, ...fields } }) => ({
    ...fields,
    ...(deletionProtection !== undefined && { deletionProtection: toBoolean(deletionProtection) }),
  }),
});

/** A boolean, or what is written in its place, for the resource to reject. */
const toBoolean = (text: string) => (text === "true" || text === "false" ? text === "true" : text);
