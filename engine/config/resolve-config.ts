/**
 * Configuration of a stack: Pulumi.<stack>.yaml, with the defaults of Pulumi.yaml. A value is text, or a list or object
 * that programs get as JSON text. A value that contains a secret is secret as a whole.
 *
 * Used for: PULUMI_CONFIG and PULUMI_CONFIG_SECRET_KEYS of the program, the inputs of default providers, `config`.
 */

import { EngineError, MissingValues } from "../errors";
import type { Crypter } from "../secrets/crypter";
import { formatType, matchesType, type ProjectConfigType } from "./config-schema";
import { type ConfigNode, decryptNode, fullKey, hasSecure, isSecure, json, plainText, sortedJson } from "./file-values";

/** One resolved value. */
export interface ConfigEntry {
  text: string;
  secret: boolean;
  /** True for a list or an object, whose text is JSON. */
  structured: boolean;
}
/** Resolved configuration, by full key (`namespace:name`), in the order of the keys. */
export type ConfigMap = Map<string, ConfigEntry>;

/** The configuration of a run: the stack's values, then the project's defaults; checked against the project's types. */
export function resolveConfig(options: {
  project: string;
  stack: string;
  values: Map<string, ConfigNode>;
  declarations: Map<string, ProjectConfigType>;
  crypter: Crypter | undefined;
  /** Values for this run only. */
  extra?: Record<string, string> | undefined;
}): ConfigMap {
  const { project, stack, declarations, crypter } = options;
  const values = new Map(options.values);
  for (const [key, text] of Object.entries(options.extra ?? {})) values.set(fullKey(project, key), text);
  const missing: string[] = [];
  for (const [key, d] of declarations) {
    if (values.has(key)) continue;
    const preset = d.default ?? d.value;
    if (preset !== undefined) values.set(key, preset);
    else if (key.startsWith(`${project}:`)) missing.push(key.slice(project.length + 1));
  }
  if (missing.length > 0)
    throw new MissingValues(
      `stack ${stack} lacks the configuration ${missing.map((k) => JSON.stringify(k)).join(", ")}, which Pulumi.yaml asks for.`,
      `Set it: ${missing.map((k) => `config set ${declarations.get(`${project}:${k}`)?.secret ? "--secret " : ""}${k} <value>`).join("; ")}`,
    );
  const decrypt = (cipher: string): string => {
    if (crypter === undefined)
      throw new EngineError(`the configuration of stack ${stack} has secrets but no encryptionsalt`, "invalid");
    return crypter.decrypt(cipher);
  };
  const settings: ConfigMap = new Map();
  for (const key of [...values.keys()].sort()) {
    const raw = values.get(key) as ConfigNode;
    const structured = raw !== null && typeof raw === "object" && !isSecure(raw);
    const value = decryptNode(raw, decrypt);
    settings.set(key, {
      text: structured ? sortedJson(value) : plainText(value),
      secret: hasSecure(raw),
      structured,
    });
    const declared = declarations.get(key);
    if (declared?.type === undefined) continue;
    if (declared.secret && !hasSecure(raw))
      throw new EngineError(
        `the configuration ${key} of stack ${stack} must be encrypted, as Pulumi.yaml says: config set --secret ${key}`,
        "invalid",
      );
    if (!matchesType(declared, value))
      throw new EngineError(
        `the configuration ${key} of stack ${stack} must be of type ${formatType(declared)}, as Pulumi.yaml says${hasSecure(raw) ? "" : `; it is ${json(value)}`}`,
        "invalid",
      );
  }
  return settings;
}
