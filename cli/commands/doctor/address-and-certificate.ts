/** Whether the account's address answers, and for how long its certificate is valid. */

import { describeConnectionError, isTlsError } from "../../../sdk/http/connection-errors";
import { proxyFor } from "../../../sdk/http/proxy";
import { tryConnection } from "../../../sdk/http/try-connection";
import type { CheckResult } from "./check-result";

/** A certificate that is valid for fewer days is warned about. */
const certificateDays = 14;

/** Whether the address answers, on the way that requests take, and how it is encrypted. */
export async function checkAddress(baseUrl: string): Promise<CheckResult[]> {
  const { origin, protocol } = new URL(baseUrl);
  const encrypted = protocol === "https:";
  const tls = { check: "TLS", state: "skip", finding: "skipped" } as const;
  let way = encrypted ? "" : " (this machine)";
  let isProxied = false;
  try {
    const proxy = proxyFor(origin);
    isProxied = proxy !== undefined;
    if (proxy !== undefined) way = ` through the proxy ${proxy.host}`;
    const address = { check: "address", state: "ok", finding: `${origin}${way}` } as const;
    const { certificate, version } = await tryConnection(origin);
    if (certificate === undefined) return [address, { ...tls, finding: "not used on localhost" }];
    const days = Math.floor((Date.parse(certificate.valid_to) - Date.now()) / 86_400_000);
    const finding = `${version}, certificate valid for ${days} days`;
    return [address, { check: "TLS", state: days < certificateDays ? "warn" : "ok", finding }];
  } catch (error) {
    const finding = describeConnectionError(error);
    if (encrypted && isTlsError(error)) {
      const advice = "Check the base URL and proxies. Set NODE_EXTRA_CA_CERTS for a private certificate authority.";
      return [
        { check: "address", state: "ok", finding: `${origin}${way}` },
        { ...tls, state: "fail", finding, advice },
      ];
    }
    const advice = !encrypted
      ? 'Is it running? "esign emulator" starts the local emulator.'
      : isProxied
        ? "Check the base URL, HTTPS_PROXY and NO_PROXY."
        : "Check the base URL. Behind a proxy, set HTTPS_PROXY.";
    return [{ check: "address", state: "fail", finding: `${origin}${way}: ${finding}`, advice }, tls];
  }
}
