/**
 * Runs the user's program: `cmd/run` of its SDK, which registers resources with the monitor and then exits.
 *
 * Used for: what a language host does for the CLI.
 */

import type { ProjectSettings } from "../config/project-settings";
import type { ConfigMap } from "../config/resolve-config";
import { EngineError } from "../errors";
import { preloadArguments } from "../preloads";
import { type ChildHandle, startNode } from "./node-process";
import type { Sdk } from "./node-sdk";

const preloads = preloadArguments("no-inspect-colours", "no-promise-stacks");

/** The SDK's exit code for an error that it has already reported. */
const FAILED_AND_REPORTED = 32;

/** Node warns of each error in an `apply`, since the SDK handles it a moment later. */
const QUIET = "--disable-warning=PromiseRejectionHandledWarning";

export interface ProgramResult {
  ok: boolean;
  /** The message for the user; absent if the program has reported the error. */
  message?: string;
}

export interface RunningProgram {
  result: Promise<ProgramResult>;
  kill: () => void;
}

export interface ProgramOptions {
  sdk: Sdk;
  project: ProjectSettings;
  stack: string;
  config: ConfigMap;
  dryRun: boolean;
  parallel: number;
  typeCheck: boolean;
  env: NodeJS.ProcessEnv;
  /** The address of the monitor and of the engine's service. */
  address: string;
  onLine: (line: string, stream: "stdout" | "stderr") => void;
}

/** The configuration is passed in an environment variable, whose size is limited: 128 KiB on Linux. */
function startWithConfiguration(options: Parameters<typeof startNode>[0]): ChildHandle {
  try {
    return startNode(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "E2BIG") throw error;
    const size = Math.ceil((options.env.PULUMI_CONFIG ?? "").length / 1024);
    throw new EngineError(
      `the configuration of the stack is too long for this system to hand it to a program (${size} KiB): keep long texts in files that the program reads`,
    );
  }
}

/** The configuration as programs get it. */
export function toVariables(config: ConfigMap): { values: Record<string, string>; secretKeys: string[] } {
  // The SDK also takes keys without ":config:", but very old libraries do not.
  const values: Record<string, string> = {};
  const secretKeys: string[] = [];
  for (const [key, setting] of config) {
    values[key.replace(":", ":config:")] = setting.text;
    if (setting.secret) secretKeys.push(key);
  }
  return { values, secretKeys };
}

export function startProgram(options: ProgramOptions): RunningProgram {
  const { values, secretKeys } = toVariables(options.config);
  const env: NodeJS.ProcessEnv = {
    ...options.env,
    PULUMI_CONFIG: JSON.stringify(values),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(secretKeys),
  };
  delete env.PULUMI_NODEJS_TYPESCRIPT;
  if (options.project.runtime.typescript) {
    env.PULUMI_NODEJS_TYPESCRIPT = "true";
    // A type check takes seconds in every run; tsc does it once per change.
    if (options.typeCheck) delete env.PULUMI_NODEJS_TRANSPILE_ONLY;
    else env.PULUMI_NODEJS_TRANSPILE_ONLY ??= "true";
  }
  if (options.project.runtime.tsconfig !== undefined)
    env.PULUMI_NODEJS_TSCONFIG_PATH = options.project.runtime.tsconfig;
  const child = startWithConfiguration({
    isTested: options.sdk.isTested,
    nodeArguments: [...preloads, QUIET, ...options.project.runtime.nodeArguments],
    arguments: [
      options.sdk.runPath,
      ...["--monitor", options.address, "--engine", options.address, "--organization", "organization"],
      ...["--project", options.project.name, "--root-directory", options.project.directory, "--stack", options.stack],
      ...["--pwd", options.project.programDirectory, "--parallel", String(options.parallel)],
      ...(options.dryRun ? ["--dry-run"] : []),
      options.project.entryPoint,
    ],
    cwd: options.project.programDirectory,
    env,
    onLine: options.onLine,
  });
  const result = child.ended.then(({ code, signal }): ProgramResult => {
    if (code === 0) return { ok: true };
    if (code === FAILED_AND_REPORTED) return { ok: false };
    return {
      ok: false,
      message: signal ? `the program was ended by ${signal}` : `the program ended with exit code ${code}`,
    };
  });
  return { result, kill: child.kill };
}
