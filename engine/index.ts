/** The embedded deployment engine: what the `esign` command and tests may use of it. */
import type { OpenOptions, Project } from "./api";

export type * from "./api";
export { EngineError, type EngineErrorCode } from "./errors";
export type * from "./events";

/** Opens the project of a folder. Reads files only; runs nothing. */
export async function openProject(options: OpenOptions): Promise<Project> {
  const { openProject: open } = await import("./project");
  return open(options);
}
