/** When the place of the states is written into the project, and what the user reads of it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../engine/index";
import { errorColours, note } from "../output/terminal";
import { openProject } from "./open-project";

/**
 * Writes the location of the states into the project, so that a Pulumi CLI that is installed later finds them. Called before a stack is
 * created or changed.
 */
export async function recordBackend(project: Project): Promise<void> {
  if (!(await project.recordBackend())) return;
  note(
    errorColours.dim(`Added backend.url to the project's file: the Pulumi CLI finds ${project.backend.folder}, too.`),
  );
}

/** The same before the Pulumi CLI runs, for states that the built-in engine created without it. */
export async function recordBackendForPulumi(project: string): Promise<void> {
  if (!existsSync(join(project, ".pulumi/stacks"))) return;
  // A project that this engine cannot read has no states of this engine.
  const opened = await openProject({}, project).catch(() => undefined);
  if (opened !== undefined) await recordBackend(opened);
}
