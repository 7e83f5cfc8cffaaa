/** Reads pictures within bounds, each address once, and keeps the hash of their bytes. None is needed: a failure is a reason, never an error. */
import { createHash } from "node:crypto";
import { parseUrl } from "../../sdk/text/url";
import { isPrivate } from "../text/private-hosts";
import { fetchPicture, type PictureFailure } from "./fetch-picture";
import { pictureLimits } from "./picture-limits";

/** The hash of a picture's bytes, or why there is none. */
export type PictureHash = { hash: string } | PictureFailure;

export class PictureReader {
  readonly #read = new Map<string, Promise<PictureHash>>();
  readonly #queue: (() => void)[] = [];
  #reading = 0;
  #waited = 0;

  /** The picture at an address. `isNew`: what was read before does not count. */
  hash(url: string, { isNew = false } = {}): Promise<PictureHash> {
    let read = isNew ? undefined : this.#read.get(url);
    if (read === undefined) {
      read = this.#inTurn(url);
      this.#read.set(url, read);
    }
    return read;
  }

  /** The picture at an address that the service at `baseUrl` has chosen: it must not lead into a network that the service is not in. */
  async hashOfCopy(url: string, baseUrl: string, options: { isNew?: boolean } = {}): Promise<PictureHash> {
    const [picture, service] = [hostnameOf(url), hostnameOf(baseUrl)];
    if (picture === undefined) return { failure: "its address is not http or https" };
    if (isPrivate(picture) && !isPrivate(service ?? "")) return { failure: "its address is in a private network" };
    return this.hash(url, options);
  }

  async #inTurn(url: string): Promise<PictureHash> {
    if (this.#reading >= pictureLimits.atOnce) await new Promise<void>((start) => this.#queue.push(start));
    this.#reading++;
    try {
      return await this.#fetch(url);
    } finally {
      this.#reading--;
      this.#queue.shift()?.();
    }
  }

  async #fetch(url: string): Promise<PictureHash> {
    if (this.#waited >= pictureLimits.waiting) return { failure: "other pictures have taken too long" };
    const start = performance.now();
    const picture = await fetchPicture(url);
    if (!("failure" in picture)) return { hash: createHash("sha256").update(picture.bytes).digest("base64url") };
    this.#waited += performance.now() - start;
    return picture;
  }
}

const hostnameOf = (url: string): string | undefined => parseUrl(url)?.hostname;
