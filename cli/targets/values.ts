/** Values for the templates of a folder, as the command line names them: one by one, in a file, or in a stack's configuration. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { LoadOptions } from "../../account-folder/folder/load";
import { readValuesFile } from "../../account-folder/folder/values-file";
import type { SourceLocation } from "../../account-folder/template/source-map";
import { UsageError } from "../output/exit-codes";
import { projectFile, projectFolder, projectName, stackConfigPath } from "../project/project-files";

export interface ValuesOptions {
  value?: string[];
  values?: string;
  stack?: string;
}

/** Adds the options that give values. */
export function withValues(command: Command): Command {
  return command
    .option("--value <name=text>", "a value for ${name}; repeat it for several", collect, [])
    .option("--values <file>", "values in a YAML file, by their names")
    .option("-s, --stack <name>", "values of this stack's configuration, <project>:values");
}

const collect = (text: string, before: string[]) => [...before, text];

/**
 * What the options give. Without any of them, values stay open: a folder can be checked and looked at for all
 * environments at once.
 */
export function valuesOf(options: ValuesOptions): Pick<LoadOptions, "values" | "placeOfValue" | "requireValues"> {
  const values: Record<string, string> = {};
  const places = new Map<string, SourceLocation>();
  let hasSecrets = false;
  const take = (file: string, path: string[]): boolean => {
    try {
      const found = readValuesFile(resolve(file), path);
      if (found === undefined) return false;
      Object.assign(values, found.values);
      for (const [name, place] of found.places) places.set(name, place);
      // They need the stack's passphrase, and are left open here.
      hasSecrets ||= found.secrets.length > 0;
      return true;
    } catch (error) {
      const { message, syscall } = error as NodeJS.ErrnoException;
      throw new UsageError(syscall === undefined ? message : `${file} cannot be read: ${message}`);
    }
  };
  if (options.stack !== undefined) {
    const project = projectFolder();
    const file = stackConfigPath(project, options.stack);
    if (!existsSync(file)) throw new UsageError(`there is no stack "${options.stack}": ${file} does not exist`);
    const key = `${projectName(project)}:values`;
    // Without values of its own, a stack has those that the project's file gives to all.
    const defaults = ["default", "value"].flatMap((member) => [key, "values"].map((name) => ["config", name, member]));
    if (!take(file, ["config", key])) defaults.some((path) => take(projectFile(project), path));
  }
  if (options.values !== undefined) {
    if (!existsSync(options.values)) throw new UsageError(`there is no file "${options.values}" (--values)`);
    take(options.values, []);
  }
  for (const text of options.value ?? []) {
    const at = text.indexOf("=");
    if (at <= 0) throw new UsageError(`--value "${text}": write it as name=text`);
    values[text.slice(0, at)] = text.slice(at + 1);
  }
  const isGiven = options.stack !== undefined || options.values !== undefined || (options.value ?? []).length > 0;
  return {
    values,
    placeOfValue: (name) => places.get(name),
    requireValues: isGiven && !hasSecrets,
  };
}
