/** What a service says of an error. The shape of errors is not published (§7), so its words are taken from wherever services write them. */

/** Members that say what happened, and those that say more of it. */
const ofMessage = ["message", "msg", "error", "title", "reason"] as const;
const ofDetail = ["detail", "details", "errors", "error_description", "description"] as const;
/** Members that name the field; the latter only in a list of faults, since a whole error may name the request by them. */
const ofField = ["field", "param", "parameter"] as const;
const ofFieldInside = [...ofField, "path", "loc", "name", "property"] as const;

/** Faults of a list that are told, and levels that are looked into: an answer may be of any size. */
const most = 20;
const deepest = 4;

type Members = Record<string, unknown>;

/** The words of an error, with the field that it is about. A detail says more than the message. */
export function messageOf(body: Members, depth = 0): string | undefined {
  const said = firstWords(body, ofMessage, depth);
  const detail = firstWords(body, ofDetail, depth);
  const isAll = said === undefined || detail === undefined || said.includes(detail);
  return about(fieldOf(body, depth === 0 ? ofField : ofFieldInside), isAll ? (said ?? detail) : `${said} (${detail})`);
}

function firstWords(members: Members, names: readonly string[], depth: number): string | undefined {
  for (const name of names) {
    const words = wordsOf(members[name], depth + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

function wordsOf(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (typeof value !== "object" || value === null || depth > deepest) return undefined;
  if (Array.isArray(value)) return joined(value.slice(0, most).map((one) => wordsOf(one, depth + 1)));
  const members = value as Members;
  const entries = Object.entries(members).slice(0, most);
  // Without words of its own it is a list of faults by field.
  return messageOf(members, depth) ?? joined(entries.map(([name, one]) => about(name, wordsOf(one, depth + 1))));
}

function joined(words: readonly (string | undefined)[]): string | undefined {
  const said = words.filter((one) => one !== undefined);
  return said.length === 0 ? undefined : said.join("; ");
}

/** `webhook_url: is not valid`, unless the words name the field themselves. */
function about(field: string | undefined, words: string | undefined): string | undefined {
  return field === undefined || words === undefined || words.includes(field) ? words : `${field}: ${words}`;
}

/** The field of a fault, by its name or by the steps that lead to it. */
function fieldOf(fault: Members, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fault[name];
    if (typeof value === "string" && value !== "") return value;
    if (!Array.isArray(value)) continue;
    const steps = value.slice(0, most).filter((step) => typeof step === "string" || typeof step === "number");
    if (steps.length > 0) return steps.join(".");
  }
  return undefined;
}
