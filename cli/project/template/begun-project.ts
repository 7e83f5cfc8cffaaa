/** A project whose `init` has not ended: it may have been killed, and the next one completes it. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectFileNames } from "../../../engine/config/file-names";
import { removeTemporaryFiles, writeDurably } from "../../../fs/atomic-write";
import type { ModuleFormat } from "./module-format";
import { type TemplateName, templateNames } from "./new-project";

/** What it is to be, after the questions. */
export interface Project {
  template: TemplateName;
  name: string;
  module: ModuleFormat;
  /** The account that is exported into it. */
  from?: string;
  ci?: boolean;
  /** The folder had an account's files: those of the template are left out. */
  keepsAccount?: boolean;
}

export interface BegunProject extends Project {
  /** All files are there; what is missing is the installation. */
  isWritten?: boolean;
}

const markOf = (folder: string) => join(folder, ".esign-init");

/** Undefined where no project is, whatever a mark says: its file is the first one that is written. */
export function readBegun(folder: string): BegunProject | undefined {
  if (!existsSync(markOf(folder)) || !projectFileNames.some((name) => existsSync(join(folder, name)))) return undefined;
  const begun = JSON.parse(readFileSync(markOf(folder), "utf8")) as BegunProject;
  return templateNames.includes(begun.template) ? begun : undefined;
}

export const markBegun = (folder: string, project: BegunProject): Promise<void> =>
  writeDurably(markOf(folder), `${JSON.stringify(project)}\n`);

export async function endBegun(folder: string): Promise<void> {
  await removeTemporaryFiles(markOf(folder));
  rmSync(markOf(folder), { force: true });
}
