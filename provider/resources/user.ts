import { isSameEmail } from "../../definitions/text/normalize";
import { user as userDefinition } from "../../definitions/user";
import { ApiError } from "../../sdk/errors";
import type { RoleId } from "../../sdk/known-values";
import { isAdministrator, toRoleId, toRoleName } from "../../sdk/roles";
import { UNKNOWN } from "../core/pulumi-values";
import { type AccountHandle, defineResource } from "../core/resource-definition";
import { readMaxAge } from "../core/time-limits";
import { assertUnprotected } from "../plan/deletion-protection";
import { Administrators } from "./administrators";
import { assertNotTestKey, assertSameId, confirmsDeletion } from "./check-response";
import { EmailAddresses } from "./email-addresses";
import { listedObjects } from "./listed-objects";

type Maybe = string | null | undefined;

/** A user as create, list and update return it; an update may omit what it changed. */
export interface UserItem {
  user_id: string;
  user_name?: Maybe;
  user_email?: Maybe;
  role_id?: Maybe;
  user_added?: Maybe;
}

/** The users of an account, read together. */
const usersOf = (account: AccountHandle) =>
  listedObjects<UserItem, "user_id">(account, "users", "user_id", {
    list: (offset) => account.client.users.list({ offset }),
    get: (id) => account.client.users.get({ user_id: id }),
  });

const addressesOf = (account: AccountHandle) =>
  EmailAddresses.of(account, "user", usersOf(account), ({ user_email }) => user_email);

/** @internal */
export const user = defineResource<UserItem>(userDefinition, {
  warningOnCreate: ({ account }) =>
    account === undefined ? undefined : "a subaccount has one user: the API is expected to refuse another one",
  read: (account, key, age) => usersOf(account).read(key, age),

  async update(account, key, form) {
    // The service changes a role only together with a name or an email address.
    const isRoleAlone = form.user_name === undefined && form.user_email === undefined;
    const name = isRoleAlone ? (await usersOf(account).read(key, readMaxAge.preview))?.user_name : undefined;
    const response = await account.client.users.update({ user_id: key, ...(name && { user_name: name }), ...form });
    assertNotTestKey(response);
    assertSameId(response.user_id, key);
    const { user_name, user_email, role_id } = response;
    usersOf(account).updated(key, form, { user_name, user_email, role_id });
    return { ...usersOf(account).cached(key), user_id: key, user_name, user_email, role_id };
  },

  async guard(account, { key, fields, isPreview }) {
    if (fields?.email !== undefined) await addressesOf(account).guard(key, fields.email, isPreview);
    const administrators = Administrators.of(account);
    if (fields !== undefined && fields.role === undefined) return;
    // What is not known yet may be an administrator's.
    if (fields !== undefined && (fields.role === UNKNOWN || isAdministrator(fields.role))) {
      if (isPreview) administrators.addPlanned();
      return;
    }
    if (key === undefined) return;
    const users = await usersOf(account).all(isPreview ? readMaxAge.preview : 0);
    const people = [...users.values()].map(({ user_id, role_id }) => ({
      id: user_id,
      role: role_id ? toRoleName(role_id) : undefined,
    }));
    administrators.remove(key, people);
  },

  collection: {
    objects: usersOf,
    createFields: ["name", "email", "role"],
    // Its first user.
    isInNewAccount: ({ email }, { userEmail }) =>
      [email, userEmail].includes(UNKNOWN) || isSameEmail(email as string, userEmail as string),
    isAlreadyExistsError: (error) => error instanceof ApiError && error.code === 10353,
    async create(account, args) {
      await addressesOf(account).claim(undefined, args.email as string);
      const response = await account.client.users.create({
        user_name: args.name as string,
        user_email: args.email as string,
        role_id: toRoleId(args.role as string) as RoleId,
      });
      assertNotTestKey(response);
      return response;
    },
    async delete(account, key) {
      const response = await account.client.users.delete({ user_id: key });
      return confirmsDeletion(response, response.user_id, key);
    },
    assertDeletable: (state) => assertUnprotected(state, "the user, who would lose access"),
  },
});
