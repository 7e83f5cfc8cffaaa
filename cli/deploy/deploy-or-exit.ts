/** A deployment as a command: opens the stack, deploys, and ends as the deployment did. */
import { ExitError, UsageError } from "../output/errors";
import { Exit } from "../output/exit-codes";
import { failExpectation } from "../output/fail-expectation";
import { type DeploymentRequest, type DeploymentResult, runDeployment } from "./deployment";
import type { OpenedStack } from "./open-stack";
import { readPlan } from "./plan-file";

/**
 * @param open is called when the options are known to be right
 * @throws {ExitError} if it was cancelled, has failed, or has found what an option excludes
 */
export async function deployOrExit(
  open: () => Promise<OpenedStack>,
  request: Omit<DeploymentRequest, "plan" | "display">,
): Promise<void> {
  const { plan: file, skipPreview } = request.options;
  if (file !== undefined && skipPreview)
    throw new UsageError("--plan needs the preview, which compares the account with the plan: omit --skip-preview");
  const plan = file === undefined ? undefined : await readPlan(file);
  const opened = await open();
  try {
    exitUnlessDone(await runDeployment(opened, { ...request, ...(plan && { plan }) }));
  } finally {
    await opened.stack.close();
  }
}

function exitUnlessDone({ run, unexpected }: DeploymentResult): void {
  if (run.cancelled) throw new ExitError(Exit.cancelled);
  if (unexpected !== undefined) failExpectation(unexpected);
  if (!run.ok) throw new ExitError(Exit.failed);
}
