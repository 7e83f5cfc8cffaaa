/** The files around an account's folder that make it a Pulumi project, for deploying it as code. */
import { type Document, isMap, parseDocument } from "yaml";
import type { Files } from "../../../account-folder/folder/write-folder";
import { installSteps, type Language, mainFile, programFiles } from "../../project/new-project/languages";
import { type ModuleFormat, toEsModules } from "../../project/new-project/module-format";

interface ProjectOptions {
  /** Name of the project. */
  name: string;
  /** Name of the stack for the account. */
  stack: string;
  /** Base URL. */
  baseUrl: string;
  /** True when the content needs `esign:allowUnknownValues`. */
  allowUnknownValues: boolean;
  /** ID of the subaccount, if the project is of one: the key is the partner's. */
  company?: string;
  /** True if there are subaccounts. */
  partner: boolean;
  module: ModuleFormat;
  language: Language;
  /** The key, encrypted with a passphrase. Without it, the stack's configuration lacks the key. */
  secret?: { salt: string; apiKey: string };
  /** The stack's configuration that is there; it is written to. */
  configuration: Document;
  /** What could not be exported unchanged. */
  notes: readonly string[];
}

/** Name of the component in the program: the names of all resources begin with it. */
export const COMPONENT = "account";

/** File of the resources to import, for `pulumi import --file`. */
export const IMPORT_FILE = "import.json";

/** The project's files. */
export function projectFiles(options: ProjectOptions): Files {
  const { language, company, name } = options;
  const files = programFiles(language, name, company);
  if (language === "typescript") {
    files.set("package.json", withoutTest(files.get("package.json")!));
    if (options.module === "esm") toEsModules(files);
  }
  if (options.allowUnknownValues) files.set("Pulumi.yaml", withUnknownValues(files.get("Pulumi.yaml")!));
  return files.set(`Pulumi.${options.stack}.yaml`, stackConfiguration(options)).set("README.md", readme(options));
}

/** The project template's test is of its own account. */
function withoutTest(text: string): string {
  const manifest = JSON.parse(text);
  delete manifest.scripts.test;
  delete manifest.devDependencies.tsx;
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** What the files contain is so for every stack: the setting belongs to the project. */
function withUnknownValues(text: string): string {
  const project = parseDocument(text);
  project.setIn(["config"], project.createNode({ "esign:allowUnknownValues": true }));
  return project.toString({ lineWidth: 0 });
}

/** Sets the account. Other settings stay: this is the only place that has their secrets and `esign:expectAccount`. */
function stackConfiguration({ baseUrl, secret, configuration: document }: ProjectOptions): string {
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  if (secret) document.set("encryptionsalt", secret.salt);
  if (!isMap(document.get("config"))) document.set("config", document.createNode({}));
  // A key that cannot be decrypted may belong to another account.
  if (secret) document.setIn(["config", "esign:apiKey"], document.createNode({ secure: secret.apiKey }));
  else document.deleteIn(["config", "esign:apiKey"]);
  document.setIn(["config", "esign:baseUrl"], baseUrl);
  return document.toString({ lineWidth: 0 });
}

function readme(options: ProjectOptions): string {
  const { name, stack, secret, partner, company, notes, language } = options;
  const [main, install] = [mainFile(language), installSteps(language)];
  const [next, refresh] = afterImport(language, partner);
  const key = secret
    ? `The key is in \`Pulumi.${stack}.yaml\`, encrypted with your passphrase.`
    : `The key is not in these files. Set \`ESIGN_API_KEY\`, or store it encrypted in the stack's configuration
(the command prompts for it):

    npx pulumi-esign config set --stack ${stack} --secret esign:apiKey`;
  const whose =
    company === undefined ? "" : `\nIt is the subaccount ${company} (see \`${main}\`); the key is its partner's.\n`;
  const companies = partner
    ? "- `companies/<name>/`: one subaccount each, with `company.yaml` and the same files.\n"
    : "";
  const left =
    notes.length > 0 ? `\n## Not exported unchanged\n\n${notes.map((note) => `- ${oneLine(note)}`).join("\n")}\n` : "";
  return `# ${name}

An e-signature account as code, written by \`esign export\`.

- \`account.yaml\`: logo, colour and webhooks. \`emails/<type>/\`: subject, HTML body and plain text of each email template.
${companies}- \`${main}\`: the program. \`Pulumi.${stack}.yaml\`: the configuration of the stack \`${stack}\`.
${whose}
${key}

## Adopt the account

Install the dependencies and create the stack:

    ${install.join("\n    ")}
    npx pulumi-esign stack select --create ${stack}

The first \`up\` adopts the existing objects and writes nothing:

    npx pulumi-esign up --stack ${stack}

Or import them with the Pulumi CLI; ${next}:

    pulumi import --stack ${stack} --file ${IMPORT_FILE} --protect=false --generate-code=false${refresh && `\n    pulumi refresh --stack ${stack}`}
    pulumi preview --stack ${stack}
${refresh}
Then you can delete \`${IMPORT_FILE}\`.

## Daily work

    npx pulumi-esign lint .                       lint the email templates
    npx pulumi-esign emails render .              render them to emails.html
    npx pulumi-esign preview                      what would change
    npx pulumi-esign drift --exit-code            what was changed outside Pulumi
${left}`;
}

/** What comes after an import, and what it leaves to a refresh before that. */
function afterImport(language: Language, partner: boolean): [next: string, refresh: string] {
  const isEmpty = "the preview after it is empty";
  if (!partner) return [isEmpty, ""];
  if (language !== "typescript")
    return ["the next `up` records the first users of subaccounts, which are in no response, and writes nothing", ""];
  return [
    isEmpty,
    `\nThe keys of subaccounts are not in \`${IMPORT_FILE}\`: the refresh fetches them into the state, encrypted.\n`,
  ];
}

const oneLine = (text: string) => text.replace(/\s+/g, " ");
