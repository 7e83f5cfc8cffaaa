/** The values that a stack's configuration gives to the templates of a folder. */
import type { Values } from "../account/load";
import { openProject } from "./session";

export interface FolderValues {
  values: Values;
  /** Those that are secret. */
  secrets: string[];
}

/** The configuration of a stack of the folder's project, under the project's own name. */
export async function folderValues(folder: string, stack: string): Promise<FolderValues> {
  const project = await openProject({}, folder);
  const config = await (await project.openStack(stack)).config({ showSecrets: true });
  const values: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [key, { value, secret }] of config) {
    if (!key.startsWith(`${project.name}:`)) continue;
    const name = key.slice(project.name.length + 1);
    // `values` is an object of several; every other key is a value of its own.
    for (const [each, text] of name === "values" ? entriesOf(value) : [[name, value] as const]) {
      values[each] = text;
      if (secret) secrets.push(text);
    }
  }
  return { values, secrets };
}

function entriesOf(json: string): [string, string][] {
  const object = JSON.parse(json) as Record<string, unknown>;
  return Object.entries(object).map(([name, value]) => [name, String(value)]);
}

/** Sets one value in the stack's configuration, where it stands already. */
export async function setFolderValue(folder: string, stack: string, name: string, value: string): Promise<void> {
  const project = await openProject({}, folder);
  const opened = await project.openStack(stack);
  const config = await opened.config();
  const inObject = config.get(`${project.name}:values`);
  if (inObject && Object.hasOwn(JSON.parse(inObject.value) as object, name)) {
    await opened.setConfig(`${project.name}:values.${name}`, value, { path: true });
    return;
  }
  const key = `${project.name}:${name}`;
  await opened.setConfig(key, value, { secret: config.get(key)?.secret ?? false });
}
