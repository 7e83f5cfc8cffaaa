/** `esign init`: a new project, from a template or from an account that exists. */
import { relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import type { Files } from "../../../account-folder/folder/write";
import { isProjectName } from "../../../engine/config/file-names";
import { UsageError } from "../../output/exit-codes";
import { inShell } from "../../output/shell";
import { ask, colours, confirm, errorColours, isInteractive, note, print } from "../../output/terminal";
import { writeFiles } from "../../output/write-files";
import { hasAccountFiles, mergeFiles, rejectProject } from "../../project/template/merge-files";
import { type ModuleFormat, moduleFormats, toEsModules } from "../../project/template/module-format";
import {
  describeTemplate,
  readTemplate,
  type TemplateName,
  templateNames,
  workflow,
} from "../../project/template/new-project";
import { addOwnPackage } from "../../project/template/own-package";
import { adaptCommands, filesFor, install, packageManager } from "../../project/template/package-manager";
import { exportAccount, projectName, stackOf } from "../export/index";

interface InitOptions {
  template?: TemplateName;
  name?: string;
  module: ModuleFormat;
  from?: string;
  ci?: boolean;
  install: boolean;
  yes?: boolean;
}

/** What is to be made, after the questions. */
interface Plan extends InitOptions {
  folder: string;
  name: string;
  template: TemplateName;
}

export function addInit(program: Command): void {
  program
    .command("init")
    .description("Create a project in an empty folder, or around the files of an account.")
    .argument("[folder]", "folder of the project (default: this one)")
    .addOption(new Option("--template <name>", "what to begin with").choices(templateNames))
    .option("--from <account>", "export this account into the project, such as account")
    .option("--name <project>", "name of the project (default: the folder's)")
    .addOption(
      new Option("--module <format>", "module format of the program").choices(moduleFormats).default("commonjs"),
    )
    .option("--ci", "add a workflow for GitHub Actions")
    .option("--no-install", "do not install the dependencies")
    .option("-y, --yes", "do not ask: take the defaults")
    .addHelpText(
      "after",
      `
Templates:
${templateNames.map((name) => `  ${name.padEnd(10)} ${describeTemplate(name)}`).join("\n")}

Existing files are kept: account.yaml and emails/ become part of the project,
package.json and .gitignore are completed. Nothing is overwritten.

Examples:
  $ esign init shop                  then: cd shop, esign up --local
  $ esign init shop --template partner --module esm
  $ ESIGN_BASE_URL=… ESIGN_API_KEY=… esign init shop --from account`,
    )
    .action(init);
}

async function init(directory: string | undefined, options: InitOptions): Promise<void> {
  const folder = resolve(directory ?? ".");
  rejectProject(folder);
  const plan = await complete(folder, options);
  const { from, name, module } = plan;
  const hasKey = from !== undefined && (await exportAccount(from, { out: folder, name, module }));
  if (from === undefined) await write(folder, templateFiles(plan));
  const manager = packageManager();
  await write(folder, filesFor(manager, folder));
  if (plan.ci) await write(folder, workflow(plan.template));
  if (plan.ci && manager !== "npm") note(`The workflow installs with npm: replace \`npm ci\` for ${manager}`);
  await addOwnPackage(folder, plan.install);
  if (plan.install) await install(folder);
  printNextSteps(plan, hasKey);
}

function templateFiles({ template, name, module }: Plan): Files {
  const files = readTemplate(template, name);
  if (module === "esm") toEsModules(files);
  files.set("README.md", adaptCommands(files.get("README.md")!, packageManager()));
  return files;
}

const write = (folder: string, files: Files) =>
  writeFiles(folder, mergeFiles(folder, files), (line) => note(errorColours.dim(line)));

/** The options with the answers to the questions. */
async function complete(folder: string, options: InitOptions): Promise<Plan> {
  if (options.from !== undefined && options.template !== undefined)
    throw new UsageError("--from writes the account itself: omit --template");
  const asks = !options.yes && isInteractive();
  const standard = projectName(folder);
  const name = options.name ?? ((asks && (await ask(`Name of the project (${standard}): `))) || standard);
  if (!isProjectName(name))
    throw new UsageError(`"${name}" is not a valid project name (--name): use letters, digits, "-", "_" and "."`);
  const { template, from } = options;
  if (!asks || template !== undefined || from !== undefined || hasAccountFiles(folder))
    return { ...options, folder, name, template: template ?? "account" };
  if (await wantsExport()) return { ...options, folder, name, template: "account", from: "account" };
  return { ...options, folder, name, template: await askTemplate() };
}

async function wantsExport(): Promise<boolean> {
  const { ESIGN_BASE_URL: baseUrl, ESIGN_API_KEY: apiKey } = process.env;
  return Boolean(baseUrl && apiKey) && confirm(`Export the account of ESIGN_API_KEY, at ${baseUrl}, into the project?`);
}

async function askTemplate(): Promise<TemplateName> {
  for (const [i, name] of templateNames.entries()) note(`  ${i + 1}  ${name.padEnd(10)} ${describeTemplate(name)}`);
  const answer = (await ask("Template (1): ")) || "account";
  const chosen = templateNames.find((name, i) => answer === name || answer === String(i + 1));
  if (chosen === undefined) throw new UsageError(`there is no template "${answer}": use ${templateNames.join(", ")}`);
  return chosen;
}

function printNextSteps({ folder, name, install: installed, from, template }: Plan, hasKey: boolean): void {
  const enter = [
    ...(folder === process.cwd() ? [] : [[`cd ${inShell(relative(process.cwd(), folder))}`]]),
    ...(installed ? [] : [["npm install"]]),
  ];
  const setKey = ["npx esign config set --secret esign:apiKey", "asks for the key, and encrypts it"];
  print(`Created project ${colours.bold(name)}.`);
  if (from !== undefined) {
    const adopt = ["npx esign up", "adopts the account, and writes nothing to it"];
    print(
      `\nNext:\n${table([...enter, [`npx esign stack init ${stackOf({ out: folder })}`], ...(hasKey ? [] : [setKey]), adopt])}`,
    );
    return;
  }
  const [local, real] = template === "automation" ? automationSteps : deploymentSteps(setKey);
  print(`\nTry it without an account:\n${table([...enter, ...local])}`);
  print(
    `\nThen deploy it to your ${template === "account" || template === "receiver" ? "account" : "partner's account"}:\n${table(real)}`,
  );
}

/** What to run on the emulator, and then with an account. */
type Steps = [local: string[][], real: string[][]];

const deploymentSteps = (setKey: string[]): Steps => [
  [
    ["npx esign up --local", "deploys it to the emulator"],
    ["npm test", "does so too, and checks the effects"],
  ],
  [
    ["npx esign stack init production"],
    ["npx esign config set esign:baseUrl <URL>", "base URL of the API"],
    setKey,
    ["npx esign up", "shows the plan, and asks"],
  ],
];

const automationSteps: Steps = [
  [
    ["npm start -- --local", "deploys all customers to the emulator"],
    ["npm test", "does so too, and checks the result"],
  ],
  [["npm start", "with the variables that README.md names"]],
];

const table = (rows: string[][]) =>
  rows
    .map(([command = "", comment]) => [adaptCommands(command, packageManager()), comment] as const)
    .map(([command, comment = ""]) => `  ${comment === "" ? command : `${command.padEnd(46)}${comment}`}`)
    .join("\n");
