/** Addresses. */

/**
 * Reads an address; undefined for what is none. `URL.canParse` is no help: once it has been asked some thousand times, Node 20
 * answers no for hosts such as bücher.example.
 */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

/** True for the names and addresses of this machine itself, as they stand in a URL's `hostname`. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
