/** The values of placeholders in the stack's configuration: the object `values`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceLocation } from "../../account-folder/placeholders/source-map";
import type { Surroundings } from "./declarer";
import { asStrings, type FolderValues, isSet } from "./fill-values";

const valuesFile = (): typeof import("../../account-folder/folder/values-file") =>
  require("../../account-folder/folder/values-file");

export type Fail = (problem: string) => never;

/** The object `values` of the stack's configuration, and where its names are set. */
export function configuredValues(
  surroundings: Surroundings,
  fail: Fail,
): {
  values: FolderValues;
  placeOf: (name: string) => SourceLocation | undefined;
} {
  const key = `${surroundings.project}:values`;
  const values = parseObject(surroundings.config(key), key, fail);
  // One secret value makes the whole object secret; what is written with it is then secret, too.
  const isSecret = surroundings.isSecretConfig(key);
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => isSet(value)));
  const strings = Object.entries(asStrings(present, surroundings.fail)).map(([name, value]) => [
    name,
    isSecret ? surroundings.secret(value) : value,
  ]);
  let places: Map<string, SourceLocation> | undefined;
  const placeOf = (name: string) => {
    places ??= placesInStackFile(surroundings, key);
    return places.get(name);
  };
  return { values: Object.fromEntries(strings), placeOf };
}

function placesInStackFile({ rootDirectory, stack }: Surroundings, key: string): Map<string, SourceLocation> {
  const file = join(rootDirectory, `Pulumi.${stack}.yaml`);
  try {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    return valuesFile().parseValues(file, text, ["config", key])?.places ?? new Map();
  } catch {
    // It only serves to show a place; the engine reports what is wrong with the file.
    return new Map();
  }
}

function parseObject(text: string | undefined, key: string, fail: Fail): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const values: unknown = JSON.parse(text);
    if (values !== null && typeof values === "object" && !Array.isArray(values))
      return values as Record<string, unknown>;
  } catch {}
  return fail(`the configuration ${key} must be an object of values`);
}
