/**
 * Finds the plugin of a package in the places where the CLI looks for it: the project's settings, PATH and the CLI's home folder.
 *
 * Used for: `packages` and `plugins` of Pulumi.yaml, and $PULUMI_HOME/plugins.
 */
import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { readText } from "../../fs/optional-files";
import { commandFolders } from "../../fs/path-variable";
import { EngineError } from "../errors";
import type { PluginRequest } from "../resource/plugin-request";
import { installedPlugins, installedVersions } from "./installed-plugins";
import { parsePluginSettings } from "./plugin-settings";

interface PluginPlaces {
  /** Folders that the project names, by package. */
  pluginFolders: ReadonlyMap<string, string>;
  env: NodeJS.ProcessEnv;
}

/** A command, or a folder that Node runs. */
type FoundPlugin = { command: string } | { nodeFolder: string };

/** @throws EngineError if it is not found, or if this engine cannot start it */
export async function findPlugin(request: PluginRequest, { pluginFolders, env }: PluginPlaces): Promise<FoundPlugin> {
  const { name, version } = request;
  const declared = pluginFolders.get(name);
  if (declared !== undefined) return pluginIn(declared, name);
  const onPath = commandFolders(env).flatMap((folder) => executableIn(folder, name) ?? []);
  if (onPath[0] !== undefined) return { command: onPath[0] };
  const installed = installedPlugins(env);
  const versions = installedVersions(env, name);
  const wanted = version || versions.at(-1);
  if (wanted !== undefined && versions.includes(wanted))
    return pluginIn(path.join(installed, `resource-${name}-v${wanted}`), name);
  const others = versions.length > 0 ? ` (installed: ${versions.join(", ")})` : "";
  throw new EngineError(
    `the plugin of the package ${name}${version && ` ${version}`} is not installed${others}. Name its folder under "packages" in Pulumi.yaml, put it where the Pulumi CLI has its own (${installed}), or run with --engine pulumi: the Pulumi CLI installs plugins`,
    "not-found",
  );
}

async function pluginIn(folder: string, name: string): Promise<FoundPlugin> {
  const command = executableIn(folder, name);
  if (command !== undefined) return { command };
  const file = path.join(folder, "PulumiPlugin.yaml");
  const text = await readText(file).catch(() => undefined);
  if (text === undefined)
    throw new EngineError(
      `there is no plugin of the package ${name} in ${folder}: it has neither pulumi-resource-${name} nor PulumiPlugin.yaml`,
      "not-found",
    );
  const { runtime } = parsePluginSettings(text, file);
  // If the folder is a symbolic link, Node resolves "main" of its package.json relative to the link.
  if (runtime === "nodejs") return { nodeFolder: realpathSync(folder) };
  throw new EngineError(
    `${file}: its runtime is ${JSON.stringify(runtime ?? null)}; the built-in engine starts plugins of "nodejs" and executables. Use the Pulumi CLI for this project`,
  );
}

/** Undefined if there is none. */
function executableIn(folder: string, name: string): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  return endings.map((ending) => path.join(folder, `pulumi-resource-${name}${ending}`)).find(isFile);
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;
