/** `esign init`: a new project, from a template or from an account that exists. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { rejectLinks } from "../../../account-folder/folder/symbolic-links";
import type { Files } from "../../../account-folder/folder/write-folder";
import { isProjectName } from "../../../engine/config/stack-names";
import { removeTemporaryFiles } from "../../../fs/atomic-write";
import { UsageError } from "../../output/errors";
import { ask, confirm, errorColours, isInteractive, note } from "../../output/terminal";
import { writeFiles } from "../../output/write-files";
import {
  type BegunProject,
  endBegun,
  languageOfProject,
  markBegun,
  type NewProject,
  needsPackages,
  readBegun,
} from "../../project/new-project/begun-project";
import { languageOf, languages, projectTemplateOf, titleOf, withPackage } from "../../project/new-project/languages";
import { hasAccountFiles, mergeFiles, missingFiles, rejectProject } from "../../project/new-project/merge-files";
import { moduleFormats, toEsModules } from "../../project/new-project/module-format";
import { addOwnPackage } from "../../project/new-project/own-package";
import { adaptCommands, filesFor, install, packageManager } from "../../project/new-project/package-manager";
import {
  describeTemplate,
  hasPackages,
  type ProjectTemplate,
  projectTemplates,
  readTemplate,
} from "../../project/new-project/project-templates";
import { workflow, workflowFile } from "../../project/new-project/workflow-from-docs";
import { isInterrupted } from "../export/exporter";
import { defaultProjectName, exportAccount } from "../export/index";
import { printNextSteps } from "./next-steps";

interface InitOptions extends Partial<NewProject> {
  install: boolean;
  yes?: boolean;
}

export function addInit(program: Command): void {
  program
    .command("init")
    .description("Create a project in an empty folder, or around the files of an account.")
    .argument("[folder]", "folder of the project (default: this one)")
    .addOption(new Option("--template <name>", "what to begin with").choices(projectTemplates))
    .addOption(
      new Option("--language <name>", "language of the program; python and go need the Pulumi CLI").choices(languages),
    )
    .option("--from <account>", "export this account into the project, such as account")
    .option("--name <project>", "name of the project (default: the folder's)")
    .addOption(new Option("--module <format>", "module format of the program").choices(moduleFormats))
    .option("--ci", "add a workflow for GitHub Actions")
    .option("--no-install", "do not install the dependencies")
    .option("-y, --yes", "do not ask: take the defaults")
    .addHelpText(
      "after",
      `
Templates:
${projectTemplates.map((name) => `  ${name.padEnd(10)} ${describeTemplate(name)}`).join("\n")}

Existing files are kept: account.yaml and emails/ become part of the project,
package.json and .gitignore are completed. Nothing is overwritten.
What was interrupted is continued by the same command.

Examples:
  $ esign init shop                  then: cd shop, esign up --local
  $ esign init shop --language yaml  no code, nothing to install
  $ esign init shop --language python
  $ esign init shop --template partner --module esm
  $ ESIGN_BASE_URL=… ESIGN_API_KEY=… esign init shop --from account`,
    )
    .action(init);
}

async function init(directory: string | undefined, options: InitOptions): Promise<void> {
  const folder = resolve(directory ?? ".");
  const begun = readBegun(folder);
  if (begun !== undefined) resume(folder, begun, options);
  const project: BegunProject = begun ?? (await complete(folder, options));
  const installs = options.install && needsPackages(project);
  if (!project.isWritten) await write(folder, project, { isResumed: begun !== undefined, installs });
  try {
    if (installs) await install(folder);
  } finally {
    // A failed installation, too, ends it: the user installs by hand, and the project is theirs from then on.
    await endBegun(folder);
  }
  printNextSteps(folder, project, installs);
}

function resume(folder: string, begun: BegunProject, options: InitOptions): void {
  const wanted = options.template === undefined ? options : { ...options, template: templateFor(options) };
  const before = { ...begun, language: languageOfProject(begun) };
  const differs = (["language", "template", "name", "module", "from", "ci"] as const).find(
    (key) => wanted[key] !== undefined && wanted[key] !== before[key],
  );
  if (differs !== undefined)
    throw new UsageError(
      `${folder} has a project that an interrupted init began ${differs === "ci" ? "without" : "with another"} --${differs}: run \`esign init\` without this option`,
    );
  note(`Continuing the project that an interrupted init began in ${folder}. Files that are there are kept.`);
}

/** Its files, the mark first: from then on a run that is killed can be continued. */
async function write(
  folder: string,
  project: NewProject,
  { isResumed, installs }: { isResumed: boolean; installs: boolean },
): Promise<void> {
  const { from, name, module, ci, template, language } = project;
  const manager = packageManager();
  const files = from === undefined ? templateFiles(project) : new Map<string, string>();
  if (needsPackages(project))
    for (const [path, text] of filesFor(manager, folder)) files.set(path, `${files.get(path) ?? ""}${text}`);
  if (ci) files.set(workflowFile, workflow(template, languageOfProject(project)));
  const merge = isResumed ? missingFiles : mergeFiles;
  const toWrite = () => merge(folder, files, project.keepsAccount === true);
  // Before anything is written it is known that all of it can be.
  const merged = toWrite();
  rejectLinks(folder, merged.keys());
  for (const path of files.keys()) await removeTemporaryFiles(join(folder, path));
  const onBegin = () => markBegun(folder, project);
  if (from === undefined) await onBegin();
  else if (!isResumed || isInterrupted(folder))
    await exportAccount(from, { out: folder, name, module, ...(language && { language }), onBegin });
  await writeFiles(folder, from === undefined ? merged : toWrite(), (line) => note(errorColours.dim(line)));
  if (ci && manager !== "npm") note(`The workflow installs with npm: replace \`npm ci\` for ${manager}`);
  if (needsPackages(project)) await addOwnPackage(folder, installs);
  await markBegun(folder, { ...project, isWritten: true });
}

