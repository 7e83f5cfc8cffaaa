/** URLs. */

/**
 * Parses a URL; undefined if it is not valid. Not `URL.canParse`: after some thousand calls, it returns false for hosts such as
 * bücher.example in Node 20.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** True if the `hostname` of a URL is that of this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
