/** The people who work with an account. */
import { z } from "zod";
import { openEnum } from "../enum-schemas";
import { roleIds } from "../known-values";
import { parseRules } from "../parse-rules";
import { endpoint, pageBase, responseBase } from "./endpoint";
import { email, id, idInput, optionalTimestamp, text, total } from "./scalars";

/** A user as the API returns it. */
export const user = z.looseObject({
  /** Identifier. */
  user_id: id,
  user_name: z.string().nullish(),
  user_email: z.string().nullish(),
  /** The role. One that this version does not know is returned unchanged; the older edition has none. */
  role_id: id.nullish(),
  /** When the user was added. */
  user_added: optionalTimestamp,
  /** Last update. */
  user_last_updated: optionalTimestamp,
});
export type UserRecord = z.output<typeof user>;

const params = z.object({
  /** Identifier of the user. */
  user_id: idInput,
});

const base = { section: "current 1.6", optional: "users" } as const;

export const create = endpoint({
  ...base,
  method: "POST",
  path: "/v1/users",
  summary: "Adds a user to the account.",
  form: z
    .object({
      /** Name of the user. */
      user_name: text,
      /** Email address, with which the user signs in. */
      user_email: email,
      /** The role: 1 for a user, 2 for an administrator, 3 for a super administrator. Only the current edition needs it. */
      role_id: openEnum(roleIds).optional(),
    })
    .refine((form) => form.role_id !== undefined || parseRules().edition !== "current", {
      path: ["role_id"],
      message: "is required, and must be one of 1, 2, 3",
    }),
  response: responseBase.extend(user.shape),
});

export const get = endpoint({
  ...base,
  method: "GET",
  path: "/v1/users/{user_id}",
  summary: "Returns one user.",
  params,
  response: responseBase.extend(user.shape),
});

export const list = endpoint({
  ...base,
  method: "GET",
  path: "/v1/users",
  summary: "Lists the account's users.",
  response: pageBase.extend({
    /** Total number of users. */
    total_users: total,
    users: z.array(user),
  }),
  list: { items: "users", total: "total_users", id: "user_id" },
});

export const update = endpoint({
  ...base,
  method: "PUT",
  path: "/v1/users/{user_id}",
  summary: "Changes a user's name, email address or role; the name or the email address is always needed.",
  params,
  form: z
    .object({
      /** Name of the user. */
      user_name: text.optional(),
      /** Email address, with which the user signs in. */
      user_email: email.optional(),
      /** The role: 1 for a user, 2 for an administrator, 3 for a super administrator. */
      role_id: openEnum(roleIds).optional(),
    })
    .refine(
      (form) => form.user_name !== undefined || form.user_email !== undefined,
      "needs user_name or user_email, also where only role_id changes",
    ),
  response: responseBase.extend({
    user_id: id.optional(),
    user_name: z.string().nullish(),
    user_email: z.string().nullish(),
    role_id: id.nullish(),
    user_updated: optionalTimestamp,
  }),
});

const remove = endpoint({
  ...base,
  method: "DELETE",
  path: "/v1/users/{user_id}",
  summary: "Removes a user from the account.",
  params,
  response: responseBase.extend({
    user_id: id.optional(),
    user_name: z.string().nullish(),
    user_email: z.string().nullish(),
  }),
});

export { remove as delete };
