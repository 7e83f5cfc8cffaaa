/** The key that a provider instance had before this run. */
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { ApiError } from "../../sdk/errors";

/** As far as the engine passes it. */
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
