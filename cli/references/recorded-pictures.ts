/**
 * The hashes of pictures that a stack's state records: those of the account's copies after the last write, or those that a refresh found.
 */
import { kindOfType } from "../../definitions/index";
import { unwrapAll } from "../../provider/core/pulumi-values";
import { flatten, isCopied } from "../../provider/core/resource-definition";
import { definitions, handlerOf } from "../../provider/resources/index";
import { CopyIdentity } from "../../provider/state/drift";
import { decodeMetadata } from "../../provider/state/metadata";
import type { DeployedResource } from "./state-resources";

/** Hashes by the declared address; without those of an address of which different ones are recorded. */
export function recordedPictures(resources: readonly DeployedResource[]): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string | undefined>>();
  for (const { type, id, outputs } of resources) {
    const kind = kindOfType(type);
    if (kind === undefined || id === undefined) continue;
    const definition = definitions[handlerOf(kind.kind)];
    const state = flatten(definition, unwrapAll(outputs));
    const { fields = {} } = decodeMetadata(definition, state);
    for (const [field, address] of Object.entries(state)) {
      if (typeof address !== "string" || address === "" || !isCopied(definition, field)) continue;
      const { copy, displayedCopy = copy } = fields[field] ?? {};
      const hash = displayedCopy && CopyIdentity.pictureIn(displayedCopy);
      found.set(address, (found.get(address) ?? new Set()).add(hash));
    }
  }
  return new Map(
    [...found].flatMap(([address, hashes]): [string, string][] => {
      const [hash] = hashes;
      return hashes.size === 1 && hash ? [[address, hash]] : [];
    }),
  );
}
