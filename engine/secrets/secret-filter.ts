/**
 * Keeps secrets out of what is printed: every text of the program, of providers and of the engine goes through here.
 */
import { SecretTexts } from "../../redaction/secret-texts";
import { shortestInAnyForm, shortestLine, shortestNumber, shortestSecret } from "../../redaction/shortest-secrets";
import type { Path } from "../resource/property-path";
import { isMap, isSecret, someDeep, unwrapSecret, type Value, type ValueMap } from "../resource/property-value";

export class SecretFilter {
  readonly #secrets = new SecretTexts(shortestInAnyForm);
  readonly #allowed = new Set<string>();

  /** Hides a text from now on, and each of its lines by itself. */
  addLines(text: string): void {
    this.addText(text);
    for (const line of text.split("\n").map((l) => l.trim())) if (line.length >= shortestLine) this.addText(line);
  }

  /** Hides a text from now on. */
  addText(text: string): void {
    if (this.#allowed.has(text) || /^(true|false|null)$/.test(text)) return;
    if (text.length < (/^\d+$/.test(text) ? shortestNumber : shortestSecret)) return;
    this.#secrets.add(text);
  }

  /** Never hides the text at this path of a value, although it is part of a secret. */
  allow(values: ValueMap | undefined, path: Path): void {
    let v: Value | undefined = values;
    for (const key of path) {
      const whole: Value | undefined = isSecret(v) ? unwrapSecret(v) : v;
      v = isMap(whole) ? whole[key] : undefined;
    }
    if (typeof v === "string") this.#allowed.add(v);
  }

  /** Hides every secret text in a value. Texts in a secret object are hidden as a whole, not line by line, since their lines may be ordinary ones. */
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

  /** The same for every text in a value. Without secrets to hide, returns the same object. */
  redactDeep<T>(value: T): T {
    if (typeof value === "string") return this.redact(value) as T;
    if (value === null || typeof value !== "object" || this.#secrets.isEmpty) return value;
    if (Array.isArray(value)) return value.map((v) => this.redactDeep(v)) as T;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, this.redactDeep(v)])) as T;
  }

  redact(text: string): string {
    return this.#secrets.replace(text, "[secret]", (found) => this.#allowed.has(found));
  }
}
