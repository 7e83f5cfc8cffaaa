import type { OpenOptions, Project } from "./api";
import { EngineError } from "./errors";

export async function openProject(options: OpenOptions): Promise<Project> {
  throw new EngineError(`no project found from ${options.dir}`, "not-found");
}
