/** Runs the resource hooks of a step: before it, where a failure fails the step, and after it, where it only fails the run. */
import { messageOf } from "../../errors";
import type { StepOp } from "../../events";
import { PlanFailure, type Step } from "../../plan/step";
import type { HookArguments, HookNames, HookType } from "../../resource/hooks";
import type { ResourceState } from "../../resource/resource-state";
import type { DeploymentContext } from "../deployment-context";

const OPERATION: Partial<Record<StepOp, "Create" | "Update" | "Delete">> = {
  create: "Create",
  "create-replacement": "Create",
  update: "Update",
  delete: "Delete",
  "delete-replaced": "Delete",
};

type Context = Pick<DeploymentContext, "dryRun" | "hooks" | "events" | "lifecycle" | "continueOnError">;

/** Rejects when a hook fails: then the step is not applied. */
export const runHooksBefore = (step: Step, context: Context): Promise<void> => runHooks("Before", step, context);

/** The step is applied and recorded: a failing hook is reported, and no further step starts. */
export async function runHooksAfter(step: Step, context: Context): Promise<void> {
  try {
    await runHooks("After", step, context);
  } catch (error) {
    context.events.diagnostic("error", messageOf(error), step.urn);
    context.lifecycle.hasFailed = true;
    if (!context.continueOnError) context.lifecycle.stop();
  }
}

async function runHooks(when: "Before" | "After", step: Step, context: Context): Promise<void> {
  const operation = OPERATION[step.op];
  const state = operation === "Delete" ? step.old : step.new;
  if (operation === undefined || state === undefined) return;
  const type: HookType = `${when}${operation}`;
  for (const name of (state.resourceHooks as HookNames | undefined)?.[type] ?? []) {
    const hook = context.hooks.get(name);
    if (hook === undefined) throw new Error(`the program has not registered its resource hook "${name}" (${type})`);
    if (context.dryRun && !hook.onDryRun) continue;
    try {
      await hook.call(argumentsOf(type, step, state));
    } catch (error) {
      const message = `the resource hook "${name}" (${type}) failed: ${messageOf(error)}`;
      if (!hook.ignoreErrors) throw new Error(message, { cause: error });
      context.events.diagnostic("warning", message, step.urn);
    }
  }
}

function argumentsOf(type: HookType, { old, new: created }: Step, { urn, id = "", type: resource }: ResourceState) {
  const isCreate = type.endsWith("Create");
  const isDelete = type.endsWith("Delete");
  const args: HookArguments = { urn, id, type: resource };
  if (!isDelete) args.newInputs = created?.inputs ?? {};
  if (!isCreate) Object.assign(args, { oldInputs: old?.inputs ?? {}, oldOutputs: old?.outputs ?? {} });
  if (!isDelete && type.startsWith("After")) args.newOutputs = created?.outputs ?? {};
  return args;
}

/** Rejects resources with hooks on their deletion: without the program, these cannot run. */
export function rejectDeleteHooks(resources: readonly ResourceState[]): void {
  const hooked = resources.filter(({ resourceHooks }) => {
    const { BeforeDelete, AfterDelete } = (resourceHooks ?? {}) as HookNames;
    return BeforeDelete !== undefined || AfterDelete !== undefined;
  });
  if (hooked.length === 0) return;
  throw new PlanFailure(
    `nothing was deleted: the program has hooks for the deletion of ${hooked.map(({ urn }) => urn).join(", ")}. Run it with --run-program`,
  );
}
