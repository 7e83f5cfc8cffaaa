/** The files of a new project: a template of `templates/`, which are also templates for `pulumi new`. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { parseDocument } from "yaml";

export type Files = Map<string, string>;

export const templateNames = ["account", "partner", "receiver"] as const;
export type TemplateName = (typeof templateNames)[number];

export const descriptions: Record<TemplateName, string> = {
  account: "An e-signature account as code",
  partner: "Subaccounts for the customers of an e-signature partner",
  receiver: "Webhooks, and a server that receives their notifications",
};

/** Not in the templates of a package: npm takes such a file for its own. */
export const gitIgnore = "node_modules/\n.pulumi/\n.esign/\n";

/** By the package's name, since compiled and source files stand at different depths. */
const packageFolder = dirname(createRequire(__filename).resolve("pulumi-esign/package.json"));

export interface TemplateValues {
  project: string;
  description: string;
}

/** A template's files by their path, filled in. */
export function readTemplate(template: TemplateName, values: TemplateValues): Files {
  const folder = join(packageFolder, "templates", template);
  const files: Files = new Map([[".gitignore", gitIgnore]]);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(relative(folder, file).replaceAll(sep, "/"), fillIn(readFileSync(file, "utf8"), values));
  }
  files.set("Pulumi.yaml", withoutTemplate(files.get("Pulumi.yaml")!));
  return files;
}

/** The two placeholders that `pulumi new` fills in, too. */
const fillIn = (text: string, { project, description }: TemplateValues) =>
  text.replaceAll("${PROJECT}", project).replaceAll("${DESCRIPTION}", description);

/** What describes the template is of no use in a project. */
function withoutTemplate(text: string): string {
  const document = parseDocument(text);
  document.delete("template");
  return document.toString({ lineWidth: 0 });
}

/** The workflow of the documentation, for a folder that is a repository of its own. */
export const workflow = (): Files =>
  new Map([
    [".github/workflows/esign.yml", readFileSync(join(packageFolder, "docs/how-to/github-actions.yml"), "utf8")],
  ]);
