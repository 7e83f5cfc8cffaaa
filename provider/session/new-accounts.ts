/**
 * Accounts that replace other ones. When a company is recreated, an explicit provider with its key leads to the new account, which cannot
 * contain the objects of the old one.
 */
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { ApiError } from "../../sdk/errors";
import { hashOf } from "../core/hash";
import type { RunMember } from "../processes/run-registry";

/** The accounts that a run has created, in whatever process of it. */
export class NewAccounts {
  constructor(readonly member: Pick<RunMember, "publish" | "published">) {}

  /** Publishes the account with this key, if that is known. */
  add(key: unknown): void {
    if (typeof key === "string") this.member.publish(nameOf(keyFingerprint(key)));
  }

  /** True for an account that another provider instance of the run has created: it has nothing of an earlier run. */
  has(fingerprint: string): boolean {
    return this.member.published.has(nameOf(fingerprint));
  }
}

const nameOf = (fingerprint: string): string => `new-account:${hashOf(fingerprint)}`;

/** The key that a provider instance had before this run, as far as the engine passes it. */
export class EarlierKey {
  #key: string | undefined;
  #rejection: Promise<boolean> | undefined;

  /**
   * @param read sends one request with a key
   * @param addSecret redacts a key in every message
   */
  constructor(
    readonly read: (key: string) => Promise<unknown>,
    readonly addSecret: (key: string) => void,
  ) {}

  set(key: string | undefined): void {
    if (key === undefined || key === this.#key) return;
    this.addSecret(key);
    this.#key = key;
    this.#rejection = undefined;
  }

  /** True if it is the key with this fingerprint and the service rejects it: its account is gone, or it was rotated. */
  async isRejected(fingerprint: string): Promise<boolean> {
    const key = this.#key;
    if (key === undefined || keyFingerprint(key) !== fingerprint) return false;
    this.#rejection ??= this.read(key).then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.status === 401,
    );
    return this.#rejection;
  }
}