/** The file that makes the folder a project is the first one. */
function templateFiles(project: NewProject): Files {
  const { template, name, module } = project;
  const files = readTemplate(template, name);
  if (needsPackages(project) && !hasPackages(template))
    for (const [path, text] of withPackage(files, name)) files.set(path, text);
  if (module === "esm") toEsModules(files);
  files.set("README.md", adaptCommands(files.get("README.md")!, packageManager()));
  return new Map([["Pulumi.yaml", files.get("Pulumi.yaml")!], ...files]);
}

/** The options with the answers to the questions. */
async function complete(folder: string, options: InitOptions): Promise<NewProject> {
  rejectProject(folder);
  if (options.from !== undefined && options.template !== undefined)
    throw new UsageError("--from writes the account itself: omit --template");
  const asks = !options.yes && isInteractive();
  const standard = defaultProjectName(folder);
  const name = options.name ?? ((asks && (await ask(`Name of the project (${standard}): `))) || standard);
  if (!isProjectName(name))
    throw new UsageError(`"${name}" is not a valid project name (--name): use letters, digits, "-", "_" and "."`);
  const { from, ci, module = "commonjs" } = options;
  const language = options.language ?? (options.template && languageOf(options.template));
  const template = templateFor(options);
  if (module !== "commonjs" && (language ?? "typescript") !== "typescript")
    throw new UsageError(`--module is for programs in TypeScript: omit it for ${language}`);
  const keepsAccount = hasAccountFiles(folder);
  const project = { name, module, ...(ci && { ci }), ...(keepsAccount && { keepsAccount }) };
  if (from !== undefined) return { ...project, template: template ?? "account", from, ...(language && { language }) };
  const offered = offeredIn(folder, keepsAccount);
  if (!asks || template !== undefined) return { ...project, template: template ?? offered[0]! };
  if (keepsAccount) return { ...project, template: await askTemplate(offered) };
  if (await wantsExport()) return { ...project, template: "account", from: "account" };
  return { ...project, template: await askTemplate(offered) };
}

/** What to begin with, the default first. Who has the files of an account, and no packages, needs no code for them. */
function offeredIn(folder: string, keepsAccount: boolean): readonly ProjectTemplate[] {
  if (!keepsAccount) return projectTemplates;
  const hasManifest = existsSync(join(folder, "package.json"));
  return hasManifest ? ["account", "yaml", "python", "go"] : ["yaml", "account", "python", "go"];
}

/** The template that the options name; undefined where they leave it open. */
function templateFor({ template, language }: InitOptions): ProjectTemplate | undefined {
  if (language === undefined || template === undefined) return template ?? (language && projectTemplateOf(language));
  if (languageOf(template) === language) return template;
  if (template === "account") return projectTemplateOf(language);
  throw new UsageError(`the template ${template} is in ${titleOf(languageOf(template))}: omit --language`);
}

async function wantsExport(): Promise<boolean> {
  const { ESIGN_BASE_URL: baseUrl, ESIGN_API_KEY: apiKey } = process.env;
  return Boolean(baseUrl && apiKey) && confirm(`Export the account of ESIGN_API_KEY, at ${baseUrl}, into the project?`);
}

/** The first one is the default. */
async function askTemplate(names: readonly ProjectTemplate[]): Promise<ProjectTemplate> {
  for (const [i, name] of names.entries()) note(`  ${i + 1}  ${name.padEnd(10)} ${describeTemplate(name)}`);
  const answer = (await ask("Template (1): ")) || names[0];
  const chosen = names.find((name, i) => answer === name || answer === String(i + 1));
  if (chosen === undefined) throw new UsageError(`there is no template "${answer}": use ${names.join(", ")}`);
  return chosen;
}
