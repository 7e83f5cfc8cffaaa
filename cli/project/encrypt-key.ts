/** The account's key as a stack's configuration keeps it: encrypted with the user's passphrase. */
import { Crypter } from "../../engine/secrets/crypter";
import { environmentPassphrase } from "../../engine/secrets/environment-passphrase";

/** Salt and ciphertext, as Pulumi.<stack>.yaml has them. */
interface StackKey {
  salt: string;
  apiKey: string;
}

/**
 * Encrypts the key for a stack's configuration. What that has already is kept while it means the same, so that
 * writing it again changes nothing. Undefined when there is no passphrase to encrypt with.
 */
export async function stackKey(there: StackFile | null, apiKey: string): Promise<StackKey | undefined> {
  const passphrase = await environmentPassphrase(process.env);
  if (passphrase === undefined || (there?.secretsprovider ?? "passphrase") !== "passphrase") return undefined;
  const salt = there?.encryptionsalt;
  const crypter = salt === undefined ? await Crypter.create(passphrase) : await Crypter.open(passphrase, salt);
  const before = there?.config?.["esign:apiKey"]?.secure;
  const unchanged = before !== undefined && salt !== undefined && crypter.decrypt(before) === apiKey;
  return { salt: crypter.salt, apiKey: unchanged ? before : crypter.encrypt(apiKey) };
}

interface StackFile {
  secretsprovider?: string;
  encryptionsalt?: string;
  config?: Record<string, { secure?: string } | undefined>;
}
