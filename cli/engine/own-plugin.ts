/**
 * The plugin of this package for the Pulumi CLI, where no other is installed: a program in YAML names none, and the CLI would look for one
 * on the network. A generated SDK names its version, which this one need not be.
 */
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { packageFolder } from "../output/version";

/** The environment with the folder of the plugin at the end of PATH: another one there, or one that the project names, goes before it. */
export function withOwnPlugin(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (isInstalled(join(env.PULUMI_HOME || join(env.HOME || homedir(), ".pulumi"), "plugins"))) return env;
  return { ...env, PATH: [env.PATH, join(packageFolder, "dist/plugin/bin")].filter(Boolean).join(delimiter) };
}

function isInstalled(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.startsWith("resource-esign-v"));
  } catch {
    return false;
  }
}
