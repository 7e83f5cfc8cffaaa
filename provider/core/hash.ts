import { createHash } from "node:crypto";

/** A short hash: what is only compared need not be kept. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
