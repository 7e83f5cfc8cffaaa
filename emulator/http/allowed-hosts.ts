/**
 * The hosts under which the emulator may be called. A web page reaches this machine under a name of its own that resolves to it
 * (DNS rebinding); its browser then sends that name as Host, and treats the responses as the page's own.
 */
import { isIP } from "node:net";
import { isLoopback, parseUrl } from "../../sdk/text/url";

export class AllowedHosts {
  /** Whether only this machine can connect. */
  readonly isLocal: boolean;
  readonly #names: ReadonlySet<string>;

  /**
   * @param bound the address that the emulator listens on
   * @param names the host as the user wrote it, and other names to allow
   */
  constructor(bound: string, names: readonly string[]) {
    this.isLocal = isLoopback(hostnameOf(bound) ?? "");
    this.#names = new Set([bound, ...names].map(hostnameOf).filter((name) => name !== undefined));
  }

  /** Checks a Host header. One without a valid name is not a browser's. */
  check(header: string | undefined): "allowed" | "refused" | "missing" {
    const name = hostnameOf(header ?? "");
    if (name === undefined) return "missing";
    // An address needs no name service. Beyond loopback the emulator may have others than its own, as in a container.
    const isAddress = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
    return isLoopback(name) || this.#names.has(name) || (isAddress && !this.isLocal) ? "allowed" : "refused";
  }
}

/** The host name in a URL's form, without the port; undefined if it is not valid. */
export function hostnameOf(host: string): string | undefined {
  const name = parseUrl(`http://${isIP(host) === 6 ? `[${host}]` : host}`)?.hostname;
  // With a dot at its end it is the same name.
  return name?.replace(/\.$/, "") || undefined;
}

/** Whether a text is a host, with or without a port: no URL and no pattern. */
export const isHost = (text: string): boolean => !/[/@\s*]/.test(text) && hostnameOf(text) !== undefined;
