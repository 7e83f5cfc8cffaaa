/** JSON of which parts are texts already: JavaScript rounds numbers of many digits, such as the ids of databases. */
import { randomUUID } from "node:crypto";

/** A value by its JSON text, which goes into an answer as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}

export function toJson(value: unknown): string {
  const texts: string[] = [];
  const mark = randomUUID();
  const put = (_: string, part: unknown) => (part instanceof JsonText ? `${mark}${texts.push(part.text) - 1}` : part);
  const json = JSON.stringify(value, put);
  if (texts.length === 0) return json;
  return json.replace(new RegExp(`"${mark}(\\d+)"`, "g"), (_, place: string) => texts[Number(place)]!);
}

/** Whether the text has numbers that JavaScript does not hold as they are written. */
export function hasLargeNumbers(json: string): boolean {
  return /\d{16}|\d[eE]/.test(json.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
}
