/** Starts the process of a provider: the SDK's host of dynamic providers, or the plugin of a package. */
import type { PluginRequest } from "../resource/plugin-request";
import { DYNAMIC_PACKAGE } from "../resource/urn";
import type { ComponentEnvironment } from "./construct";
import { findPlugin } from "./find-plugin";
import type { Sdk } from "./node-sdk";
import { type PluginProcess, startNodePlugin, startPlugin } from "./plugin-process";

export interface ProviderEnvironment extends ComponentEnvironment {
  sdk: Sdk;
  programDirectory: string;
  /** Folders of plugins that the project names, by package. */
  pluginFolders: ReadonlyMap<string, string>;
  env: NodeJS.ProcessEnv;
  onLine: (line: string, stream: "stdout" | "stderr") => void;
}

/** Rejects with an `EngineError` when there is no such plugin. */
export async function startProviderProcess(request: PluginRequest, e: ProviderEnvironment): Promise<PluginProcess> {
  const options = {
    cwd: e.programDirectory,
    env: { ...e.env, PULUMI_NODEJS_PROJECT: e.project, PULUMI_PROJECT: e.project },
    onLine: e.onLine,
  };
  if (request.name === DYNAMIC_PACKAGE)
    return startNodePlugin("the provider process", {
      ...options,
      isTested: e.sdk.isTested,
      arguments: [e.sdk.dynamicProviderPath, await e.engineAddress],
    });
  const found = await findPlugin(request, { pluginFolders: e.pluginFolders, env: e.env });
  const name = `the plugin of the package ${request.name}`;
  if ("command" in found) return startPlugin(name, found.command, { ...options, arguments: [await e.engineAddress] });
  return startNodePlugin(name, {
    ...options,
    // What is preloaded for speed was tested with programs and dynamic providers.
    isTested: false,
    arguments: [found.nodeFolder, await e.engineAddress],
  });
}
