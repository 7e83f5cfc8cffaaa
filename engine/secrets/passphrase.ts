/**
 * The passphrase of a stack and the keys that are made of it.
 *
 * Serves: PULUMI_CONFIG_PASSPHRASE and PULUMI_CONFIG_PASSPHRASE_FILE.
 */

import { readText } from "../../fs/files";
import type { OpenOptions } from "../api";
import { EngineError, messageOf } from "../errors";
import { Crypter } from "./crypter";

export class PassphraseManager {
  private readonly crypters = new Map<string, Promise<Crypter>>();
  private passphrase: Promise<string> | undefined;

  constructor(
    private readonly stack: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly askPassphrase: OpenOptions["passphrase"],
  ) {}

  private getPassphrase(purpose: "existing" | "new"): Promise<string> {
    this.passphrase ??= (async () => {
      const inEnvironment = await this.readEnvironment();
      const answer = (await this.askPassphrase?.(purpose, this.stack, inEnvironment)) ?? inEnvironment;
      if (answer !== undefined) return answer;
      throw new EngineError(
        `stack ${this.stack} keeps its secrets encrypted with a passphrase: set PULUMI_CONFIG_PASSPHRASE (it may be empty) or PULUMI_CONFIG_PASSPHRASE_FILE`,
        "passphrase",
      );
    })();
    return this.passphrase;
  }

  private async readEnvironment(): Promise<string | undefined> {
    const { PULUMI_CONFIG_PASSPHRASE: passphrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = this.env;
    if (passphrase !== undefined || !file) return passphrase;
    const refuse = (what: string, cause?: unknown): never => {
      throw new EngineError(`PULUMI_CONFIG_PASSPHRASE_FILE names ${file}, which ${what}`, "passphrase", { cause });
    };
    const text = await readText(file).catch((error) => refuse(`cannot be read: ${messageOf(error)}`, error));
    return text === undefined ? refuse("does not exist") : text.trim();
  }

  /** Opens a salt with the passphrase; the key is made once. */
  async openCrypter(salt: string): Promise<Crypter> {
    const crypter = await this.lazyCrypter(salt);
    await crypter.deriveKey();
    return crypter;
  }

  /** The same, without making the key yet. */
  lazyCrypter(salt: string): Promise<Crypter> {
    let crypter = this.crypters.get(salt);
    if (crypter === undefined) {
      crypter = this.getPassphrase("existing").then((p) => Crypter.lazy(p, salt));
      crypter.catch(() => this.crypters.delete(salt));
      this.crypters.set(salt, crypter);
    }
    return crypter;
  }

  async createCrypter(): Promise<Crypter> {
    const crypter = await Crypter.create(await this.getPassphrase("new"));
    this.crypters.set(crypter.salt, Promise.resolve(crypter));
    return crypter;
  }
}
