/** Users of an account. */
import { isAdministrator, toRoleName } from "../../sdk/roles";
import { throwApiError } from "../domain/api-errors";
import type { Account, User } from "../domain/data-schema";
import { userMembers } from "../domain/notifications/subject-members";
import type { Context } from "../domain/request-context";
import { refuse } from "../domain/strictness";
import type { GroupHandlers, HandlerRequest } from "./handler";

function findUser(account: Account, id: string): { user: User; index: number } {
  const index = account.users.findIndex((user) => user.id === id);
  return index < 0 ? throwApiError("no user") : { user: account.users[index]!, index };
}

function requireNewEmail({ context }: HandlerRequest, email: string, id?: string): void {
  const isTaken = (user: User) => user.id !== id && user.email.toLowerCase() === email.toLowerCase();
  if (context.data.accounts.some(({ users }) => users.some(isTaken)))
    refuse(context.settings, "uniqueEmail", "a user has one account", "email in use");
}

const canManage = ({ role }: User) => isAdministrator(toRoleName(role));

/** Rejects what would leave the account without an administrator. */
function keepAdministrator(context: Context, account: Account, user: User): void {
  if (!canManage(user) || account.users.some((other) => other !== user && canManage(other))) return;
  refuse(context.settings, "lastAdministrator", "make another user an administrator first", "last administrator");
}

const present = ({ id, name, email }: User) => ({
  user_id: id,
  user_name: name,
  user_email: email,
});

const presentAll = (user: User) => ({
  ...present(user),
  role_id: user.role,
  user_added: user.added,
  user_last_updated: user.updated ?? null,
});

export const users: GroupHandlers<"users"> = {
  create: {
    run(request) {
      const { context, account, form, origin, actor } = request;
      requireNewEmail(request, form.user_email);
      if (account.parent !== undefined && account.users.length > 0)
        refuse(context.settings, "subaccountUsers", "change the one that it has", "one user");
      const user: User = {
        id: context.newId((id) => context.data.accounts.some((each) => each.users.some((other) => other.id === id))),
        name: form.user_name,
        email: form.user_email,
        role: form.role_id ?? "1",
        added: context.timestamp,
      };
      account.users.push(user);
      context.markChanged(account);
      context.recordWrite(account, "users", user.id);
      const members = userMembers(user);
      context.emit(account, { action: "add-user", date: user.added, ip: actor.ip, members });
      return {
        message: `${user.name} has been added to your user list.`,
        href: `${origin}/v1/users/${user.id}`,
        ...present(user),
        role_id: user.role,
        user_added: user.added,
      };
    },
  },
  get: {
    run: (request) => presentAll(findUser(request.account, request.params.user_id).user),
  },
  list: {
    run: (request) => ({
      records: request.context.listVisible(request.account, "users", request.account.users),
      item: presentAll,
    }),
  },
  update: {
    errorCodes: { "": 10104 },
    run(request) {
      const { context, account, form, origin } = request;
      // A role alone is not enough.
      if (form.user_name === undefined && form.user_email === undefined) throwApiError(10104);
      const { user: previous, index } = findUser(account, request.params.user_id);
      const {
        user_name: name = previous.name,
        user_email: email = previous.email,
        role_id: role = previous.role,
      } = form;
      requireNewEmail(request, email, previous.id);
      const user: User = { ...previous, name, email, role, updated: context.timestamp };
      if (!canManage(user)) keepAdministrator(context, account, previous);
      account.users[index] = user;
      context.markChanged(account);
      context.recordWrite(account, "users", user.id, { record: previous, index });
      return {
        message: `${user.name} has been updated in your user list.`,
        href: `${origin}/v1/users/${user.id}`,
        ...present(user),
        role_id: user.role,
        user_password_changed: false,
        user_updated: context.timestamp,
      };
    },
  },
  delete: {
    run(request) {
      const { context, account } = request;
      const { user, index } = findUser(account, request.params.user_id);
      keepAdministrator(context, account, user);
      account.users.splice(index, 1);
      context.markChanged(account);
      context.recordWrite(account, "users", user.id, { record: user, index });
      return { message: `${user.name} has been removed from your user list.`, ...present(user) };
    },
  },
};
