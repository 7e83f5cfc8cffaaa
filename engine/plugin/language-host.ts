/**
 * Runs the user's program: `cmd/run` of its SDK, which registers resources with the monitor and ends.
 *
 * Used for: the language host's part.
 */

import type { ProjectSettings } from "../config/project-settings";
import type { ConfigMap } from "../config/resolve";
import { EngineError } from "../errors";
import { preloadArguments } from "../preloads";
import { type ChildHandle, startNode } from "./node-process";
import type { Sdk } from "./node-sdk";

const preloads = preloadArguments("no-inspect-colours", "no-promise-stacks");

/** The SDK's exit code for "failed, and the user has been told why". */
const FAILED_AND_REPORTED = 32;

/** Node warns of each error in an `apply`, since the SDK handles it a moment later. */
const QUIET = "--disable-warning=PromiseRejectionHandledWarning";

export interface ProgramResult {
  ok: boolean;
  /** What to tell the user; absent when the program did that itself. */
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

/** The configuration travels in the environment, where systems have limits: Linux takes 128 KiB in one variable. */
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

export function startProgram(o: ProgramOptions): RunningProgram {
  const { values, secretKeys } = toVariables(o.config);
  const env: NodeJS.ProcessEnv = {
    ...o.env,
    PULUMI_CONFIG: JSON.stringify(values),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(secretKeys),
  };
  delete env.PULUMI_NODEJS_TYPESCRIPT;
  if (o.project.runtime.typescript) {
    env.PULUMI_NODEJS_TYPESCRIPT = "true";
    // Checking types takes seconds at every run; it is the job of tsc, once per change.
    if (o.typeCheck) delete env.PULUMI_NODEJS_TRANSPILE_ONLY;
    else env.PULUMI_NODEJS_TRANSPILE_ONLY ??= "true";
  }
  if (o.project.runtime.tsconfig !== undefined) env.PULUMI_NODEJS_TSCONFIG_PATH = o.project.runtime.tsconfig;
  const child = startWithConfiguration({
    isTested: o.sdk.isTested,
    nodeArguments: [...preloads, QUIET, ...o.project.runtime.nodeArguments],
    arguments: [
      o.sdk.runPath,
      ...["--monitor", o.address, "--engine", o.address, "--organization", "organization"],
      ...["--project", o.project.name, "--root-directory", o.project.directory, "--stack", o.stack],
      ...["--pwd", o.project.programDirectory, "--parallel", String(o.parallel)],
      ...(o.dryRun ? ["--dry-run"] : []),
      o.project.entryPoint,
    ],
    cwd: o.project.programDirectory,
    env,
    onLine: o.onLine,
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
