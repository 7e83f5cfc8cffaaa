/** What to run after `esign init`. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { inShell } from "../../output/shell";
import { colours, print } from "../../output/terminal";
import { languageOfProject, type NewProject, needsPackages } from "../../project/new-project/begun-project";
import { generateSdk, hasSdk, installPlugin, type Language, titleOf } from "../../project/new-project/languages";
import { adaptCommands, packageManager } from "../../project/new-project/package-manager";
import { workflowFile, workflowSettings } from "../../project/new-project/workflow-from-docs";
import { stackFile } from "../../project/project-files";
import { stackOf } from "../export/index";

/** A command and what it does; or only the command. */
type Step = readonly [command: string, comment?: string];
type Section = readonly [title: string, steps: readonly Step[]];

const setKey: Step = ["npx pulumi-esign config set --secret esign:apiKey", "asks for the key, and encrypts it"];

export function printNextSteps(folder: string, project: NewProject, installed: boolean): void {
  print(`Created project ${colours.bold(project.name)}.`);
  printSections([...nextSteps(folder, project, installed), ...(project.ci ? [workflowSteps(folder)] : [])]);
}

function nextSteps(folder: string, project: NewProject, installed: boolean): Section[] {
  const { from, template } = project;
  const language = languageOfProject(project);
  const sdk: Step[] = [
    [installPlugin, "installs the plugin, for the Pulumi CLI"],
    [generateSdk, `generates the SDK for ${titleOf(language)}`],
  ];
  const enter: Step[] = [
    ...(folder === process.cwd() ? [] : ([[`cd ${inShell(relative(process.cwd(), folder))}`]] as const)),
    ...(installed || !needsPackages(project) ? [] : ([["npm install"]] as const)),
    ...(hasSdk(language) ? sdk : []),
  ];
  if (from !== undefined) {
    const stack = stackOf({ out: folder });
    const hasKey = stackFile(folder, stack).config?.["esign:apiKey"] !== undefined;
    const adopt: Step = ["npx pulumi-esign up", "adopts the account, and writes nothing to it"];
    return [["Next", [...enter, [`npx pulumi-esign stack init ${stack}`], ...(hasKey ? [] : [setKey]), adopt]]];
  }
  const [local, real] = template === "automation" ? automationSteps : deploymentSteps(language);
  const account = template === "partner" || template === "automation" ? "partner's account" : "account";
  return [
    ["Try it without an account", [...enter, ...local]],
    [`Then deploy it to your ${account}`, real],
  ];
}

/** What to run on the emulator, and then with an account. */
type Steps = [local: Step[], real: Step[]];

const deploymentSteps = (language: Language): Steps => [
  [
    ["npx pulumi-esign up --local", "deploys it to the emulator"],
    // Templates in TypeScript have a test.
    ...(language === "typescript" ? ([["npm test", "does so too, and checks the effects"]] as const) : []),
  ],
  [
    ["npx pulumi-esign stack init production"],
    ["npx pulumi-esign config set esign:baseUrl <URL>", "base URL of the API"],
    setKey,
    ["npx pulumi-esign up", "shows the plan, and asks"],
  ],
];

const automationSteps: Steps = [
  [
    ["npm run local", "deploys all customers to the emulator"],
    ["npm test", "does so too, and checks the result"],
  ],
  [["npm start", "with the variables that README.md names"]],
];

/** Jobs begin with a checkout and the backend: neither has the stack by itself. */
const createStack: Step = [
  "PULUMI_BACKEND_URL=… npx pulumi-esign stack init production",
  "creates the stack in that backend, with that passphrase; commit Pulumi.production.yaml",
];

/** What the workflow does not know by itself. */
function workflowSteps(folder: string): Section {
  const { variables, secrets } = workflowSettings(readFileSync(join(folder, workflowFile), "utf8"));
  return [
    `For ${workflowFile}`,
    [
      [variables.join(", "), "set them in its `env`"],
      ...secrets.map((name): Step => [name, 'a secret of the environment "production"']),
      ...(variables.includes("STACK") ? [createStack] : []),
    ],
  ];
}

/** Where comments may begin at the latest, so that lines fit into a terminal. */
const widest = 50;

/** One table: comments begin in one column; the one of a longer command is below it. */
function printSections(sections: readonly Section[]): void {
  const manager = packageManager();
  const adapted = sections.map(
    ([title, steps]) =>
      [title, steps.map(([command, ...rest]): Step => [adaptCommands(command, manager), ...rest])] as const,
  );
  const commented = adapted.flatMap(([, steps]) => steps.filter(([, comment]) => comment !== undefined));
  const lengths = commented.map(([command]) => command.length);
  const width = Math.max(0, ...lengths.filter((length) => length <= widest));
  for (const [title, steps] of adapted) {
    const lines = steps.map(([command, comment]) => {
      if (comment === undefined) return `  ${command}`;
      return command.length > width ? `  ${command}\n    ${comment}` : `  ${command.padEnd(width)}  ${comment}`;
    });
    print(`\n${title}:\n${lines.join("\n")}`);
  }
}
