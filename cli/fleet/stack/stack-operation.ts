/** Runs one operation on one stack, and sums it up. */
import { hasChanges } from "../../../engine/events";
import { runDeployment } from "../../deploy/deployment";
import type { DeployOptions, DeployVerb } from "../../deploy/run-options";
import { OperationError } from "../../engine/operation-error";
import type { FleetStack } from "../engine/fleet-engine";
import type { Outcome } from "../run-fleet";
import { type OnWait, StackDisplay } from "./stack-display";

export type Result = Pick<Outcome, "changes" | "account" | "isStateChanged">;

/** An operation that failed after it had begun to change the stack. */
export class FailedOperation extends OperationError {
  constructor(
    reason: string | undefined,
    /** What it had done before. */
    readonly done: Result,
  ) {
    super(reason, false);
  }
}

export type FleetVerb = "up" | "preview" | "refresh" | "drift" | "destroy";

/** What a command would be called with. What deletes is previewed: a plan that the provider would refuse is not applied. */
const deployments: Record<FleetVerb, { verb: DeployVerb; options: DeployOptions }> = {
  up: { verb: "up", options: { skipPreview: true } },
  preview: { verb: "preview", options: {} },
  refresh: { verb: "refresh", options: { skipPreview: true } },
  drift: { verb: "refresh", options: { previewOnly: true } },
  destroy: { verb: "destroy", options: {} },
};

interface StackOperationOptions {
  env: Record<string, string>;
  message: string | undefined;
  onWait: OnWait;
}

/** @throws {OperationError} with what the engine has reported, if it has failed; {@link FailedOperation} if it had begun */
export async function runOnStack(
  fleetVerb: FleetVerb,
  stack: FleetStack,
  { env, message, onWait }: StackOperationOptions,
): Promise<Result> {
  const { verb, options } = deployments[fleetVerb];
  const display = new StackDisplay(onWait);
  const { run, account, refusals } = await runDeployment(stack, {
    ...{ verb, env, display },
    options: { yes: true, ...options, ...(message && { message }) },
    // The history says that a program has run it, in the Automation API's word.
    run: { historyEnvironment: { "exec.kind": "auto.local" } },
  });
  // Where the engine has said why, it is said once.
  if (display.errors === "") for (const refusal of refusals) display.event(refusal);
  // What a refresh finds is counted by the engine: it changes no object.
  const isRefresh = fleetVerb === "refresh" || fleetVerb === "drift";
  const result: Result = isRefresh
    ? { changes: run.changes }
    : { changes: display.objects, account, isStateChanged: hasChanges(run.changes) };
  if (run.ok) return result;
  const reason = display.errors || undefined;
  throw run.preview ? new OperationError(reason, false) : new FailedOperation(reason, result);
}
