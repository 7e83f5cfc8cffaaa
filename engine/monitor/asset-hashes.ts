/**
 * Assets in inputs and outputs: texts and files, known by the hash of their bytes.
 *
 * Used for: the asset kind of property values.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { EngineError } from "../errors";
import { isArchive, isAsset, someDeep, type Value, type ValueMap } from "../resource/property-value";
import { SIG_KEY, SignatureKind } from "../resource/signatures";

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

/** Other members that the SDK adds to an asset, such as `__pulumiAsset`, are not part of the state. */
const assetOf = (content: ValueMap): Value => ({ [SIG_KEY]: SignatureKind.asset, ...content });

/** The values with the hashes of their assets. Rejects remote assets and archives. */
export async function hashAssets(values: ValueMap, programDirectory: string): Promise<ValueMap> {
  if (!someDeep(values, (v) => isAsset(v) || isArchive(v))) return values;
  const walk = async (v: Value): Promise<Value> => {
    if (v === null || typeof v !== "object") return v;
    if (Array.isArray(v)) return Promise.all(v.map(walk));
    if (isArchive(v))
      throw new EngineError(
        "the built-in engine does not support archives (pulumi.asset.*Archive); use the Pulumi CLI",
      );
    if (isAsset(v)) {
      if (typeof v.text === "string") return assetOf({ text: v.text, hash: sha256(v.text) });
      if (typeof v.path === "string")
        return assetOf({ path: v.path, hash: sha256(await readFile(path.resolve(programDirectory, v.path))) });
      throw new EngineError(
        "the built-in engine does not support remote assets (pulumi.asset.RemoteAsset); use the Pulumi CLI",
      );
    }
    const entries = await Promise.all(Object.entries(v).map(async ([k, x]) => [k, await walk(x)] as const));
    return Object.fromEntries(entries);
  };
  return (await walk(values)) as ValueMap;
}
