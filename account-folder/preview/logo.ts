/** Fetches the logo, so that a page can hold it and needs no request of its own. */

import { fetchThrough } from "../../sdk/http/proxy-fetch";

/** Bytes up to which a logo is taken into the page. */
const LIMIT = 2_000_000;

/** The logo as a `data:` address; undefined when it cannot be had, or is neither JPG nor PNG (§7 rule 8). */
export async function fetchLogo(url: string, timeout = 5000): Promise<string | undefined> {
  if (!/^https?:/i.test(url)) return undefined;
  try {
    const answer = await fetchThrough(url, {
      signal: AbortSignal.timeout(timeout),
      headers: { accept: "image/png, image/jpeg" },
    });
    if (!answer.ok || !answer.body) return undefined;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > LIMIT) return undefined;
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    const type = typeOf(bytes);
    return type && `data:${type};base64,${bytes.toString("base64")}`;
  } catch {
    return undefined;
  }
}

/** By its first bytes: what a server says of its files is often wrong. */
function typeOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return "image/png";
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  return undefined;
}
