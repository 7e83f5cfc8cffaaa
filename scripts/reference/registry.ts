/** The examples of `registry/examples` in each language, as Pulumi's registry and generated SDKs show them. See scripts/registry-examples.mjs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const registryFolder = join(__dirname, "../../registry");

const blocksOf = (name: string): string => readFileSync(join(registryFolder, `examples/${name}.md`), "utf8");

/** In the description of a resource. */
export const schemaExample = (name: string): string =>
  `{{% examples %}}\n## Example Usage\n{{% example %}}\n\n${blocksOf(name)}\n{{% /example %}}\n{{% /examples %}}\n`;

/** On a page, where the reader chooses the language. */
export function registryExample(name: string): string {
  const blocks = [...blocksOf(name).matchAll(/```(\w+)\n[\s\S]*?\n```/g)];
  const choices = blocks.map(
    ([block, language]) => `{{% choosable language ${language} %}}\n\n${block}\n\n{{% /choosable %}}`,
  );
  const languages = blocks.map(([, language]) => language).join(",");
  return `{{< chooser language "${languages}" >}}\n${choices.join("\n")}\n{{< /chooser >}}`;
}
