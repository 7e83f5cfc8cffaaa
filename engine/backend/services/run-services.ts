/**
 * What a run needs before it is known what it does: the libraries of the SDK, a server, and processes of providers. They begin while
 * the key of the secrets is made, in another thread.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProjectSettings } from "../../config/project-settings";
import { listen, type MonitorServer } from "../../monitor/monitor-server";
import { type FoundSdk, loadSdk, type Sdk } from "../../plugin/node-sdk";
import { ProviderProcesses } from "../../plugin/provider-process";
import type { ResourceState } from "../../resource/state";
import { isProviderType } from "../../resource/urn";
import type { Checkpoint } from "../../state/checkpoint";

type Output = (line: string, stream: "stdout" | "stderr") => void;

interface ServedStack {
  settings: ProjectSettings;
  /** See `OpenOptions`. */
  providerModules: readonly string[];
}

interface ServicesOptions {
  found: FoundSdk;
  checkpoint: Checkpoint;
  /** Whether a program runs, whose resources the state may lack. */
  runsProgram: boolean;
  env: NodeJS.ProcessEnv;
}

/** What providers print, for the run that they serve: also what they have printed before it. */
class ProviderOutput {
  private readonly early: Parameters<Output>[] = [];
  private output: Output | undefined;

  readonly add: Output = (...line) => {
    if (this.output === undefined) this.early.push(line);
    else this.output(...line);
  };

  passTo(output: Output): void {
    this.output = output;
    for (const line of this.early.splice(0)) output(...line);
  }
}

export interface RunServices {
  sdk: Sdk;
  server: MonitorServer;
  processes: ProviderProcesses;
  output: ProviderOutput;
  close(): Promise<void>;
}

export async function startServices(
  { settings, providerModules }: ServedStack,
  { found, checkpoint, runsProgram, env }: ServicesOptions,
): Promise<RunServices> {
  // Before this thread is busy, the other one begins with the key.
  await nextTurn();
  const sdk = loadSdk(found);
  const server = await listen(sdk);
  const output = new ProviderOutput();
  const processes = new ProviderProcesses({
    sdk,
    project: settings.name,
    programDirectory: settings.programDirectory,
    pluginFolders: settings.pluginFolders,
    env,
    providerModules,
    engineAddress: server.address,
    onLine: output.add,
  });
  // Closed as they are: types of resources and versions of plugins are no secrets.
  const resources = (checkpoint.latest?.resources ?? []) as ResourceState[];
  if (runsProgram || resources.some((r) => r.custom && !isProviderType(r.type) && !r.external))
    processes.startAhead(resources);
  const close = async () => {
    await processes.close();
    server.close();
  };
  return { sdk, server, processes, output, close };
}
