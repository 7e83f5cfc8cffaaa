/** Who declares the resources of an update: the program, in its own process or another one, or an earlier deployment. */
import { cpus } from "node:os";
import type { ResourceRegistrar } from "../deploy/registrar";
import { startInlineProgram } from "../plugin/inline-program";
import { type ProgramOptions, type RunningProgram, startProgram } from "../plugin/language-host";
import { replay } from "./rollback/replay";
import type { LoadedUpdate, UpdateRun } from "./update-context";

/** That of the program and of providers. */
export const environmentOf = ({ stack, options }: Pick<UpdateRun, "stack" | "options">): NodeJS.ProcessEnv => ({
  ...stack.env,
  ...options.env,
});

/** What the program, the providers and the deployment have in common. */
export const sharedSettings = ({ stack, preview, options }: UpdateRun, { sdk }: LoadedUpdate) => ({
  sdk,
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
  address: string,
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
  const program: ProgramOptions = {
    ...sharedSettings(run, loaded),
    project: stack.settings,
    config,
    typeCheck: options.typeCheck === true,
    address,
    onLine: (line, stream) => events.processOutput("program", line, stream),
  };
  const runtime = options.languageRuntime?.address;
  return runtime === undefined ? startProgram(program) : startInlineProgram({ ...program, runtime });
}
