/** Parses URLs without exceptions, and recognizes addresses of this machine. */
import type { LookupFunction } from "node:net";

/**
 * Parses a URL; undefined if it is not valid. Does not use `URL.canParse`: in Node 20, after some thousand calls, it returns false for
 * hosts such as bücher.example.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** True if the `hostname` of a URL is a loopback address of this machine. */
export function isLoopback(hostname: string): boolean {
  return isLoopbackAddress(hostname) || /^(localhost|.+\.localhost)$/.test(hostname);
}

/** True for an address of the own machine, and not for its names. */
export const isLoopbackAddress = (hostname: string): boolean => /^(127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/**
 * Resolves `localhost` and the names below it to loopback addresses (RFC 6761), and rejects all other names. A DNS resolver may return
 * another machine for these names, and the client trusts them without TLS.
 */
export const lookupLoopback: LookupFunction = (hostname, options, done) => {
  if (!isLoopback(hostname.toLowerCase())) {
    done(Object.assign(new Error(`${hostname} is not a name of this machine`), { code: "ENOTFOUND" }), "", 0);
    return;
  }
  const all = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ].filter(({ family }) => !options.family || Number(String(options.family).replace("IPv", "")) === family);
  if (options.all) done(null, all);
  else done(null, all[0]!.address, all[0]!.family);
};
