/** The arguments of `pulumi` for an operation on a stack. */
import type { Operation, RunOptions } from "../../engine/index";

const each = (flag: string, values: readonly string[] = []): string[] => values.flatMap((value) => [flag, value]);
const when = (isSet: boolean | undefined, flag: string): string[] => (isSet ? [flag] : []);

export function pulumiArguments(operation: Operation, preview: boolean, options: RunOptions): string[] {
  const { targets, excludes, replaces, policyPacks = [], parallel, message } = options;
  const isRefresh = operation === "refresh";
  const runsProgram = operation === "update" || operation === "preview";
  return [
    ...command(operation, preview, options.plan !== undefined),
    ...when(options.refresh && !isRefresh, "--refresh"),
    ...when(options.runProgram, "--run-program"),
    ...when(options.clearPendingCreates && isRefresh && !preview, "--clear-pending-creates"),
    ...when(options.continueOnError && !(preview && runsProgram), "--continue-on-error"),
    ...when(options.showSecrets && runsProgram, "--show-secrets"),
    ...each("--target", targets),
    ...when(options.targetDependents, "--target-dependents"),
    ...each("--exclude", excludes),
    ...when(options.excludeDependents, "--exclude-dependents"),
    ...when(options.excludeProtected, "--exclude-protected"),
    ...each("--replace", replaces),
    ...policyPacks.flatMap(({ directory, configFile }) => [
      ...each("--policy-pack", [directory]),
      ...each("--policy-pack-config", configFile === undefined ? [] : [configFile]),
    ]),
    ...(parallel === undefined ? [] : ["--parallel", String(parallel)]),
    ...(message === undefined ? [] : ["--message", message]),
  ];
}

/** `up` has a command of its own for its preview; nothing is asked, since what asks has shown the plan. */
function command(operation: Operation, preview: boolean, hasPlan: boolean): string[] {
  if (operation === "update" || operation === "preview")
    return preview ? ["preview"] : ["up", "--yes", ...when(!hasPlan, "--skip-preview")];
  return [operation, ...(preview ? ["--preview-only"] : ["--yes", "--skip-preview"])];
}
