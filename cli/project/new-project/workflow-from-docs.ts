/** The workflow of the documentation (`docs/how-to/*.yml`), for a project whose folder is a repository of its own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { packageFolder } from "../../output/version";
import { hasSdk, installPlugin, type Language } from "./languages";
import type { ProjectTemplate } from "./project-templates";

export const workflowFile = ".github/workflows/esign.yml";

const install = "      - run: npm ci --ignore-scripts\n";

export function workflow(template: ProjectTemplate, language: Language): string {
  const name = template === "automation" ? "github-actions-automation.yml" : "github-actions.yml";
  const text = readFileSync(join(packageFolder, "docs/how-to", name), "utf8").replace(/ Copy it to .*$/m, "");
  if (!hasSdk(language)) return text;
  // Only the Pulumi CLI runs these, with what it generates of the plugin.
  const [cli] = / {6}- uses: pulumi\/actions@.*\n/.exec(text)!;
  return text
    .replaceAll(cli, "")
    .replaceAll(install, `${cli}${install}      - run: ${installPlugin}\n      - run: pulumi install\n`);
}

/** What the workflow needs to know of the account: to be set in it, and as secrets of its environment. */
export function workflowSettings(text: string): { variables: string[]; secrets: string[] } {
  const { env = {} } = parse(text) as { env?: Record<string, string> };
  const secrets = [...text.matchAll(/\$\{\{ secrets\.(\w+) \}\}/g)].map(([, name]) => name!);
  return { variables: Object.keys(env), secrets: [...new Set(secrets)] };
}
