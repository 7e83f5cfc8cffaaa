/**
 * The provider's own errors: each has a code that never changes its meaning. Messages carry it, `esign explain` and
 * docs/reference/troubleshooting/error-codes.md tell the cause and the fix. Invalid arguments have none: their message names the field
 * and what is allowed. The API's own codes are in sdk/error-codes.ts.
 */

interface ErrorInfo {
  title: string;
  cause: string;
  fix: string;
}

export const errorCodes = {
  ESIGN1001: {
    title: "Invalid settings",
    cause: "A setting (esign:* configuration, Provider argument or ESIGN_* variable) is missing or malformed.",
    fix: "Set it as the message shows: `config set`, an explicit esign.Provider, or the environment variable.",
  },
  ESIGN1002: {
    title: "Key not allowed",
    cause: "The key in use is not among the fingerprints in esign:expectAccount. Nothing was sent.",
    fix: "Use the right key, or add its fingerprint to esign:expectAccount.",
  },
  ESIGN1003: {
    title: "Wrong account",
    cause:
      "The key, or the service's address, differs from the recorded one, and none of the stack's objects exist in the account.",
    fix: "For another account, use another stack: a state belongs to one account. Else use the right key and address: a service that has moved has the objects. After a key rotation, set esign:expectAccount to the fingerprint of the new key. If the account of the stack is gone, `state delete` its objects, then run `up`.",
  },
  ESIGN1004: {
    title: "Test key",
    cause: "The key is a test key: the API reports success and changes nothing.",
    fix: "Use the account's live key.",
  },
  ESIGN1010: {
    title: "Object already exists",
    cause: 'An identical, unmanaged object exists, and the resource declares onExisting: "fail".',
    fix: 'Set onExisting: "adopt" to manage it, or "create" to add a second one.',
  },
  ESIGN1011: {
    title: "Ambiguous match",
    cause: "A company of the same name exists with a different email address: it may or may not be the declared one.",
    fix: 'Declare its email to adopt it, or set onExisting: "create" to create another one.',
  },
  ESIGN1012: {
    title: "Conflict",
    cause: "A field that the update would overwrite was changed outside Pulumi since the last refresh.",
    fix: "Refresh, review the plan, and run it again; or set esign:onConflict to overwrite.",
  },
  ESIGN1013: {
    title: "Duplicate resource",
    cause: "Two resources of the program declare the same object: each would undo the other's changes.",
    fix: 'Remove one of them, or set onExisting: "create" on one (not branding, email templates and settings).',
  },
  ESIGN1014: {
    title: "Object adopted by another resource",
    cause: "Another resource of the program has adopted the object in the same run. Nothing was changed.",
    fix: 'Declare different objects, or set onExisting: "create" on the new resource.',
  },
  ESIGN1015: {
    title: "ID of another object returned",
    cause:
      "The API kept answering a create with the ID of an object that existed before or belongs to another resource.",
    fix: "Check the account for the new object, then rerun: it is found and reused.",
  },
  ESIGN1016: {
    title: "Response about another object",
    cause: "The API returned a different object than the requested one; the response was discarded.",
    fix: "Rerun. If it persists, check for a proxy that rewrites or caches responses, or contact support.",
  },
  ESIGN1017: {
    title: "Unknown argument value",
    cause: "The engine asked for a create although the value of an argument was not known yet.",
    fix: "Report it, with the program that shows it.",
  },
  ESIGN1018: {
    title: "Outcome of an interrupted create unknown",
    cause:
      "A deployment was interrupted while it created an object. An identical one exists, and no record in .esign/pending-creates shows whether the deployment created it.",
    fix: 'Run `up` to adopt it, unless it declares onExisting: "create". Or delete it yourself, then run `refresh --clear-pending-creates`.',
  },
  ESIGN1020: {
    title: "Object not found",
    cause: "An object was to be read by its ID: the account has none with that ID, or such an object cannot have it.",
    fix: "Pass the ID of an existing object; within a subaccount: <company's id>/<id>. Branding and settings have their own name in its place, an email template its type.",
  },
  ESIGN1021: {
    title: "Object no longer exists",
    cause: "The object was deleted outside Pulumi.",
    fix: "Refresh, then run `up` to recreate it.",
  },
  ESIGN1022: {
    title: "Subaccount no longer exists",
    cause: "The company that the object belongs to was deleted outside Pulumi.",
    fix: "Refresh, then run `up` to recreate what the program declares.",
  },
  ESIGN1023: {
    title: "Object not listed yet",
    cause:
      "The API returns the object by its ID, but its list does not show it yet, and only the list has all of its data.",
    fix: "Rerun in a while.",
  },
  ESIGN1025: {
    title: "Required variable lost",
    cause:
      "A new text of an email template lacks a variable that the API requires, and that the account's current text has. Nothing was changed.",
    fix: "Add the variable to the body that the message names; or set esign:allowUnknownValues to let the API decide.",
  },
  ESIGN1030: {
    title: "Value not applied",
    cause: "The API reported success but did not change the field.",
    fix: "Rerun. If it repeats, the API rejects this value silently: contact support.",
  },
  ESIGN1031: {
    title: "Original value not restored",
    cause: "The API no longer accepts the original value, for example the URL of its default logo.",
    fix: 'Set onDelete: "keep" and run `up`; then rerun. Restore the value in the web app.',
  },
  ESIGN1040: {
    title: "Deletion protected",
    cause:
      "The company or user has deletionProtection, which is the default: a company goes with its data, a user loses access.",
    fix: "Set deletionProtection: false and run `up`, then delete it.",
  },
  ESIGN1041: {
    title: "Envelopes could not be counted",
    cause: "The company's envelopes could not be counted, so it was not deleted.",
    fix: "Rerun later, or set ESIGN_ON_UNREADABLE=delete to delete it anyway.",
  },
  ESIGN1042: {
    title: "Object still exists",
    cause: "The API reported that the object was deleted, but it still exists.",
    fix: "Rerun. If it repeats, contact support.",
  },
  ESIGN1043: {
    title: "Last administrator",
    cause: "The user is the account's last administrator, who alone can manage it. Nothing was changed.",
    fix: "Make another user an administrator first (with dependsOn, in one run), then try again.",
  },
  ESIGN1044: {
    title: "Email address of another user or contact",
    cause: "Another user or contact of the account has the email address. Nothing was changed.",
    fix: "If that one gets another address in the same run, declare it before this one, or add dependsOn. If its resource is removed in the same run, its deletion comes last: keep the former address, run `up`, then change it. Two cannot swap addresses in one run: give one of them a free address, run `up`, then do the rest.",
  },
  ESIGN1050: {
    title: "Invalid state entry",
    cause: "The object's entry in the state was edited by hand and cannot be read.",
    fix: "Restore a state backup, or remove the resource from the state and adopt it again.",
  },
  ESIGN1051: {
    title: "Original value not saved",
    cause: "The original value cannot be written to .esign/journal beside the program. Nothing was changed.",
    fix: "Free disk space, or make the folder writable; then rerun.",
  },
  ESIGN1052: {
    title: "Original values not readable",
    cause: "A file in .esign/journal holds original values and cannot be read. Nothing was changed.",
    fix: "Restore a good copy of the file, or remove it if you can do without the original values.",
  },
  ESIGN1053: {
    title: "Journal entry not removed",
    cause: "A file in .esign/journal is no longer needed and cannot be removed.",
    fix: "Remove it: a later deployment would take it for its own original values.",
  },
  ESIGN1054: {
    title: "Create not recorded",
    cause:
      "The disk is full or fails: the create cannot be recorded in .esign/pending-creates beside the program, and without that the next run could create the object a second time. Nothing was created.",
    fix: "Free disk space, or do what the message says; then rerun.",
  },
  ESIGN1055: {
    title: "Written by a later version",
    cause:
      "An object's entry in the state, or a file in .esign beside the program, was written by a later version of this package. This one does not know the format. Nothing was changed.",
    fix: "Install that version again.",
  },
  ESIGN1060: {
    title: "Invalid use of a class or function",
    cause: "The program passes no arguments, an unknown argument, or a value of the wrong kind.",
    fix: "Change the program as the message says.",
  },
  ESIGN1061: {
    title: "Invalid account folder",
    cause: "The folder of an AccountConfig or SubAccount has errors, or its values do not fit.",
    fix: "Fix what the message lists, with file, line and column. `esign lint` shows the same.",
  },
} as const satisfies Record<string, ErrorInfo>;

export type ErrorCode = keyof typeof errorCodes;

/** What to do about any error of a code, without the last full stop. */
export const fixOf = (code: ErrorCode): string => errorCodes[code].fix.replace(/\.$/, "");

/** One message: what is wrong, with its code; then what to do. */
export function errorMessage(code: ErrorCode, problem: string, fix?: string): string {
  return fix === undefined ? `${problem} (${code})` : `${problem} (${code}).\n${fix}`;
}
