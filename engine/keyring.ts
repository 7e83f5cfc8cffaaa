/**
 * The passphrase of a stack and the keys that are made of it.
 *
 * Serves: PULUMI_CONFIG_PASSPHRASE and PULUMI_CONFIG_PASSPHRASE_FILE, and which of the two salts a secret goes by: that
 * of the configuration or that of the state, which differ after the passphrase was changed.
 */
import type { OpenOptions } from "./api";
import type { Checkpoint } from "./checkpoint";
import { hasSecure } from "./config-values";
import { EngineError, messageOf } from "./errors";
import { readText } from "./files";
import { Crypter } from "./secrets";
import type { StackFile } from "./stack-file";
import { StateCodec } from "./state";

/** What the secrets of a state were encrypted with. */
export const saltOf = ({ latest }: Checkpoint): string | undefined =>
  (latest?.secrets_providers as { state?: { salt?: string } } | undefined)?.state?.salt;

export class Keyring {
  private readonly crypters = new Map<string, Promise<Crypter>>();
  private phrase: Promise<string> | undefined;

  constructor(
    private readonly stack: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly askPassphrase: OpenOptions["passphrase"],
  ) {}

  private passphrase(purpose: "existing" | "new"): Promise<string> {
    this.phrase ??= (async () => {
      const { PULUMI_CONFIG_PASSPHRASE: given, PULUMI_CONFIG_PASSPHRASE_FILE: file } = this.env;
      if (given !== undefined) return given;
      if (file) {
        const refuse = (what: string, cause?: unknown): never => {
          throw new EngineError(`PULUMI_CONFIG_PASSPHRASE_FILE names ${file}, which ${what}`, "passphrase", { cause });
        };
        const text = await readText(file).catch((error) => refuse(`cannot be read: ${messageOf(error)}`, error));
        if (text === undefined) return refuse("does not exist");
        return text.trim();
      }
      if (this.askPassphrase) return this.askPassphrase(purpose, this.stack);
      throw new EngineError(
        `stack ${this.stack} keeps its secrets encrypted with a passphrase: set PULUMI_CONFIG_PASSPHRASE (it may be empty) or PULUMI_CONFIG_PASSPHRASE_FILE`,
        "passphrase",
      );
    })();
    return this.phrase;
  }

  /** Opens a salt with the passphrase; the key is made once. */
  async crypter(salt: string): Promise<Crypter> {
    const crypter = await this.crypterFor(salt);
    await crypter.ready();
    return crypter;
  }

  /** The same, without making the key yet. */
  private crypterFor(salt: string): Promise<Crypter> {
    let crypter = this.crypters.get(salt);
    if (crypter === undefined) {
      crypter = this.passphrase("existing").then((p) => Crypter.later(p, salt));
      crypter.catch(() => this.crypters.delete(salt));
      this.crypters.set(salt, crypter);
    }
    return crypter;
  }

  async newCrypter(): Promise<Crypter> {
    const crypter = await Crypter.create(await this.passphrase("new"));
    this.crypters.set(crypter.salt, Promise.resolve(crypter));
    return crypter;
  }

  /**
   * What is needed to open and to write this stack's secrets. With `writes`, there is always something to write with;
   * without, only if there is something to open.
   */
  async open(
    checkpoint: Checkpoint,
    file: StackFile,
    writes: boolean,
  ): Promise<{ codec: StateCodec; config: Crypter | undefined }> {
    const stateSalt = saltOf(checkpoint);
    const stateHasSecrets = checkpoint.hasSecrets;
    const configHasSecrets = [...file.values().values()].some(hasSecure);
    const configSalt = file.salt ?? stateSalt;
    const reading = stateHasSecrets && stateSalt !== undefined ? await this.crypter(stateSalt) : undefined;
    let config: Crypter | undefined;
    if (writes || configHasSecrets) {
      if (configSalt !== undefined)
        // Where there is no secret yet, the key is made when one comes up.
        config = await (configHasSecrets ? this.crypter(configSalt) : this.crypterFor(configSalt));
      else if (writes) {
        config = await this.newCrypter();
        file.salt = config.salt;
        await file.save();
      }
    }
    return { codec: new StateCodec(reading, config ?? reading), config };
  }
}
