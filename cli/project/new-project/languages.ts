/** The languages of programs around an account's folder. Each has a project template; TypeScript has several, named after what they declare. */
import { parseDocument } from "yaml";
import type { Files } from "../../../account-folder/folder/write-folder";
import { version } from "../../output/version";
import { type ProjectTemplate, readTemplate } from "./project-templates";

export const languages = ["typescript", "yaml", "python", "go"] as const;
export type Language = (typeof languages)[number];

export const projectTemplateOf = (language: Language): ProjectTemplate =>
  language === "typescript" ? "account" : language;

/** The other way round; the templates of other tasks are in TypeScript. */
export const languageOf = (template: ProjectTemplate): Language =>
  languages.find((language) => language !== "typescript" && language === template) ?? "typescript";

/** The language of the programs that a runtime of Pulumi's runs. */
export const languageRunBy = (runtime: unknown): Language | undefined =>
  runtime === "nodejs" ? "typescript" : languages.find((language) => language === runtime);

interface Definition {
  /** As people write it. */
  title: string;
  /** The file of the program. */
  main: string;
  hasSdk: boolean;
  /** A program as in the template, for a subaccount in place of the key's account. */
  ofCompany: (program: string, company: string) => string;
}

const definitions: Record<Language, Definition> = {
  typescript: {
    title: "TypeScript",
    main: "index.ts",
    hasSdk: false,
    ofCompany: (program, company) =>
      program
        .replace('folder: "."', `folder: ".", account: ${JSON.stringify(company)}`)
        .replace(
          "\nnew ",
          "\n// The key is the partner's: without `account`, all of it would go into the partner's own account.\nnew ",
        ),
  },
  yaml: {
    title: "YAML",
    main: "Pulumi.yaml",
    hasSdk: false,
    ofCompany(program, company) {
      const project = parseDocument(program);
      project.setIn(["resources", "account", "properties", "account"], company);
      return project.toString({ lineWidth: 0 });
    },
  },
  python: {
    title: "Python",
    main: "__main__.py",
    hasSdk: true,
    ofCompany: (program, company) => program.replace('folder="."', `folder=".", account=${JSON.stringify(company)}`),
  },
  go: {
    title: "Go",
    main: "main.go",
    hasSdk: true,
    ofCompany: (program, company) =>
      program.replace('Folder: ".",', `Folder:  ".",\n\t\t\tAccount: pulumi.String(${JSON.stringify(company)}),`),
  },
};

export const mainFile = (language: Language): string => definitions[language].main;
/** Whether the Pulumi CLI generates an SDK for it; then only the CLI runs its programs. */
export const hasSdk = (language: Language): boolean => definitions[language].hasSdk;
export const titleOf = (language: Language): string => definitions[language].title;

/** The project template's program has an output of its own account. */
const typescriptProgram = `import * as esign from "pulumi-esign";

// Everything in the account is in the files beside this one: account.yaml, emails/ and, for a partner, companies/.
new esign.AccountConfig("account", { folder: "." });
`;

/** The files of a program in a language and of its tools, without an account's. `company`: ID of the subaccount, if it is of one. */
export function programFiles(language: Language, project: string, company?: string): Files {
  const files = readTemplate(projectTemplateOf(language), project);
  for (const path of [...files.keys()])
    if (/^(account\.yaml|README\.md|index\.test\.ts|emails\/.*)$/.test(path)) files.delete(path);
  if (language === "typescript") files.set("index.ts", typescriptProgram);
  if (language === "yaml") for (const [path, text] of withPackage(files, project)) files.set(path, text);
  const { main, ofCompany } = definitions[language];
  if (company !== undefined) files.set(main, ofCompany(files.get(main)!, company));
  return files;
}

/** A program in YAML as one that has this package: the version is the project's, with both engines. */
export function withPackage(files: Files, project: string): Files {
  const document = parseDocument(files.get("Pulumi.yaml")!);
  document.setIn(["plugins"], document.createNode({ providers: [{ name: "esign", path: pluginFolder }] }));
  return new Map([
    ["Pulumi.yaml", document.toString({ lineWidth: 0 })],
    ["package.json", readTemplate("python", project).get("package.json")!],
  ]);
}

const pluginFolder = "node_modules/pulumi-esign/dist/plugin/bin";

/** Once on each machine. The plugin is part of the npm package; as a folder that the project names it would need Pulumi's SDK for Node. */
export const installPlugin = `pulumi plugin install resource esign ${version} --file ${pluginFolder}`;

/** Once in each project: what it generates is part of that. */
export const generateSdk = `pulumi package add esign@${version}`;

/** What to run before the first `up`. */
export const installSteps = (language: Language): string[] => [
  "npm install",
  ...(hasSdk(language) ? [installPlugin, generateSdk] : []),
];
