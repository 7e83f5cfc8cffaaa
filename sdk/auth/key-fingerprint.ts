/** Fingerprint of an API key, to identify it without showing it. */
import { createHash } from "node:crypto";

/** Sixteen hex digits that identify a key. `esign:expectAccount` and states contain them, so they must never change. */
export function keyFingerprint(key: string): string {
  return createHash("sha256").update(`pulumi-esign key ${key}`).digest("hex").slice(0, 16);
}
