/**
 * Starts what every run needs: the libraries of the SDK, a server, and provider processes. Meanwhile another thread derives the
 * encryption key.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenOptions } from "../../api";
import type { ProjectSettings } from "../../config/project-settings";
import { listen, type MonitorServer } from "../../monitor/monitor-server";
import { type FoundSdk, loadSdk, type Sdk } from "../../plugin/node-sdk";
import { ProviderProcesses } from "../../plugin/provider-process";
import { codeOf } from "../../resource/in-process-providers";
import { newestPlugin, type PluginRequest, pluginOf } from "../../resource/plugin-request";
import type { ResourceState } from "../../resource/resource-state";
import { DYNAMIC_PACKAGE, isProviderType, packageOf } from "../../resource/urn";
import type { Checkpoint } from "../../state/checkpoint";

type Output = (line: string, stream: "stdout" | "stderr") => void;

/** See `OpenOptions`. */
export type ProviderOptions = Pick<OpenOptions, "inProcessProviders">;

interface ServedStack {
  settings: ProjectSettings;
  providers: ProviderOptions;
}

interface ServicesOptions {
  findSdk: () => FoundSdk;
  checkpoint: Checkpoint;
  /** Whether a program runs, whose resources the state may lack. */
  runsProgram: boolean;
  /** Whether something besides program and providers needs an SDK. */
  usesSdk: boolean;
  env: NodeJS.ProcessEnv;
}

/** The output of providers, for the run that they serve; includes what they printed before the run. */
class ProviderOutput {
  readonly #early: Parameters<Output>[] = [];
  #output: Output | undefined;

  readonly add: Output = (...line) => {
    if (this.#output === undefined) this.#early.push(line);
    else this.#output(...line);
  };

  passTo(output: Output): void {
    this.#output = output;
    for (const line of this.#early.splice(0)) output(...line);
  }
}

/** What programs and providers in processes of their own need. */
export interface RemoteServices {
  sdk: Sdk;
  server: MonitorServer;
  processes: ProviderProcesses;
}

export interface RunServices {
  /** Undefined if the whole run is in this process. */
  remote: RemoteServices | undefined;
  output: ProviderOutput;
  close(): Promise<void>;
}

export async function startServices(stack: ServedStack, options: ServicesOptions): Promise<RunServices> {
  // The other thread starts to derive the key before this one is busy.
  await nextTurn();
  const output = new ProviderOutput();
  const remote = needsSdk(stack, options) ? await startRemote(stack, options, output) : undefined;
  const close = async () => {
    await remote?.processes.close();
    remote?.server.close();
  };
  return { remote, output, close };
}

/** Still encrypted: types of resources and versions of plugins are not secret. */
const resourcesIn = (checkpoint: Checkpoint) => (checkpoint.latest?.resources ?? []) as ResourceState[];

/** Whether a provider has a process of its own. `hasOtherCode`: whether dynamic providers have code that this process does not serve. */
const isRemote = (plugin: PluginRequest, { inProcessProviders }: ProviderOptions, hasOtherCode: boolean): boolean =>
  plugin.name === DYNAMIC_PACKAGE ? hasOtherCode : inProcessProviders?.serves(plugin) !== true;

/** The providers of a state that have a process of their own. */
function remotePluginsIn(resources: readonly ResourceState[], providers: ProviderOptions): PluginRequest[] {
  const { dynamic } = providers.inProcessProviders ?? {};
  const hasOtherCode = resources.some(
    ({ type, inputs, outputs }) =>
      packageOf(type) === DYNAMIC_PACKAGE &&
      !isProviderType(type) &&
      dynamic?.serves(codeOf(outputs, inputs) ?? "") !== true,
  );
  return resources
    .filter(({ type }) => isProviderType(type) && packageOf(type) !== "pulumi")
    .map(({ type, inputs }) => pluginOf(packageOf(type), inputs))
    .filter((plugin) => isRemote(plugin, providers, hasOtherCode));
}

/** Providers that a program may use although the state has none of their resources: the packages that the project names, else dynamic providers. */
function expectedPlugins({ pluginFolders }: ProjectSettings, providers: ProviderOptions): PluginRequest[] {
  const named = pluginFolders.size > 0 ? [...pluginFolders.keys()] : [DYNAMIC_PACKAGE];
  const hasOtherCode = providers.inProcessProviders?.dynamic === undefined;
  return named.map(newestPlugin).filter((plugin) => isRemote(plugin, providers, hasOtherCode));
}

function needsSdk(
  { settings, providers }: ServedStack,
  { checkpoint, runsProgram, usesSdk }: ServicesOptions,
): boolean {
  if (usesSdk || (runsProgram && settings.runtime.name === "nodejs")) return true;
  return remotePluginsIn(resourcesIn(checkpoint), providers).length > 0;
}

async function startRemote(
  { settings, providers }: ServedStack,
  { findSdk, checkpoint, runsProgram, env }: ServicesOptions,
  output: ProviderOutput,
): Promise<RemoteServices> {
  const sdk = loadSdk(findSdk());
  const server = await listen(sdk);
  const processes = new ProviderProcesses({
    sdk,
    project: settings.name,
    programDirectory: settings.programDirectory,
    pluginFolders: settings.pluginFolders,
    env,
    engineAddress: server.address,
    onLine: output.add,
  });
  const resources = resourcesIn(checkpoint);
  const isNew = !resources.some(({ type }) => isProviderType(type));
  const expected = isNew ? expectedPlugins(settings, providers) : remotePluginsIn(resources, providers);
  if (runsProgram || resources.some((r) => r.custom && !isProviderType(r.type) && !r.external))
    processes.startAhead(expected);
  return { sdk, server, processes };
}
