/**
 * Secrets by passphrase, as the CLI's own "passphrase" secrets provider keeps them: key = PBKDF2-SHA256 of the
 * passphrase, text = `v1:<nonce>:<AES-256-GCM ciphertext and tag>`, both base64. The salt is stored together with the
 * encrypted word "pulumi", by which a wrong passphrase is recognised.
 *
 * Used for: `encryptionsalt` and `secure:` of Pulumi.<stack>.yaml, `secrets_providers` and secrets of the state.
 */
import { createCipheriv, createDecipheriv, pbkdf2, pbkdf2Sync, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { EngineError } from "../errors";
import { wrongPassphrase } from "./passphrase-problems";

const ITERATIONS = 1_000_000;
const CHECK_WORD = "pulumi";
const pbkdf2Async = promisify(pbkdf2);

const KEY = [ITERATIONS, 32, "sha256"] as const;

/** Maximum number of cached keys: each of many stacks may have its own. */
const mostKeys = 100;

/** The keys that this process derives or has derived, by salt and passphrase. Each key is derived once. */
const keys = new Map<string, Promise<Buffer>>();

function keep(id: string, key: Promise<Buffer>): Promise<Buffer> {
  // Removes the oldest key from the cache; crypters that use it keep it.
  if (keys.size >= mostKeys) keys.delete(keys.keys().next().value as string);
  keys.set(id, key);
  key.catch(() => keys.delete(id));
  return key;
}

export class Crypter {
  #key: Buffer | undefined;

  readonly #passphrase: string;

  private constructor(
    passphrase: string,
    /** `v1:<salt>:<ciphertext of a known word>`: with the passphrase, it is all that is needed to derive the key again. */
    readonly salt: string,
  ) {
    this.#passphrase = passphrase;
  }

  /** A new salt for a passphrase. */
  static async create(passphrase: string): Promise<Crypter> {
    const salt = randomBytes(8);
    const key = await pbkdf2Async(passphrase, salt, ...KEY);
    const crypter = new Crypter(passphrase, `v1:${salt.toString("base64")}:${encrypt(key, CHECK_WORD)}`);
    crypter.#key = await keep(crypter.#cacheKey, Promise.resolve(key));
    return crypter;
  }

  /** Rejects with code "passphrase" when it is the wrong one. */
  static async open(passphrase: string, salt: string): Promise<Crypter> {
    const crypter = Crypter.lazy(passphrase, salt);
    await crypter.deriveKey();
    return crypter;
  }

  /** The same, but derives the key on first use, since that takes a third of a second. */
  static lazy(passphrase: string, salt: string): Crypter {
    return new Crypter(passphrase, salt);
  }

  get #parts(): { salt: Buffer; check: string } {
    const match = /^v1:([^:]+):(v1:.+)$/s.exec(this.salt);
    if (match) return { salt: Buffer.from(match[1] as string, "base64"), check: match[2] as string };
    throw new EngineError(`the encryption salt ${JSON.stringify(this.salt)} is not of the form v1:…:v1:…`, "invalid");
  }

  get #cacheKey(): string {
    return `${this.salt} ${this.#passphrase}`;
  }

  /** @throws {EngineError} if the passphrase is wrong */
  #verifyKey(key: Buffer): Buffer {
    try {
      if (decrypt(key, this.#parts.check) === CHECK_WORD) return key;
    } catch (error) {
      // The authentication tag does not match: another key.
      if (error instanceof EngineError) throw error;
    }
    throw new EngineError(wrongPassphrase, "passphrase");
  }

  /** Derives the key in another thread, and checks it. */
  async deriveKey(): Promise<void> {
    const id = this.#cacheKey;
    this.#key ??= await (keys.get(id) ?? keep(id, this.#makeKey()));
  }

  async #makeKey(): Promise<Buffer> {
    return this.#verifyKey(await pbkdf2Async(this.#passphrase, this.#parts.salt, ...KEY));
  }

  #getKey(): Buffer {
    this.#key ??= this.#verifyKey(pbkdf2Sync(this.#passphrase, this.#parts.salt, ...KEY));
    return this.#key;
  }

  encrypt(text: string): string {
    return encrypt(this.#getKey(), text);
  }

  decrypt(text: string): string {
    const key = this.#getKey();
    try {
      return decrypt(key, text);
    } catch (cause) {
      throw new EngineError(
        "a secret cannot be decrypted with this stack's passphrase: it was encrypted for another stack or damaged",
        "passphrase",
        { cause },
      );
    }
  }
}

function encrypt(key: Buffer, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${body.toString("base64")}`;
}

function decrypt(key: Buffer, text: string): string {
  const [version, nonce, body] = text.split(":");
  if (version !== "v1" || nonce === undefined || body === undefined) throw new Error("not a version 1 secret");
  const bytes = Buffer.from(body, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
}
