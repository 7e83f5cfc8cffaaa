/** The values that a stack's configuration gives to the placeholders of a folder. */
import { existsSync, readFileSync } from "node:fs";
import type { Values } from "../../account-folder/folder/fill-folder";
import { parseValues, valuesIn } from "../../account-folder/folder/values-file";
import { openConfiguration } from "../project/open-project";
import { stackConfigPath } from "../project/project-files";

export interface FolderValues {
  values: Values;
  /** Those that are secret: all of them when one is, as in the state. */
  secrets: string[];
  /** Names of those that the configuration has encrypted. */
  encrypted: ReadonlySet<string>;
}

/** The configuration `<project>:values` of a stack of the folder's project. */
export async function folderValues(folder: string, stack: string): Promise<FolderValues> {
  const { project, configuration: opened } = await openConfiguration(stack, folder);
  const key = `${project.name}:values`;
  const found = (await opened.config.list({ showSecrets: true })).get(key);
  if (found === undefined) return { values: {}, secrets: [], encrypted: new Set() };
  const file = stackConfigPath(project.directory, opened.name);
  const { values } = valuesIn(found.objectValue ?? found.value, `${key} of stack ${opened.name}`);
  if (!found.secret) return { values, secrets: [], encrypted: new Set() };
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const plain = parseValues(file, text, ["config", key])?.values ?? {};
  const encrypted = new Set(Object.keys(values).filter((name) => !Object.hasOwn(plain, name)));
  return { values, secrets: Object.values(values), encrypted };
}

/**
 * All texts that the project's own configuration gives to a stack, by their paths: values of its environment, which texts of
 * its resources may contain.
 */
export async function environmentValues(stack: string): Promise<Pick<FolderValues, "values" | "secrets">> {
  const { project, configuration } = await openConfiguration(stack);
  const values: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [key, { value, objectValue, secret }] of await configuration.config.list({ showSecrets: true })) {
    if (!key.startsWith(`${project.name}:`)) continue;
    const texts = textsIn(objectValue ?? value, key);
    Object.assign(values, texts);
    if (secret) secrets.push(...Object.values(texts));
  }
  return { values, secrets };
}

function textsIn(value: unknown, path: string): Record<string, string> {
  if (value === null || value === undefined) return {};
  if (typeof value !== "object") return { [path]: String(value) };
  return Object.assign({}, ...Object.entries(value).map(([name, inner]) => textsIn(inner, `${path}.${name}`)));
}

/** Sets one value in the stack's configuration. */
export async function setFolderValue(
  folder: string,
  stack: string,
  name: string,
  value: string,
  secret: boolean,
): Promise<void> {
  const { project, configuration } = await openConfiguration(stack, folder);
  await configuration.config.set(`${project.name}:values["${name}"]`, value, { path: true, secret });
}
