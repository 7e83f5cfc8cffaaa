/** Whether a stack may write with a key: `esign:expectAccount` names those that it may. */
import { Failure } from "../core/failure";

/** @throws {Failure} if the key's fingerprint is not among the expected ones; without any, every key is */
export function assertExpectedKey(fingerprint: string, expected: readonly string[] = []): void {
  if (expected.length === 0 || expected.includes(fingerprint)) return;
  throw new Failure(
    "ESIGN1002",
    `this key (fingerprint ${fingerprint}) is not allowed by esign:expectAccount; nothing was sent`,
  );
}
