/** Replies of the API as people read them, or as JSON; keys and secrets are masked. */
import { type Endpoint, responseBase } from "../../../sdk/api/endpoint";
import { isSecretMember } from "../../../sdk/api/secret-members";
import { nameValueTable, table } from "../../output/table";
import { colours, note, print, write } from "../../output/terminal";
import { shortName } from "./option-names";

/** Masks keys and secrets, and remembers whether it did. */
export class Mask {
  hasMasked = false;

  readonly #showSecrets: boolean;

  constructor(showSecrets: boolean) {
    this.#showSecrets = showSecrets;
  }

  apply<T>(value: T): T {
    return this.#showSecrets ? value : (this.#mask(value) as T);
  }

  #mask(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#mask(item));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        if (!isSecretMember(name) || !item) return [name, this.#mask(item)];
        this.hasMasked = true;
        return [name, "[secret]"];
      }),
    );
  }
}

/** An array that is written while it is read: thousands of records need no memory. */
export async function streamJson(items: AsyncIterable<unknown>, mask: Mask): Promise<void> {
  let first = true;
  for await (const item of items) {
    write(`${first ? "[\n" : ",\n"}  ${JSON.stringify(mask.apply(item))}`);
    first = false;
  }
  print(first ? "[]" : "\n]");
}

export async function showList(items: AsyncIterable<Record<string, unknown>>, name: string, mask: Mask): Promise<void> {
  const rows: Record<string, unknown>[] = [];
  for await (const item of items) rows.push(mask.apply(item));
  if (rows.length === 0) note(`There are no ${name}.`);
  else print(asTable(rows, name));
}

const text = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** `webhook_type` is TYPE in a list of webhooks. */
const heading = (field: string, items: string): string => shortName(field, items).replaceAll("-", " ").toUpperCase();

function asTable(rows: Record<string, unknown>[], name: string): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // Lists and markup fit in no column; JSON has them.
  const fits = (value: unknown) => (typeof value !== "object" || value === null) && !String(value).startsWith("<");
  const fields = rows.length > 0 ? names.filter((field) => rows.some((row) => fits(row[field]))) : names;
  return table(
    fields.map((field) => heading(field, name)),
    rows.map((row) => fields.map((field) => text(row[field]))),
  );
}

/** A reply as lines; the API's own message comes first. */
export function showReply(reply: Record<string, unknown>, { method, response: schema }: Endpoint): void {
  const { http: _, message, href: __, ...rest } = reply;
  if (method === "GET") {
    const fields = Object.keys(schema.shape).filter((name) => !(name in responseBase.shape));
    for (const name of fields) if ((rest[name] ?? "") === "") rest[name] = "none";
  }
  if (typeof message === "string" && message !== "") note(colours.green(message));
  const isRows = (value: unknown): value is Record<string, unknown>[] =>
    Array.isArray(value) && value.length > 0 && value.every((item) => item !== null && typeof item === "object");
  const plain = Object.entries(rest).filter(([, value]) => !isRows(value));
  if (plain.length > 0) print(nameValueTable(plain.map(([name, value]) => [name, text(value)])));
  for (const [name, value] of Object.entries(rest)) {
    if (isRows(value)) print(`${plain.length > 0 ? "\n" : ""}${colours.bold(name)}\n${asTable(value, name)}`);
  }
}
