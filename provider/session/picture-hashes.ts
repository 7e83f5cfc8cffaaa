/** The pictures that programs declare by their addresses: each is read once in a run, within bounds, and none is needed. */
import { createHash } from "node:crypto";
import { fetchPicture, type PictureFailure } from "../../account-folder/picture";
import { isLoopback, parseUrl } from "../../sdk/text/url";
import type { ConfiguredSettings } from "./configured-settings";

/** Milliseconds of waiting in vain after which no more pictures are read in a run. */
const longestWait = 20_000;

/** What the session knows of its service. */
interface PictureSession {
  readonly isOffline: boolean;
  readonly settings: Pick<ConfiguredSettings, "isComplete" | "values">;
}

/** The hash of a picture's bytes, or why there is none; neither where nothing is to be compared. */
export type PictureHash = { hash: string } | PictureFailure | undefined;

export class PictureHashes {
  readonly #read = new Map<string, Promise<PictureHash>>();
  readonly #named = new Set<string>();
  #waited = 0;

  constructor(readonly session: PictureSession) {}

  /** The picture at an address. */
  async hash(url: string): Promise<PictureHash> {
    const { settings, isOffline } = this.session;
    if (!settings.isComplete) return undefined;
    const { baseUrl, comparePictures = true } = settings.values;
    if (!comparePictures || !isWithinReach(url, baseUrl)) return undefined;
    if (isOffline) return { failure: "the preview is offline" };
    let read = this.#read.get(url);
    if (read === undefined) {
      read = this.#fetch(url);
      this.#read.set(url, read);
    }
    return read;
  }

  /** True for the first question about an address: what is wrong with it is said once. */
  isNews(url: string): boolean {
    if (this.#named.has(url)) return false;
    this.#named.add(url);
    return true;
  }

  async #fetch(url: string): Promise<PictureHash> {
    if (this.#waited >= longestWait) return { failure: "other pictures have taken too long" };
    const start = performance.now();
    const picture = await fetchPicture(url);
    if (!("failure" in picture)) return { hash: createHash("sha256").update(picture.bytes).digest("base64url") };
    this.#waited += performance.now() - start;
    return picture;
  }
}

/** A service on this machine is an emulator, beside which nothing is requested of other machines. */
function isWithinReach(url: string, baseUrl: string): boolean {
  const [picture, service] = [parseUrl(url), parseUrl(baseUrl)];
  return picture !== undefined && (!isLoopback(service?.hostname ?? "") || isLoopback(picture.hostname));
}
