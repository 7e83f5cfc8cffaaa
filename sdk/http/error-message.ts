/** The message of an error response. The format of errors is not published, so every member that services use is considered. */

/** Members with the message, and those with details. */
const messageMembers = ["message", "msg", "error", "title", "reason"] as const;
const detailMembers = ["detail", "details", "errors", "error_description", "description"] as const;
/** Members with the field's name; the latter only in a list of issues, since at the top level they may describe the request. */
const fieldMembers = ["field", "param", "parameter"] as const;
const nestedFieldMembers = [...fieldMembers, "path", "loc", "name", "property"] as const;

/** Most issues of a list that are reported, and most levels that are searched. */
const maxIssues = 20;
const maxDepth = 4;

/** Most characters of the message that an error shows, after keys were redacted. */
export const longestMessage = 500;

type Members = Record<string, unknown>;

/** The message with details and field, or undefined. */
export function errorMessage(body: Members, depth = 0): string | undefined {
  const message = firstText(body, messageMembers, depth);
  const detail = firstText(body, detailMembers, depth);
  const needsBoth = message !== undefined && detail !== undefined && !message.includes(detail);
  return withField(
    fieldOf(body, depth === 0 ? fieldMembers : nestedFieldMembers),
    needsBoth ? `${message} (${detail})` : (message ?? detail),
  );
}

function firstText(members: Members, names: readonly string[], depth: number): string | undefined {
  for (const name of names) {
    const text = describe(members[name], depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

function describe(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (typeof value !== "object" || value === null || depth > maxDepth) return undefined;
  if (Array.isArray(value)) return joinMessages(value.slice(0, maxIssues).map((one) => describe(one, depth + 1)));
  const members = value as Members;
  const entries = Object.entries(members).slice(0, maxIssues);
  // Without a message it is a list of issues by field.
  return (
    errorMessage(members, depth) ??
    joinMessages(entries.map(([name, one]) => withField(name, describe(one, depth + 1))))
  );
}

function joinMessages(messages: readonly (string | undefined)[]): string | undefined {
  const present = messages.filter((one) => one !== undefined);
  return present.length === 0 ? undefined : present.join("; ");
}

/** `webhook_url: is not valid`, unless the message mentions the field itself. */
function withField(field: string | undefined, message: string | undefined): string | undefined {
  return field === undefined || message === undefined || message.includes(field) ? message : `${field}: ${message}`;
}

/** The field of an issue, by its name or its path. */
function fieldOf(issue: Members, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = issue[name];
    if (typeof value === "string" && value !== "") return value;
    if (!Array.isArray(value)) continue;
    const steps = value.slice(0, maxIssues).filter((step) => typeof step === "string" || typeof step === "number");
    if (steps.length > 0) return steps.join(".");
  }
  return undefined;
}
