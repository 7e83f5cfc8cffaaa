/** Starts what declares the resources of an update: the program, in its own process or another one, or an earlier deployment. */
import { cpus } from "node:os";
import type { RunOptions } from "../api";
import type { ResourceRegistrar } from "../deploy/resource-registrar";
import { EngineError } from "../errors";
import { startInlineProgram } from "../plugin/inline-program";
import { type ProgramOptions, type RunningProgram, startProgram } from "../plugin/language-host";
import { findSdk } from "../plugin/node-sdk";
import type { Checkpoint } from "../state/checkpoint";
import { replay } from "./rollback/replay";
import type { RemoteServices } from "./services/run-services";
import type { LoadedUpdate, UpdateRun, UpdateTarget } from "./update-context";

/** The environment of the program and of providers. */
export const environmentOf = ({ stack, options }: Pick<UpdateRun, "stack" | "options">): NodeJS.ProcessEnv => ({
  ...stack.env,
  ...options.env,
});

/** The folders in which the SDK of a program is looked for, in order. */
export const sdkPlaces = (stack: UpdateTarget, { languageRuntime }: RunOptions) =>
  [stack.settings.programDirectory, languageRuntime?.sdkFolder] as const;

/** Determines the services of a run. */
export const servicesOptions = (run: Pick<UpdateRun, "stack" | "options" | "runsProgram">, checkpoint: Checkpoint) => ({
  findSdk: () => findSdk(...sdkPlaces(run.stack, run.options)),
  checkpoint,
  runsProgram: run.runsProgram && run.options.rollback === undefined,
  usesSdk: run.options.languageRuntime !== undefined || (run.options.policyPacks ?? []).length > 0,
  env: environmentOf(run),
});

/** What the program, the providers and the deployment have in common. */
export const sharedSettings = ({ stack, preview, options }: UpdateRun) => ({
  stack: stack.name,
  dryRun: preview,
  parallel: Math.max(1, options.parallel ?? 4 * cpus().length),
  env: environmentOf({ stack, options }),
  programDirectory: stack.settings.programDirectory,
});

/** Starts the program, or declares an earlier deployment in its place. */
export function startDeclaring(
  run: UpdateRun,
  loaded: LoadedUpdate,
  registrar: ResourceRegistrar,
  remote: RemoteServices | undefined,
): RunningProgram {
  const { stack, preview, options, events } = run;
  const { earlier, state, config } = loaded;
  if (earlier !== undefined) {
    const { prepare } = options.rollback!;
    const replayed = replay({
      registrar,
      earlier,
      current: state.resources,
      dryRun: preview,
      ...(prepare && { prepare }),
    });
    return { result: replayed, kill: () => undefined };
  }
  if (stack.settings.runtime.name === "yaml") return { result: runYaml(run, loaded, registrar), kill: () => undefined };
  if (remote === undefined) throw new EngineError("a program in a process of its own needs an SDK");
  const program: ProgramOptions = {
    ...sharedSettings(run),
    sdk: remote.sdk,
    project: stack.settings,
    config,
    typeCheck: options.typeCheck === true,
    address: remote.server.address,
    onLine: (line, stream) => events.processOutput("program", line, stream),
  };
  const runtime = options.languageRuntime?.address;
  return runtime === undefined ? startProgram(program) : startInlineProgram({ ...program, runtime });
}

async function runYaml({ stack, preview }: UpdateRun, { config }: LoadedUpdate, registrar: ResourceRegistrar) {
  const { runYamlProgram } = await import("../yaml/program.js");
  const { settings, providers } = stack;
  const schema = await providers.inProcessProviders?.schema();
  return runYamlProgram({
    project: settings.name,
    stack: stack.name,
    dryRun: preview,
    projectFile: settings.file,
    projectDirectory: settings.directory,
    programDirectory: settings.programDirectory,
    packages: schema === undefined ? [] : [schema],
    config,
    registrar,
  });
}
