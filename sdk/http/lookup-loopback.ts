/** Addresses of the names of this machine, without DNS. */
import type { LookupFunction } from "node:net";
import { isLoopback } from "../text/url";

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
