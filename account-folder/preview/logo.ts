/** Fetches the logo, so that the page can embed it and needs no request of its own. */

import { fetchThrough } from "../../sdk/http/proxy-fetch";

/** Maximum size of an embedded logo in bytes. */
const LIMIT = 2_000_000;

/** The logo as a `data:` URL; undefined if it cannot be loaded, or is neither JPG nor PNG. */
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

/** By its first bytes: servers often send a wrong content type. */
function typeOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return "image/png";
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  return undefined;
}
