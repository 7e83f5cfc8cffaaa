/** Fetches a picture within bounds: its bytes, or why there are none. Never throws, and a failure never has the address in it. */
import { fetchThrough } from "../../sdk/http/proxy-fetch";
import { parseUrl } from "../../sdk/text/url";
import { isPrivate } from "../text/private-hosts";
import { pictureLimits } from "./picture-limits";

export interface Picture {
  type: "image/png" | "image/jpeg";
  bytes: Buffer;
}

/** What is wrong, as the end of a sentence. */
export interface PictureFailure {
  failure: string;
}

/** The picture at an address that the user has declared. Only PNG and JPG count: an error page is no picture. */
export async function fetchPicture(url: string, time: number = pictureLimits.time): Promise<Picture | PictureFailure> {
  const timeout = AbortSignal.timeout(time);
  try {
    const answer = await follow(url, timeout);
    if ("failure" in answer) return answer;
    const bytes = await readBody(answer);
    if (bytes === undefined) return { failure: `it is larger than ${pictureLimits.bytes / 1e6} MB` };
    const type = typeOf(bytes);
    return type === undefined ? { failure: "it is neither a PNG nor a JPG" } : { type, bytes };
  } catch (error) {
    if (timeout.aborted) return { failure: `it did not arrive within ${time / 1000} seconds` };
    const { cause, code } = error as Error & { cause?: { code?: string }; code?: string };
    return { failure: `its server could not be reached (${cause?.code ?? code ?? "no connection"})` };
  }
}

async function follow(address: string, signal: AbortSignal): Promise<Response | PictureFailure> {
  let url = parseUrl(address);
  for (let redirects = 0; redirects <= pictureLimits.redirects; redirects++) {
    if (url === undefined || !/^https?:$/.test(url.protocol)) return { failure: "its address is not http or https" };
    if (url.username !== "" || url.password !== "") return { failure: "its address has a password" };
    const headers = { accept: "image/png, image/jpeg" };
    const answer = await fetchThrough(url.href, { signal, headers, redirect: "manual" });
    if (answer.ok) return answer;
    await answer.body?.cancel();
    const target = answer.headers.get("location");
    if (answer.status < 300 || answer.status > 399 || target === null)
      return { failure: `its server answered ${answer.status}` };
    const next = parseUrl(target, url.href);
    // Which host it leads to is up to the other server, so it must not reach what only this machine does.
    if (next?.hostname && next.host !== url.host && isPrivate(next.hostname))
      return { failure: "it is redirected into a private network" };
    if (next?.protocol === "http:" && url.protocol === "https:")
      return { failure: "it is redirected from https to http" };
    url = next;
  }
  return { failure: `it is redirected more than ${pictureLimits.redirects} times` };
}

/** The body; undefined if it is too large, in whatever pieces and encoding it comes. */
async function readBody({ body }: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > pictureLimits.bytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** By its first bytes: servers often send a wrong content type. */
function typeOf(bytes: Buffer): Picture["type"] | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return "image/png";
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  return undefined;
}
