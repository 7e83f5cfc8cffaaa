/** Text as terminals show it. */
import { stripVTControlCharacters } from "node:util";
import width from "string-width";
import { colourCode } from "./colour-codes";

const colourSequence = new RegExp(`(${colourCode})`);

/** Text from programs may hold anything: what moves the cursor is taken out, colours only stay where colours are wanted. */
export function clean(text: string, colours: boolean): string {
  const plain = (part: string) =>
    stripVTControlCharacters(part.replace(/\r\n?/g, "\n")).replace(/(?![\n\t])\p{Cc}/gu, "");
  if (!colours) return plain(text);
  return text
    .split(colourSequence)
    .map((part, i) => (i % 2 === 1 ? part : plain(part)))
    .join("");
}

export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, "0")}s`;
}

/** Cuts a text to a width, as terminals measure it. */
export function truncate(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let result = "";
  for (const character of text) {
    if (width(result + character) > columns - 1) break;
    result += character;
  }
  return `${result}…`;
}

export const pad = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - width(text)));
