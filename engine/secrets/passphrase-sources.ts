/** Finds the passphrase of a stack, and derives keys from it. Whether it is correct is checked in crypter.ts. */
import type { OpenOptions } from "../api";
import { EngineError } from "../errors";
import { Crypter } from "./crypter";
import { environmentPassphrase } from "./environment-passphrase";
import { missingPassphrase } from "./passphrase-problems";

/** Sources of a passphrase other than the environment. */
export type PassphraseSources = Pick<OpenOptions, "storedPassphrase" | "passphrase">;

export class PassphraseManager {
  readonly #crypters = new Map<string, Promise<Crypter>>();
  #stored: Promise<string | undefined> | undefined;
  #passphrase: Promise<string> | undefined;

  readonly #stack: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #sources: PassphraseSources;

  constructor(stack: string, env: NodeJS.ProcessEnv, sources: PassphraseSources) {
    this.#stack = stack;
    this.#env = env;
    this.#sources = sources;
  }

  /** Whether the passphrase is available without asking the user. */
  async isKnown(): Promise<boolean> {
    return this.#passphrase !== undefined || (await this.#findStored()) !== undefined;
  }

  #findStored(): Promise<string | undefined> {
    this.#stored ??= (async () => {
      const inEnvironment = await environmentPassphrase(this.#env);
      return (await this.#sources.storedPassphrase?.(this.#stack)) ?? inEnvironment;
    })();
    return this.#stored;
  }

  #getPassphrase(purpose: "existing" | "new"): Promise<string> {
    this.#passphrase ??= (async () => {
      const found = await (purpose === "existing" ? this.#findStored() : environmentPassphrase(this.#env));
      const answer = found ?? (await this.#sources.passphrase?.(purpose, this.#stack));
      if (answer !== undefined) return answer;
      throw new EngineError(missingPassphrase(this.#stack), "passphrase");
    })();
    return this.#passphrase;
  }

  /** The crypter for a salt; its key is derived once. */
  async openCrypter(salt: string): Promise<Crypter> {
    const crypter = await this.lazyCrypter(salt);
    await crypter.deriveKey();
    return crypter;
  }

  /** The same, but derives the key on first use. */
  lazyCrypter(salt: string): Promise<Crypter> {
    let crypter = this.#crypters.get(salt);
    if (crypter === undefined) {
      crypter = this.#getPassphrase("existing").then((p) => Crypter.lazy(p, salt));
      crypter.catch(() => this.#crypters.delete(salt));
      this.#crypters.set(salt, crypter);
    }
    return crypter;
  }

  /** For a new stack: with the salt of another one, if the passphrase is the same. */
  async shareCrypter(salt: string): Promise<Crypter> {
    const crypter = await Crypter.open(await this.#getPassphrase("new"), salt).catch((error) => {
      if (error instanceof EngineError && error.code === "passphrase") return undefined;
      throw error;
    });
    if (crypter === undefined) return this.createCrypter();
    this.#crypters.set(salt, Promise.resolve(crypter));
    return crypter;
  }

  async createCrypter(): Promise<Crypter> {
    const crypter = await Crypter.create(await this.#getPassphrase("new"));
    this.#crypters.set(crypter.salt, Promise.resolve(crypter));
    return crypter;
  }
}
