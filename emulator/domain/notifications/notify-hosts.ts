/** The hosts that notifications may be sent to: this machine, and those that the user names. */
import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { lookupLoopback } from "../../../sdk/http/lookup-loopback";
import { isLoopback, parseUrl } from "../../../sdk/text/url";

export class NotifyHosts {
  readonly #names: ReadonlySet<string>;

  /** @param names host names or addresses, such as those of containers. Throws for what is no host. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map(hostnameOf));
  }

  /** Whether a URL is called. */
  includes({ hostname, protocol }: URL): boolean {
    return /^https?:$/.test(protocol) && (isLoopback(hostname) || this.#names.has(hostname.toLowerCase()));
  }

  /** Names of this machine are its own; of others only those that the user names are looked up. */
  readonly lookup: LookupFunction = (hostname, options, done) => {
    if (this.#names.has(hostname.toLowerCase())) lookup(hostname, options, done);
    else lookupLoopback(hostname, options, done);
  };
}

function hostnameOf(name: string): string {
  const host = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
  const url = /[/@\s*]/.test(host) ? undefined : parseUrl(`http://${host}/`);
  if (url === undefined || url.port !== "")
    throw new Error(`"${name}" is not a host to notify: use a name or an address alone, such as app or 172.18.0.3`);
  return url.hostname.toLowerCase();
}
