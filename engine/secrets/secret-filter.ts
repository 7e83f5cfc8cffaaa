/**
 * Keeps secrets out of what is printed: every text of the program, of providers and of the engine goes through here.
 */
import type { Path } from "../resource/property-path";
import { isMap, isSecret, someDeep, unwrapSecret, type Value, type ValueMap } from "../resource/property-value";

/** Shorter ones occur by chance, and hiding them would garble everything. */
const SHORTEST = 4;
/** The same for lines of a text, such as a private key's: what programs print comes line by line. */
const SHORTEST_LINE = 16;

export class SecretFilter {
  private readonly secrets = new Set<string>();
  /** The same by their first characters, the longest first: one may be part of another. So many cost no more than few. */
  private readonly byPrefix = new Map<string, string[]>();
  private readonly allowed = new Set<string>();

  /** Hides a text from now on, and each of its lines by itself. */
  addLines(text: string): void {
    this.addText(text);
    for (const line of text.split("\n").map((l) => l.trim())) if (line.length >= SHORTEST_LINE) this.addText(line);
  }

  /** Hides a text from now on. */
  addText(text: string): void {
    if (
      text.length < SHORTEST ||
      this.secrets.has(text) ||
      this.allowed.has(text) ||
      /^(true|false|null|\d{1,5})$/.test(text)
    )
      return;
    // As part of JSON or of an inspected object it looks different.
    for (const form of new Set([text, JSON.stringify(text).slice(1, -1)])) {
      this.secrets.add(form);
      const prefix = form.slice(0, SHORTEST);
      const alike = [...(this.byPrefix.get(prefix) ?? []), form];
      this.byPrefix.set(
        prefix,
        alike.sort((a, b) => b.length - a.length),
      );
    }
  }

  /** Never hides a text, if that is what is at the path of a value: it is no secret, though what it is part of is. */
  allow(values: ValueMap | undefined, path: Path): void {
    let v: Value | undefined = values;
    for (const key of path) {
      const whole: Value | undefined = isSecret(v) ? unwrapSecret(v) : v;
      v = isMap(whole) ? whole[key] : undefined;
    }
    if (typeof v === "string") this.allowed.add(v);
  }

  /** Hides every text that is secret in a value. What is secret as a whole holds all kinds of lines, which others may say, too. */
  add(v: Value | undefined): void {
    someDeep(v, (part) => {
      if (!isSecret(part)) return false;
      const value = unwrapSecret(part);
      if (typeof value === "string") this.addLines(value);
      else
        someDeep(value, (inner) => {
          if (typeof inner === "string") this.addText(inner);
          return false;
        });
      return false;
    });
  }

  /** The same for every text in a value; what holds no secret keeps its identity. */
  redactDeep<T>(value: T): T {
    if (typeof value === "string") return this.redact(value) as T;
    if (value === null || typeof value !== "object" || this.secrets.size === 0) return value;
    if (Array.isArray(value)) return value.map((v) => this.redactDeep(v)) as T;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, this.redactDeep(v)])) as T;
  }

  redact(text: string): string {
    if (this.secrets.size === 0) return text;
    let clean = "";
    let done = 0;
    for (let i = 0; i + SHORTEST <= text.length; ) {
      const hit = this.byPrefix.get(text.slice(i, i + SHORTEST))?.find((secret) => text.startsWith(secret, i));
      if (hit === undefined) {
        i++;
        continue;
      }
      clean += `${text.slice(done, i)}[secret]`;
      i += hit.length;
      done = i;
    }
    return clean + text.slice(done);
  }
}
