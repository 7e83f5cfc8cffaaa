/** What a user wrote cannot be used: a file of a folder, the HTML of a template, the name of a subaccount. The message says all. */
export class AccountInputError extends Error {}
