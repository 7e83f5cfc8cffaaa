/** The API key of an account and where it comes from. */

import { InputError } from "../errors";
import { limiterFor, type RateLimiter } from "../http/rate-limiter";
import type { Redactor } from "../http/redact";
import { keyFingerprint } from "./key-fingerprint";
import { validateApiKey } from "./validate-key-and-url";

/** Returns the key. Called again after a 401, with the rejected key. */
export type KeySource = (rejected?: string) => string | Promise<string>;

/** A key, ready for use. */
export interface Credential {
  key: string;
  /** Value of the Authorization header: the key as user name, any password. */
  authorization: string;
  limiter: RateLimiter;
  /** Whether the service has accepted it in a call; and in one that needs a partner's key. */
  isAccepted?: boolean;
  isPartner?: boolean;
}

export class Credentials {
  #current: Credential | undefined;
  /** The search in progress. */
  #search: { rejected: string | undefined; result: Promise<Credential> } | undefined;

  constructor(
    readonly origin: string,
    readonly source: string | KeySource,
    readonly redactor: Redactor,
  ) {
    if (typeof source === "string") this.#current = this.#prepare(source);
  }

  /** The key, once it has been found. */
  get current(): Credential | undefined {
    return this.#current;
  }

  /** Whether there may be another key when one is rejected. */
  get canChange(): boolean {
    return typeof this.source === "function";
  }

  /** A short hash of the key. */
  async fingerprint(): Promise<string> {
    const { key } = this.#current ?? (await this.find());
    return keyFingerprint(key);
  }

  /** Gets the key from its source; concurrent calls share one search. */
  async find(rejected?: string): Promise<Credential> {
    for (;;) {
      const search = this.#search;
      if (search === undefined) break;
      const credential = await search.result;
      if (search.rejected === rejected || credential.key !== rejected) return credential;
    }
    if (this.#current !== undefined && this.#current.key !== rejected) return this.#current;
    const result = (async () => this.#prepare(await (this.source as KeySource)(rejected)))();
    this.#search = { rejected, result };
    try {
      this.#current = await result;
      return this.#current;
    } finally {
      this.#search = undefined;
    }
  }

  #prepare(key: string): Credential {
    const message = validateApiKey(key);
    if (message !== undefined) throw new InputError({ operation: "connect" }, [{ path: "apiKey", message }]);
    this.redactor.add(key);
    return {
      key,
      authorization: `Basic ${Buffer.from(`${key}:x`).toString("base64")}`,
      limiter: limiterFor(this.origin, key),
    };
  }
}
