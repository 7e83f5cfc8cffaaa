/** What a client does by default about a test key, and about values that look new: it warns once of each. */
import type { ConnectOptions } from "./options";

export function warnOfTestKey(): NonNullable<ConnectOptions["onTestKey"]> {
  const warn = warnOnce("ESIGN_TEST_KEY");
  return ({ operation }) =>
    warn("", `${operation}: this is a test key: the service reported success and changed nothing`);
}

export function warnOfNewValues(): NonNullable<ConnectOptions["onNewValue"]> {
  const warn = warnOnce("ESIGN_NEW_VALUE");
  return ({ operation, field, message }) => warn(message, `${operation}: ${field} ${message}`);
}

/** Warnings of Node for one client, one for each subject. */
function warnOnce(code: string): (subject: string, message: string) => void {
  const subjects = new Set<string>();
  return (subject, message) => {
    if (subjects.has(subject)) return;
    subjects.add(subject);
    process.emitWarning(message, { type: "EsignWarning", code });
  };
}
