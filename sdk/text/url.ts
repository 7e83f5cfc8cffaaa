/** Parses URLs without exceptions, and recognizes addresses of this machine. */

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

/** The host of a URL, with its port; undefined if the text is not a URL. */
export const hostOf = (url: string): string | undefined => parseUrl(url)?.host;

/** True if the `hostname` of a URL is a loopback address of this machine. */
export function isLoopback(hostname: string): boolean {
  return isLoopbackAddress(hostname) || /^(localhost|.+\.localhost)$/.test(hostname);
}

/** True for an address of the own machine, and not for its names. */
export const isLoopbackAddress = (hostname: string): boolean => /^(127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
