/** The user who acts for an account where a request names none. */
import type { Account, User } from "./data-schema";

/** The first user, who sends what is sent with the account's key. */
export function ownerOf({ users, id, name, email }: Account): Pick<User, "id" | "name" | "email"> {
  return users[0] ?? { id, name, email };
}
