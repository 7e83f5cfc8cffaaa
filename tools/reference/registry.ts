/** The examples of `registry/examples` in each language, as Pulumi's registry and generated SDKs show them. See tools/registry-examples.mjs. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const registryFolder = join(__dirname, "../../registry");

const fileOf = (name: string): string => join(registryFolder, `examples/${name}.md`);

/** Undefined for a resource that has no example yet: the Pulumi CLI makes them by the schema, which has to be there before. */
const blocksOf = (name: string): string | undefined =>
  existsSync(fileOf(name)) ? readFileSync(fileOf(name), "utf8") : undefined;

/** A message to the author of a resource for each example that is missing. */
export const missingExamples = (names: readonly string[]): string[] =>
  names
    .filter((name) => blocksOf(name) === undefined)
    .map(
      (name) =>
        `registry/examples/${name}.md is missing: ${existsSync(fileOf(name).replace(/md$/, "yaml")) ? "" : `write registry/examples/${name}.yaml, `}build, install the plugin, run node tools/registry-examples.mjs, and write the reference once more`,
    );

/** The end of the description of a resource. */
export function schemaExample(name: string): string {
  const blocks = blocksOf(name);
  if (blocks === undefined) return "";
  return `\n\n{{% examples %}}\n## Example Usage\n{{% example %}}\n\n${blocks}\n{{% /example %}}\n{{% /examples %}}\n`;
}

/** On a page, where the reader chooses the language. */
export function registryExample(name: string): string {
  const blocks = [...(blocksOf(name) ?? "").matchAll(/```(\w+)\n[\s\S]*?\n```/g)];
  const choices = blocks.map(
    ([block, language]) => `{{% choosable language ${language} %}}\n\n${block}\n\n{{% /choosable %}}`,
  );
  const languages = blocks.map(([, language]) => language).join(",");
  return `{{< chooser language "${languages}" >}}\n${choices.join("\n")}\n{{< /chooser >}}`;
}
