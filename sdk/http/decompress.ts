/** Decompresses a response: some gateways compress it although the request excludes that. */
import { maxResponseSize } from "./response-limit";

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

/** Loaded only where something is compressed. */
const zlib = () => require("node:zlib") as typeof import("node:zlib");

const gunzip: Decode = (bytes, options) => zlib().gunzipSync(bytes, options);
/** With the header of zlib, or, as some servers send it, without. */
const inflate: Decode = (bytes, options) =>
  (bytes[0]! & 0x0f) === 8 ? zlib().inflateSync(bytes, options) : zlib().inflateRawSync(bytes, options);

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", gunzip],
  // The same (RFC 9110).
  ["x-gzip", gunzip],
  ["deflate", inflate],
  ["br", (bytes, options) => zlib().brotliDecompressSync(bytes, options)],
]);

/**
 * The body by its `Content-Encoding`. One that is not known leaves it as it is. Throws for what is damaged, or longer than a response
 * may be: a few bytes may become any number of them.
 */
export function decompress(body: Buffer, encoding: string | string[] | undefined): Buffer {
  if (encoding === undefined) return body;
  // Several are listed in the order in which they were applied.
  const names = String(encoding).toLowerCase().split(",");
  return names.reduceRight((bytes, name) => {
    const decode = decoders.get(name.trim());
    return decode === undefined || bytes.length === 0 ? bytes : decode(bytes, { maxOutputLength: maxResponseSize });
  }, body);
}
