/** JSON with raw parts, for numbers that JavaScript would round, such as database IDs. */
import { randomUUID } from "node:crypto";

/** JSON text that goes into a response verbatim. */
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

/** Whether the text contains numbers that JavaScript may round or reformat. */
export function hasLargeNumbers(json: string): boolean {
  return /\d{16}|\d[eE]/.test(json.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
}
