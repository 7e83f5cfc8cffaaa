/** The key of an account: where it comes from, and what is made ready of it. */

import { InputError } from "../errors";
import { limiterFor, type RateLimiter } from "../http/rate-limiter";
import type { Redactor } from "../http/redact";
import { keyFingerprint } from "./key-fingerprint";
import { faultOfKey } from "./validate";

/** Finds the key. After a 401 it is asked again, with the key that was refused. */
export type KeySource = (refused?: string) => string | Promise<string>;

/** A key made ready for use. */
export interface Credential {
  key: string;
  /** Value of the Authorization header: the key as user name and a filler as password (§5). */
  authorization: string;
  limiter: RateLimiter;
}

export class Credentials {
  #current: Credential | undefined;
  /** The question for the key that is under way. */
  #search: { refused: string | undefined; result: Promise<Credential> } | undefined;

  constructor(
    readonly origin: string,
    readonly source: string | KeySource,
    readonly redactor: Redactor,
  ) {
    if (typeof source === "string") this.#current = this.#ready(source);
  }

  /** The key, once it is known. */
  get current(): Credential | undefined {
    return this.#current;
  }

  /** Whether there may be another key when one is refused. */
  get canChange(): boolean {
    return typeof this.source === "function";
  }

  /** A short hash of the key. */
  async fingerprint(): Promise<string> {
    const { key } = this.#current ?? (await this.find());
    return keyFingerprint(key);
  }

  /** Asks the source for the key, unless it is known; calls that need it at the same time share the question. */
  async find(refused?: string): Promise<Credential> {
    for (;;) {
      const search = this.#search;
      if (search === undefined) break;
      const found = await search.result;
      if (search.refused === refused || found.key !== refused) return found;
    }
    if (this.#current !== undefined && this.#current.key !== refused) return this.#current;
    const result = (async () => this.#ready(await (this.source as KeySource)(refused)))();
    this.#search = { refused, result };
    try {
      this.#current = await result;
      return this.#current;
    } finally {
      this.#search = undefined;
    }
  }

  #ready(key: string): Credential {
    const fault = faultOfKey(key);
    if (fault !== undefined) throw new InputError({ operation: "connect" }, [{ path: "apiKey", message: fault }]);
    this.redactor.add(key);
    return {
      key,
      authorization: `Basic ${Buffer.from(`${key}:x`).toString("base64")}`,
      limiter: limiterFor(this.origin, key),
    };
  }
}
