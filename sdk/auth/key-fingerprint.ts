/** How a key is named where it must not be shown. */
import { createHash } from "node:crypto";

/** Sixteen hex digits that tell keys apart. `esign:expectAccount` and states hold them: they must never change for a key. */
export function keyFingerprint(key: string): string {
  return createHash("sha256").update(`pulumi-esign key ${key}`).digest("hex").slice(0, 16);
}
