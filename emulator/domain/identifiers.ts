/** Random IDs, keys and fingerprints. */
import { createHmac, randomBytes } from "node:crypto";

/** Returns as many random bytes as requested. */
export type ByteSource = (size: number) => Buffer;

/** A source that yields the same bytes again for the same start. */
export function reproducibleSource(start: Buffer): ByteSource {
  let n = 0;
  return (size) => createHmac("sha256", start).update(String(n++)).digest().subarray(0, size);
}

const LOWEST_ID = 10_000_000;
const ID_COUNT = 1_990_000_000;

/** A random positive integer that is not taken. */
export function newId(isTaken: (id: string) => boolean, source: ByteSource = randomBytes): string {
  for (;;) {
    const id = String(LOWEST_ID + (source(6).readUIntBE(0, 6) % ID_COUNT));
    if (!isTaken(id)) return id;
  }
}

/** A random fingerprint: 32 hexadecimal digits. */
export function newFingerprint(source: ByteSource = randomBytes): string {
  return source(16).toString("hex");
}

/** A random key. */
export function newSecret(prefix: string, source: ByteSource = randomBytes): string {
  return `${prefix}${source(20).toString("hex")}`;
}
