/** Fingerprints of sent values: with them, this stack recognizes its own values in the account without storing them. */
import { fieldOf } from "../../definitions/field";
import { hashOf } from "../core/hash";
import { type Fields, isCopied, type ResourceDefinition } from "../core/resource-definition";
import type { Fingerprints, Metadata } from "../state/metadata";

interface SentObject {
  definition: ResourceDefinition;
  metadata: Metadata;
}

/** Fingerprints of what is about to be sent. The API's copy of a file could not be recognised: there is none. */
export function fingerprintsOf(object: SentObject, sending: Fields): Fingerprints {
  const hashesOf = (field: string, value: string) =>
    isCopied(object.definition, field) ? [] : [fingerprint(object, field, value)];
  return Object.fromEntries(Object.entries(sending).map(([field, value = ""]) => [field, hashesOf(field, value)]));
}

/** True for a value that this stack has sent, or that the API has made of it. A copy, of which nothing is known, is taken for one. */
export function isOwnValue(object: SentObject, sent: Fingerprints, field: string, live: string | undefined): boolean {
  if (isCopied(object.definition, field)) return field in sent;
  if (live === undefined) return false;
  return sent[field]?.includes(fingerprint(object, field, live)) === true;
}

/**
 * The same for a value in whatever format the API returns it. The stack, by the key that its state was recorded with, is part of it: the
 * folder may have several.
 */
function fingerprint({ definition, metadata }: SentObject, field: string, value: string): string {
  const { normalizeLoose, normalize } = fieldOf(definition, field) ?? {};
  const loose = normalizeLoose?.(value) ?? normalize?.(value) ?? value;
  return hashOf(`${metadata.keyFingerprint} ${hashOf(loose)}`);
}
