/**
 * The encryption of a stack's secrets, in its state and in its configuration. The two have different salts after the passphrase was
 * changed.
 *
 * Used for: `secrets_providers` of the checkpoint file and `encryptionsalt` of `Pulumi.<stack>.yaml`.
 */

import { hasSecure } from "../config/file-values";
import type { StackSettingsFile } from "../config/stack-settings-file";
import type { Crypter } from "../secrets/crypter";
import type { PassphraseManager } from "../secrets/passphrase-sources";
import type { Checkpoint } from "../state/checkpoint";
import { ResourceSerializer } from "../state/serializer";

/** The salt with which the secrets of a state were encrypted. */
export const saltOf = ({ latest }: Checkpoint): string | undefined =>
  (latest?.secrets_providers as { state?: { salt?: string } } | undefined)?.state?.salt;

export interface OpenedSecrets {
  serializer: ResourceSerializer;
  config: Crypter | undefined;
}

/**
 * Decrypts and encrypts this stack's secrets. With `writes` there is always a key; without it, only if there are secrets to
 * decrypt.
 */
export async function openSecrets(
  keyring: PassphraseManager,
  checkpoint: Checkpoint,
  file: StackSettingsFile,
  writes: boolean,
): Promise<OpenedSecrets> {
  const stateSalt = saltOf(checkpoint);
  const stateHasSecrets = checkpoint.hasSecrets;
  const configHasSecrets = [...file.values().values()].some(hasSecure);
  const configSalt = file.salt ?? stateSalt;
  const reading = stateHasSecrets && stateSalt !== undefined ? await keyring.openCrypter(stateSalt) : undefined;
  let config: Crypter | undefined;
  if (writes || configHasSecrets) {
    if (configSalt !== undefined)
      // Without a secret, the key is derived when the first one appears.
      config = await (configHasSecrets ? keyring.openCrypter(configSalt) : keyring.lazyCrypter(configSalt));
    else if (writes) {
      config = await keyring.createCrypter();
      file.salt = config.salt;
      await file.save();
    }
  }
  return { serializer: new ResourceSerializer(reading, config ?? reading), config };
}
