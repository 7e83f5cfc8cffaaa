/** What can be said to the operations on a stack, and what the embedded engine is told of it. */
import type { RunOptions } from "../../../engine/index";
import type { SessionOptions } from "../../project/session";

export type Verb = "up" | "preview" | "refresh" | "destroy";

export interface DeployOptions extends SessionOptions {
  yes?: boolean;
  skipPreview?: boolean;
  previewOnly?: boolean;
  diff?: boolean;
  json?: boolean;
  refresh?: boolean;
  runProgram?: boolean;
  clearPendingCreates?: boolean;
  expectNoChanges?: boolean;
  continueOnError?: boolean;
  parallel?: number;
  target?: string[];
  targetDependents?: boolean;
  exclude?: string[];
  excludeDependents?: boolean;
  replace?: string[];
  targetReplace?: string[];
  excludeProtected?: boolean;
  message?: string;
  typeCheck?: boolean;
  showSames?: boolean;
  showSecrets?: boolean;
  local?: boolean;
  quickstart?: boolean;
}

export function runOptions(options: DeployOptions): RunOptions {
  // Of the bookkeeping, the fingerprint of the key that an object was made with: to compare it is what it is printed for.
  const given: RunOptions = { plaintextOutputs: ["__esign.key"] };
  if (options.parallel !== undefined) given.parallel = options.parallel;
  if (options.refresh !== undefined) given.refresh = options.refresh;
  if (options.runProgram !== undefined) given.runProgram = options.runProgram;
  if (options.clearPendingCreates !== undefined) given.clearPendingCreates = options.clearPendingCreates;
  if (options.expectNoChanges !== undefined) given.expectNoChanges = options.expectNoChanges;
  if (options.continueOnError !== undefined) given.continueOnError = options.continueOnError;
  const { target, replace, targetReplace = [] } = options;
  if (target !== undefined || targetReplace.length > 0) given.targets = [...(target ?? []), ...targetReplace];
  if (options.targetDependents !== undefined) given.targetDependents = options.targetDependents;
  if (options.exclude !== undefined) given.excludes = options.exclude;
  if (options.excludeDependents !== undefined) given.excludeDependents = options.excludeDependents;
  if (options.excludeProtected !== undefined) given.excludeProtected = options.excludeProtected;
  if (replace !== undefined || targetReplace.length > 0) given.replaces = [...(replace ?? []), ...targetReplace];
  if (options.message !== undefined) given.message = options.message;
  if (options.typeCheck !== undefined) given.typeCheck = options.typeCheck;
  if (options.showSecrets !== undefined) given.showSecrets = options.showSecrets;
  return given;
}
