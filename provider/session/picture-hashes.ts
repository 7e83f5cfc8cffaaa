/** The pictures at declared addresses and the account's copies of them: which can be read, and their hashes. */
import { type PictureHash, PictureReader } from "../../account-folder/pictures/picture-reader";
import { isWithinReach } from "../../account-folder/pictures/within-reach";
import type { ConnectionConfig } from "./connection-config";

export class PictureHashes {
  readonly #reader = new PictureReader();
  readonly #named = new Set<string>();

  constructor(
    readonly config: Pick<ConnectionConfig, "isComplete" | "values">,
    readonly isOffline: () => boolean,
  ) {}

  /** False where nothing is compared: it is switched off, or settings are missing. */
  get isOn(): boolean {
    return this.config.isComplete && this.config.values.comparePictures !== false;
  }

  /** The picture at a declared address; undefined where nothing is to be compared. */
  async hash(url: string): Promise<PictureHash | undefined> {
    if (!this.isOn || !isWithinReach(url, this.#baseUrl)) return undefined;
    if (this.isOffline()) return { failure: "the preview is offline" };
    return this.#reader.hash(url);
  }

  /** The account's copy at the address that the service has returned. `isNew`: it was written just now. */
  async hashOfCopy(url: string, options: { isNew?: boolean } = {}): Promise<PictureHash | undefined> {
    if (!this.isOn) return undefined;
    if (!isWithinReach(url, this.#baseUrl)) return { failure: "it is on another machine than the emulator" };
    if (this.isOffline()) return { failure: "the preview is offline" };
    return this.#reader.hashOfCopy(url, this.#baseUrl, options);
  }

  /** True for the first question about something: what is wrong with it is said once. */
  isNews(what: string): boolean {
    if (this.#named.has(what)) return false;
    this.#named.add(what);
    return true;
  }

  get #baseUrl(): string {
    return this.config.values.baseUrl;
  }
}
