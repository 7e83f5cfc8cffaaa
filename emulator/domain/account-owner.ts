/** The user who acts for an account where a request names none. */
import type { Account, Envelope, User } from "./data-schema";

/** The first user, who sends what is sent with the account's key. */
export function ownerOf({ users, id, name, email }: Account): Pick<User, "id" | "name" | "email"> {
  return users[0] ?? { id, name, email };
}

/** The user who sends an envelope; the account's owner in place of one that was deleted. */
export function senderOf(account: Account, { user }: Pick<Envelope, "user">): Pick<User, "id" | "name" | "email"> {
  return account.users.find(({ id }) => id === user) ?? ownerOf(account);
}
