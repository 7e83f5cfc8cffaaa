/**
 * Secrets by passphrase, as the CLI's own "passphrase" secrets provider keeps them: key = PBKDF2-SHA256 of the
 * passphrase, text = `v1:<nonce>:<AES-256-GCM ciphertext and tag>`, both base64. The salt is stored together with the
 * encrypted word "pulumi", by which a wrong passphrase is recognised.
 *
 * Serves: `encryptionsalt` and `secure:` of Pulumi.<stack>.yaml, `secrets_providers` and secrets of the state.
 */
import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { EngineError } from "./errors";

const ITERATIONS = 1_000_000;
const CHECK_WORD = "pulumi";
const derive = promisify(pbkdf2);

export class Crypter {
  private constructor(
    private readonly key: Buffer,
    /** `v1:<salt>:<ciphertext of a known word>`: everything needed to open it again, but the passphrase. */
    readonly salt: string,
  ) {}

  /** A new salt for a passphrase. */
  static async create(passphrase: string): Promise<Crypter> {
    const salt = randomBytes(8);
    const key = await derive(passphrase, salt, ITERATIONS, 32, "sha256");
    return new Crypter(key, `v1:${salt.toString("base64")}:${encrypt(key, CHECK_WORD)}`);
  }

  /** Rejects with code "passphrase" when it is the wrong one. */
  static async open(passphrase: string, salt: string): Promise<Crypter> {
    const match = /^v1:([^:]+):(v1:.+)$/s.exec(salt);
    if (!match)
      throw new EngineError(`the encryption salt ${JSON.stringify(salt)} is not of the form v1:…:v1:…`, "invalid");
    const key = await derive(passphrase, Buffer.from(match[1] as string, "base64"), ITERATIONS, 32, "sha256");
    try {
      if (decrypt(key, match[2] as string) === CHECK_WORD) return new Crypter(key, salt);
    } catch {
      // The tag does not fit: another key.
    }
    throw new EngineError(
      "incorrect passphrase: set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the stack's passphrase",
      "passphrase",
    );
  }

  encrypt(text: string): string {
    return encrypt(this.key, text);
  }

  decrypt(text: string): string {
    try {
      return decrypt(this.key, text);
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
