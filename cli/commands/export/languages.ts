/** Programs in other languages around an account's folder, which the component of the plugin deploys. */
import { parseDocument } from "yaml";
import type { Files } from "../../../account-folder/folder/write";
import { version } from "../../output/version";
import { goModule } from "./sdk-names";

export const languages = ["typescript", "yaml", "python", "go"] as const;
export type Language = (typeof languages)[number];
/** A language that needs the plugin, and so the Pulumi CLI. */
export type PluginLanguage = Exclude<Language, "typescript">;

export interface ProgramOptions {
  /** Name of the component: the names of all resources begin with it. */
  component: string;
  /** ID of the subaccount, if the program is of one. */
  company?: string;
}

interface Definition {
  /** The file of the program. */
  main: string;
  /** `runtime` of Pulumi.yaml. */
  runtime: unknown;
  files: (options: ProgramOptions) => Record<string, string>;
  /** What its tools leave in the folder. */
  ignored: string;
  /** Whether the Pulumi CLI generates an SDK for it. */
  hasSdk: boolean;
}

const definitions: Record<PluginLanguage, Definition> = {
  yaml: { main: "Pulumi.yaml", runtime: "yaml", files: () => ({}), ignored: "", hasSdk: false },
  python: {
    main: "__main__.py",
    runtime: { name: "python", options: { toolchain: "pip", virtualenv: "venv" } },
    files: ({ component, company }) => ({
      "requirements.txt": "pulumi>=3.216.0,<4.0.0\n",
      "__main__.py": `import pulumi_esign as esign

# Everything in the account is in the files beside this one: account.yaml, emails/ and, for a partner, companies/.
esign.AccountConfig("${component}", folder="."${company === undefined ? "" : `, account="${company}"`})
`,
    }),
    ignored: "venv/\n__pycache__/\n",
    hasSdk: true,
  },
  go: {
    main: "main.go",
    runtime: "go",
    files: ({ component, company }) => ({
      "go.mod": "module account\n\ngo 1.24\n",
      "main.go": `package main

import (
	"${goModule()}"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Everything in the account is in the files beside this one: account.yaml, emails/ and, for a partner, companies/.
func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := esign.NewAccountConfig(ctx, "${component}", &esign.AccountConfigArgs{
			Folder: ".",${company === undefined ? "" : `\n\t\t\tAccount: pulumi.String("${company}"),`}
		})
		return err
	})
}
`,
    }),
    ignored: "",
    hasSdk: true,
  },
};

/** Turns the files of a TypeScript project into those of another language. */
export function toLanguage(files: Files, language: PluginLanguage, options: ProgramOptions): void {
  const { runtime, files: filesOf, ignored } = definitions[language];
  for (const path of ["index.ts", "tsconfig.json"]) files.delete(path);
  const project = parseDocument(files.get("Pulumi.yaml")!);
  project.set("runtime", project.createNode(runtime));
  if (language === "yaml") project.set("resources", project.createNode(yamlResources(options)));
  files.set("Pulumi.yaml", project.toString({ lineWidth: 0 }));
  files.set("package.json", commandsOnly(files.get("package.json")!));
  files.set(".gitignore", files.get(".gitignore") + ignored);
  for (const [path, text] of Object.entries(filesOf(options))) files.set(path, text);
}

const yamlResources = ({ component, company }: ProgramOptions) => ({
  [component]: {
    type: "esign:AccountConfig",
    properties: { folder: ".", ...(company !== undefined && { account: company }) },
  },
});

/** For `npx pulumi-esign`, and the plugin. */
function commandsOnly(manifest: string): string {
  const { name, dependencies } = JSON.parse(manifest) as { name: string; dependencies: Record<string, string> };
  const own = { "pulumi-esign": dependencies["pulumi-esign"] };
  return `${JSON.stringify({ name, private: true, dependencies: own }, undefined, 2)}\n`;
}

export const mainFile = (language: PluginLanguage): string => definitions[language].main;

/** What to run before the first `up`: the plugin of the npm package, and the SDK that is generated of it. */
export const installSteps = (language: PluginLanguage): string[] => [
  "npm install",
  `pulumi plugin install resource esign ${version} --file node_modules/pulumi-esign/dist/plugin/bin`,
  ...(definitions[language].hasSdk ? [`pulumi package add esign@${version}`] : []),
];
