/**
 * The meaning of each field of the interface, for help. It is written once, as the JSDoc sentence above the field's key in
 * `sdk/<area>.ts`, where editors show it; the compiler keeps these sentences, so they are read from the module itself.
 */
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";

const noteAbove = /\/\*\*\s*((?:(?!\*\/)[\s\S])*?)\s*\*\/\s*(\w+):/g;

const tidy = (comment: string): string =>
  comment
    .replace(/\s*\n\s*\*\s?/g, " ")
    .replace(/\{@link (\w+)\}/g, "$1")
    .trim();

/** The definitions at the top of a file that a part of it spreads: `...commonFields`. Those of a response say less. */
const spreadIn = (source: string, part: string): string[] =>
  [...part.matchAll(/\.\.\.(\w+)/g)].flatMap(([, name]) => {
    const begin = source.search(new RegExp(`^(exports\\.|(export )?const )${name} = `, "m"));
    return begin < 0 ? [] : [source.slice(begin, source.indexOf("\n}", begin))];
  });

/**
 * Sentences by field, for one operation of a file in `sdk/api/`: its own definition first, then those that it spreads, then the nearest
 * one above it, then any.
 */
export function fieldDescriptions(file: string, operation: string): (field: string) => string {
  const source = readFileSync(join(__dirname, "../../../sdk/api", `${file}${extname(__filename)}`), "utf8");
  const name = operation === "delete" ? "remove" : operation;
  const begin = Math.max(0, source.search(new RegExp(`^(exports\\.|(export )?const )${name} = `, "m")));
  const end = source.indexOf("\n});", begin);
  const notes = new Map<string, string>();
  const notesIn = (part: string) => [...part.matchAll(noteAbove)];
  const inOrder = [
    ...notesIn(source.slice(begin, end)),
    ...spreadIn(source, source.slice(begin, end).split(/\bresponse:/, 1)[0]!).flatMap(notesIn),
    ...notesIn(source.slice(0, begin)).reverse(),
    ...notesIn(source.slice(end)),
  ];
  for (const [, comment, field] of inOrder) {
    if (field !== undefined && comment !== undefined && !notes.has(field)) notes.set(field, tidy(comment));
  }
  return (field) => notes.get(field) ?? "";
}
