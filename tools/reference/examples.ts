/** The examples of `registry/` on the pages of the reference, in every language; components; how what is declared is imported. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { isSingleton, type ResourceDefinition } from "../../provider/core/resource-definition";
import { definitions } from "../../provider/resources/index";
import { code, table } from "./markdown";
import { registryFolder } from "./registry";

/** By the language of a block, how readers call it. */
const titles: Record<string, string> = {
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  csharp: "C#",
  java: "Java",
  yaml: "YAML",
};

/** A program of `registry/examples` or `registry/programs`: a reader opens one language; the site makes tabs of them (`docs/.vitepress/markdown.mjs`). */
export function example(name: string): string {
  const folder = name in programs ? "programs" : "examples";
  const file = join(registryFolder, folder, `${name}.md`);
  // A new resource has its page and its schema before its examples, which are made by the schema.
  if (!existsSync(file)) return "";
  return [...readFileSync(file, "utf8").matchAll(/```(\w+)\n([\s\S]*?)\n```/g)]
    .map(([, language = "", program = ""], at) => {
      const summary = `<details${at === 0 ? " open" : ""}><summary>${titles[language]}</summary>`;
      const fence = language === "typescript" ? "ts" : language;
      return `${summary}\n\n\`\`\`${fence}\n${forReaders(language, program)}\n\`\`\`\n\n</details>`;
    })
    .join("\n");
}

function forReaders(language: string, program: string): string {
  if (language === "typescript") return forBothForms(program);
  if (language === "java") return withoutUnusedImports(program);
  return program;
}

/** The converter writes the same ones for every program. */
const withoutUnusedImports = (program: string): string =>
  program.replace(/^import [\w.]+\.(\w+);\n/gm, (line, name: string) =>
    program.match(new RegExp(`\\b${name}\\b`, "g"))!.length > 1 ? line : "",
  );

/** Programs that are not of one resource. */
const programs = { provider: true, functions: true };

interface Schema {
  language: { nodejs: { packageName?: string } };
  types: Record<string, { enum?: { name: string; value: string }[] }>;
  resources: Record<
    string,
    {
      inputProperties: Record<string, { description: string }>;
      requiredInputs?: string[];
      properties: Record<string, { description: string }>;
    }
  >;
}

/** As it was written last: `writeSchemas` is called before. */
const readSchema = (): Schema => JSON.parse(readFileSync(join(__dirname, "../../schemas/provider.json"), "utf8"));

/**
 * A program in TypeScript is the same in both forms, but for the package's name and the constants of enums, which only the generated SDK has: it takes
 * texts, too.
 */
function forBothForms(program: string): string {
  const { language, types } = readSchema();
  const text = program
    .replace(`"${language.nodejs.packageName ?? "@pulumi/esign"}"`, '"pulumi-esign"')
    .replace(/esign\.([A-Z]\w+)\.([A-Z]\w+)/g, (constant, type: string, name: string) => {
      const value = types[`esign:index:${type}`]?.enum?.find((each) => each.name === name)?.value;
      return value === undefined ? constant : JSON.stringify(value);
    });
  const usesPulumi = /pulumi\./.test(text.replace(/^import.*$/gm, ""));
  return usesPulumi ? text : text.replace(/^import \* as pulumi from .*\n/m, "");
}

/** The arguments and outputs of a component, in every language. */
export function componentArgs(name: string): string {
  const { inputProperties, requiredInputs = [] } = readSchema().resources[`esign:index:${name}`]!;
  const rows = Object.entries(inputProperties).map(([argument, { description }]) => [
    code(requiredInputs.includes(argument) ? argument : `${argument}?`),
    description,
  ]);
  return table(["argument", "meaning"], rows);
}

export function componentOutputs(name: string): string {
  const { properties } = readSchema().resources[`esign:index:${name}`]!;
  const rows = Object.entries(properties).map(([output, { description }]) => [code(output), description]);
  return table(["output", "meaning"], rows);
}

/** The commands that import an object of a kind, by the ID that it has. */
export function importing(kind: string): string {
  const definition = Object.values(definitions).find((each) => each.kind === kind) as ResourceDefinition;
  const file = join(registryFolder, `examples/${kind}.yaml`);
  if (!existsSync(file)) return "";
  const { resources } = parse(readFileSync(file, "utf8"));
  const found = Object.entries<{ type: string; properties: Record<string, string> }>(resources);
  const [name, declared] = found.find(([, { type }]) => type === `esign:${kind}`)!;
  const command = `$ pulumi import esign:index:${kind} ${name} `;
  const key = keyOf(definition, declared.properties);
  const lines = [command + key];
  if ("account" in definition.args.shape) lines.push(`${command}67890/${key}     # in the subaccount 67890`);
  return `\`\`\`console\n${lines.join("\n")}\n\`\`\``;
}

function keyOf(definition: ResourceDefinition, properties: Record<string, string>): string {
  if (!isSingleton(definition)) return "12345";
  const [argument] = Object.keys(definition.argsFromKey?.("") ?? {});
  return argument === undefined ? definition.key(undefined, {}) : properties[argument]!;
}
