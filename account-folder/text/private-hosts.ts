/** Hosts that only a private network or this machine reaches. */
import { BlockList, isIP } from "node:net";
import { isLoopback } from "../../sdk/text/url";

const privateNetworks = new BlockList();
for (const [network, length] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  privateNetworks.addSubnet(network, length);
for (const [network, length] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  privateNetworks.addSubnet(network, length, "ipv6");

/** By its name: an address of a private network, this machine, or a name that only a local resolver has. */
export function isPrivate(hostname: string): boolean {
  // A full name may end with a dot.
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const version = isIP(host);
  // IPv4 in IPv6 is checked as IPv4.
  if (version !== 0) return privateNetworks.check(host, version === 6 ? "ipv6" : "ipv4");
  return isLoopback(host) || !host.includes(".") || /\.(local|internal|lan|home\.arpa)$/.test(host);
}
