/** The roles of users, which the API has as numbers. */

const roles = { user: "1", admin: "2", "super-admin": "3" } as const;

export type RoleName = keyof typeof roles;
export const roleNames = Object.keys(roles) as [RoleName, ...RoleName[]];

/** True for a role with which an account can be managed; not for one that this version does not know. */
export const isAdministrator = (role: string | undefined): boolean => role === "admin" || role === "super-admin";

/** The API's number of a role; another value unchanged. */
export const toRoleId = (name: string): string =>
  Object.hasOwn(roles, name) ? roles[name as keyof typeof roles] : name;

/** The name of one of the API's roles; another value unchanged. */
export const toRoleName = (id: string): string => roleNames.find((name) => roles[name] === id) ?? id;
