/** The configuration of a stack as its files have it: which settings are in clear. */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { projectFileNames, stackConfigFile } from "../engine/config/file-names";
import { withoutPrototypeKeys } from "../fs/prototype-keys";
import type { Subject } from "./rule";

/** The project's file, in the first of these folders, or of those above them, that is of this project. */
export function findProjectFile(folders: readonly string[], project: string): string | undefined {
  for (const from of folders) {
    for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
      const file = projectFileNames.map((name) => path.join(folder, name)).find((name) => existsSync(name));
      if (file !== undefined && readYaml(file).name === project) return file;
      if (folder === path.dirname(folder)) break;
    }
  }
  return undefined;
}

interface SettingsFile {
  name?: unknown;
  config?: unknown;
}

const readYaml = (file: string): SettingsFile =>
  (existsSync(file)
    ? withoutPrototypeKeys(parse(readFileSync(file, "utf8"), { merge: true }) as SettingsFile | null)
    : null) ?? {};

/** What rules check of a stack's configuration, and its file. */
export type ConfigurationSubject = Subject<"Configuration"> & { file: string };

/** The own configuration of stacks, and the defaults in the project's file. */
export function projectConfiguration(projectFile: string, stacks: readonly string[]): ConfigurationSubject[] {
  const project = readYaml(projectFile);
  const subject = (file: string, config: unknown, stack?: string): ConfigurationSubject => ({
    ...{ kind: "Configuration", name: path.basename(file), file, stack },
    args: settingsInClear(config, stack === undefined),
  });
  const ofStacks = stacks.map((stack) => {
    const file = stackConfigFile(projectFile, project, stack);
    return subject(file, readYaml(file).config, stack);
  });
  return [...ofStacks, subject(projectFile, project.config)];
}

function settingsInClear(config: unknown, isProject: boolean): Record<string, unknown> {
  if (config === null || typeof config !== "object") return {};
  return Object.fromEntries(
    Object.entries(config)
      // Older versions of the CLI wrote `esign:config:apiKey`.
      .map(([key, entry]): [string, unknown] => [key.replace(":config:", ":"), valueInClear(entry, isProject)])
      .filter(([, value]) => value !== undefined && value !== null),
  );
}

/** A project's default may stand in a description of the setting. Objects and lists are walked by the rule: their members may be encrypted. */
function valueInClear(entry: unknown, isProject: boolean): unknown {
  if (entry === null || typeof entry !== "object") return entry;
  if ("secure" in entry) return undefined;
  if (!isProject || Array.isArray(entry)) return entry;
  if ("value" in entry) return entry.value;
  return "default" in entry ? entry.default : "type" in entry ? undefined : entry;
}
