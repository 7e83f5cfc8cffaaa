/** Values for the placeholders of a folder, from options: one by one, from a file, or from a stack's configuration. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { readFileIn } from "../../account-folder/folder/folder-files";
import type { LoadOptions } from "../../account-folder/folder/load-folder";
import { parseValues } from "../../account-folder/folder/values-file";
import type { SourceLocation } from "../../account-folder/placeholders/source-map";
import { PROTOTYPE_KEY, prototypeKeyProblem } from "../../fs/prototype-keys";
import { allowsUnknownValues } from "../../provider/session/provider-config";
import { UsageError } from "../output/errors";
import {
  configurationInClear,
  projectFile,
  projectFolder,
  projectFolderHere,
  projectName,
  stackConfigPath,
} from "../project/project-files";

export interface ValuesOptions {
  value?: string[];
  valuesFile?: string;
  valuesFrom?: string;
}

/** Adds the options that give values. */
export function withValues(command: Command): Command {
  return command
    .option("--value <name=text>", "a value for ${name}; repeatable", collect)
    .option("--values-file <file>", "values by name, in a YAML file")
    .option("--values-from <stack>", "the values in this stack's configuration");
}

const collect = (text: string, before: string[] = []) => [...before, text];

/**
 * The values of the options, for placeholders of the account's folder. Without any of them, placeholders stay unresolved, for
 * all environments at once.
 */
export function valuesOfOptions(
  folder: string,
  options: ValuesOptions,
): Pick<LoadOptions, "values" | "placeOfValue" | "requireValues"> {
  const values: Record<string, string> = {};
  const places = new Map<string, SourceLocation>();
  let hasSecrets = false;
  const take = (file: string, path: string[]): boolean => {
    try {
      const found = parseValues(resolve(file), readFileIn(folder, file), path);
      if (found === undefined) return false;
      Object.assign(values, found.values);
      for (const [name, place] of found.places) places.set(name, place);
      // They need the stack's passphrase, and stay unresolved here.
      hasSecrets ||= found.secrets.length > 0;
      return true;
    } catch (error) {
      const { message, syscall } = error as NodeJS.ErrnoException;
      throw new UsageError(syscall === undefined ? message : `${file} cannot be read: ${message}`);
    }
  };
  if (options.valuesFrom !== undefined) {
    const project = projectFolder();
    const file = stackConfigPath(project, options.valuesFrom);
    if (!existsSync(file)) throw new UsageError(`there is no stack "${options.valuesFrom}": ${file} does not exist`);
    const key = `${projectName(project)}:values`;
    // Without values of its own, a stack has those that the project's file gives to all.
    const defaults = ["default", "value"].flatMap((member) => [key, "values"].map((name) => ["config", name, member]));
    if (!take(file, ["config", key])) defaults.some((path) => take(projectFile(project), path));
  }
  if (options.valuesFile !== undefined) {
    if (!existsSync(options.valuesFile))
      throw new UsageError(`there is no file "${options.valuesFile}" (--values-file)`);
    take(options.valuesFile, []);
  }
  for (const text of options.value ?? []) {
    const at = text.indexOf("=");
    if (at <= 0) throw new UsageError(`--value "${text}": write it as name=text`);
    if (text.slice(0, at) === PROTOTYPE_KEY) throw new UsageError(`--value: ${prototypeKeyProblem}`);
    values[text.slice(0, at)] = text.slice(at + 1);
  }
  const hasOptions =
    options.valuesFrom !== undefined || options.valuesFile !== undefined || (options.value ?? []).length > 0;
  return {
    values,
    placeOfValue: (name) => places.get(name),
    requireValues: hasOptions && !hasSecrets,
  };
}

/** Whether a folder may have values that this version does not know: by the option, or as its project says for all stacks or this one. */
export function allowsUnknownIn(
  folder: string,
  { allowUnknownValues, valuesFrom = "" }: { allowUnknownValues?: boolean; valuesFrom?: string },
): boolean {
  if (allowUnknownValues !== undefined) return allowUnknownValues;
  const project = projectFolderHere(folder);
  return allowsUnknownValues(project === undefined ? undefined : configurationInClear(project, valuesFrom));
}
