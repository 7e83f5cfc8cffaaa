/** Projects that `init` has not completed, for example because it was killed. The next `init` completes them. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { rejectLinks } from "../../../account-folder/folder/symbolic-links";
import { projectFileNames } from "../../../engine/config/file-names";
import { isProjectName } from "../../../engine/config/stack-names";
import { removeTemporaryFiles, writeDurably } from "../../../fs/atomic-write";
import { tryParseJson } from "../../../fs/json-text";
import { type Language, languageOf, languages } from "./languages";
import { type ModuleFormat, moduleFormats } from "./module-format";
import { hasPackages, type ProjectTemplate, projectTemplates } from "./project-templates";

/** What it is to be, after the questions. */
export interface NewProject {
  template: ProjectTemplate;
  name: string;
  module: ModuleFormat;
  /** The account that is exported into it. */
  from?: string;
  /** Of its program, where the account is exported. Default: TypeScript. */
  language?: Language;
  ci?: boolean;
  /** The folder had an account's files: those of the template are left out. */
  keepsAccount?: boolean;
}

export const languageOfProject = ({ language, template }: NewProject): Language => language ?? languageOf(template);

/** A workflow installs the command in the version of the project, also where a person needs nothing installed. */
export const needsPackages = ({ template, ci, from }: NewProject): boolean =>
  hasPackages(template) || ci === true || from !== undefined;

export interface BegunProject extends NewProject {
  /** All files are there; what is missing is the installation. */
  isWritten?: boolean;
}

const MARK = ".esign-init";
const markOf = (folder: string) => join(folder, MARK);

const begunProject = z.object({
  template: z.enum(projectTemplates),
  name: z.string().refine(isProjectName),
  module: z.enum(moduleFormats),
  from: z.string().exactOptional(),
  language: z.enum(languages).exactOptional(),
  ci: z.boolean().exactOptional(),
  keepsAccount: z.boolean().exactOptional(),
  isWritten: z.boolean().exactOptional(),
}) satisfies z.ZodType<BegunProject>;

/**
 * Undefined where no project is, whatever a mark says: its file is the first one that is written. A mark that this version does
 * not understand counts as none. @throws {LinkError} if the mark is a symbolic link: it is written, too
 */
export function readBegun(folder: string): BegunProject | undefined {
  rejectLinks(folder, [MARK]);
  if (!existsSync(markOf(folder)) || !projectFileNames.some((name) => existsSync(join(folder, name)))) return undefined;
  return begunProject.safeParse(tryParseJson(readFileSync(markOf(folder), "utf8"))).data;
}

export const markBegun = (folder: string, project: BegunProject): Promise<void> =>
  writeDurably(markOf(folder), `${JSON.stringify(project)}\n`);

export async function endBegun(folder: string): Promise<void> {
  await removeTemporaryFiles(markOf(folder));
  rmSync(markOf(folder), { force: true });
}
