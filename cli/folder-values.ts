/** The values that a stack's configuration gives to the templates of a folder. */
import type { Values } from "../account/load";
import { openProject } from "./session";

export interface FolderValues {
  values: Values;
  /** Those that are secret. */
  secrets: string[];
}

/** The configuration `<project>:values` of a stack of the folder's project. */
export async function folderValues(folder: string, stack: string): Promise<FolderValues> {
  const project = await openProject({}, folder);
  const config = await (await project.openStack(stack)).config({ showSecrets: true });
  const found = config.get(`${project.name}:values`);
  if (found === undefined) return { values: {}, secrets: [] };
  const object = JSON.parse(found.value) as Record<string, unknown>;
  const values = Object.fromEntries(Object.entries(object).map(([name, value]) => [name, String(value)]));
  return { values, secrets: found.secret ? Object.values(values) : [] };
}

/** Sets one value in the stack's configuration. */
export async function setFolderValue(folder: string, stack: string, name: string, value: string): Promise<void> {
  const project = await openProject({}, folder);
  const opened = await project.openStack(stack);
  await opened.setConfig(`${project.name}:values["${name}"]`, value, { path: true });
}
