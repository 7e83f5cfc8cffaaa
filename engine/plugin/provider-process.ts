/** The processes of providers: the SDK's host of dynamic providers, and the plugins of packages. */
import { keyOf, type PluginRequest } from "../resource/plugin-request";
import { DYNAMIC_PACKAGE } from "../resource/urn";
import { findPlugin } from "./find-plugin";
import type { Sdk } from "./node-sdk";
import { type PluginProcess, startNodePlugin, startPlugin } from "./plugin-process";

interface ProviderHost {
  sdk: Sdk;
  project: string;
  programDirectory: string;
  /** Folders of plugins that the project names, by package. */
  pluginFolders: ReadonlyMap<string, string>;
  env: NodeJS.ProcessEnv;
  /** The address of the engine's own services. */
  engineAddress: string;
  onLine: (line: string, stream: "stdout" | "stderr") => void;
}

/** Rejects with an `EngineError` when there is no such plugin. */
async function startProviderProcess(request: PluginRequest, host: ProviderHost): Promise<PluginProcess> {
  const options = {
    cwd: host.programDirectory,
    env: { ...host.env, PULUMI_NODEJS_PROJECT: host.project, PULUMI_PROJECT: host.project },
    onLine: host.onLine,
  };
  if (request.name === DYNAMIC_PACKAGE)
    return startNodePlugin("the provider process", {
      ...options,
      isTested: host.sdk.isTested,
      arguments: [host.sdk.dynamicProviderPath, host.engineAddress],
    });
  const found = await findPlugin(request, { pluginFolders: host.pluginFolders, env: host.env });
  const name = `the plugin of the package ${request.name}`;
  if ("command" in found) return startPlugin(name, found.command, { ...options, arguments: [host.engineAddress] });
  return startNodePlugin(name, {
    ...options,
    // The preloads for speed are tested only with programs and dynamic providers.
    isTested: false,
    arguments: [found.nodeFolder, host.engineAddress],
  });
}

/** Processes of providers. Some are started in advance, and load while the encryption key is derived and the program loads. */
export class ProviderProcesses {
  /** The started processes without a connection, by plugin. */
  readonly #spares = new Map<string, Promise<PluginProcess>>();

  readonly #host: ProviderHost;

  constructor(host: ProviderHost) {
    this.#host = host;
  }

  /** Starts a process for each plugin. */
  startAhead(requests: readonly PluginRequest[]): void {
    for (const request of requests) {
      if (this.#spares.has(this.#keyOf(request))) continue;
      const process = startProviderProcess(request, this.#host);
      process.catch(() => undefined);
      this.#spares.set(this.#keyOf(request), process);
    }
  }

  /** Resolves when the processes without a connection have loaded. */
  async loaded(): Promise<void> {
    await Promise.allSettled([...this.#spares.values()].map(async (spare) => (await spare).address));
  }

  /** A process for one instance, started in advance or now. */
  take(request: PluginRequest): Promise<PluginProcess> {
    const key = this.#keyOf(request);
    const spare = this.#spares.get(key);
    this.#spares.delete(key);
    return spare ?? startProviderProcess(request, this.#host);
  }

  /** Ends the processes that were not used. */
  async close(): Promise<void> {
    const spares = [...this.#spares.values()];
    this.#spares.clear();
    const end = async (spare: Promise<PluginProcess>): Promise<void> => {
      const process = await spare.catch(() => undefined);
      process?.child.kill();
      await process?.child.ended.catch(() => undefined);
    };
    await Promise.all(spares.map(end));
  }

  /** A plugin folder that the project names contains one version. */
  #keyOf(request: PluginRequest): string {
    return this.#host.pluginFolders.has(request.name) ? request.name : keyOf(request);
  }
}
