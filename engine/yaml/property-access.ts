/**
 * Parses references in texts: `${bucket.id}`, `${list[0]["a key"]}`.
 *
 * Used for: interpolation of Pulumi YAML.
 */

/** The name of a resource, a variable or a configuration value, and the path below it. */
export interface PropertyAccess {
  root: string;
  /** A name, or an index of a list. */
  path: (string | number)[];
}

/** Texts and references in turn. */
export type TextPart = string | PropertyAccess;

export const isAccess = (part: TextPart): part is PropertyAccess => typeof part !== "string";

/** The reference as written, without `${}`. */
export const formatAccess = ({ root, path }: PropertyAccess): string => root + path.map(formatStep).join("");

function formatStep(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[^.[}]+$/.test(step) ? `.${step}` : `["${step.replaceAll('"', '\\"')}"]`;
}

/** The parts of a text; `$$` is a dollar sign. Without a reference: one text. An error is a sentence. */
export function parseText(text: string): TextPart[] | { error: string } {
  const parts: TextPart[] = [];
  let literal = "";
  let at = 0;
  while (at < text.length) {
    if (text.startsWith("$$", at)) {
      literal += "$";
      at += 2;
    } else if (text.startsWith("${", at)) {
      const access = parseAccess(text, at + 2);
      if ("error" in access) return access;
      if (literal !== "") parts.push(literal);
      literal = "";
      parts.push(access.access);
      at = access.end;
    } else literal += text[at++];
  }
  return literal !== "" || parts.length === 0 ? [...parts, literal] : parts;
}

function parseAccess(text: string, begin: number): { access: PropertyAccess; end: number } | { error: string } {
  const steps: (string | number)[] = [];
  let at = begin;
  while (at < text.length) {
    const rest = text.slice(at);
    if (rest[0] === "}") {
      const [root, ...path] = steps;
      if (typeof root === "string" && root !== "") return { access: { root, path }, end: at + 1 };
      return {
        error: "${} needs the name of a resource, a variable or a configuration value; write $$ for a dollar sign",
      };
    }
    if (rest[0] === ".") {
      at++;
      continue;
    }
    const step = rest[0] === "[" ? parseSubscript(rest) : { step: /^[^.[}]*/.exec(rest)![0] };
    if ("error" in step) return step;
    steps.push(step.step);
    at += "length" in step ? step.length : step.step.length;
  }
  return { error: 'the reference that begins with "${" has no "}"; write $$ for a dollar sign' };
}

function parseSubscript(rest: string): { step: string | number; length: number } | { error: string } {
  const [quoted, key] = /^\["((?:\\"|[^"\\]|\\(?!"))*)"\]/.exec(rest) ?? [];
  if (quoted !== undefined) return { step: key!.replaceAll('\\"', '"'), length: quoted.length };
  const [numbered, index] = /^\[(\d+)\]/.exec(rest) ?? [];
  if (numbered !== undefined) return { step: Number(index), length: numbered.length };
  return { error: 'what stands in [ ] must be a number or a name in quotes, as in ${list[0]} or ${map["a key"]}' };
}
