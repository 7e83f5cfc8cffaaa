/** An editor shows the sentence above each argument and output, whose types are inferred from the definitions: the compiler takes seconds for it. */
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { allDefinitions } from "../../provider/resources/index";
import { configNames } from "../../provider/session/provider-config";

const root = join(__dirname, "../..");

test("an editor shows the sentence of each argument and output, at the class and at its arguments, and of each setting of a provider", () => {
  const members = allDefinitions.map(({ kind, args, outputs }) => ({
    kind,
    args: Object.keys(args.shape),
    outputs: [...Object.keys(args.shape), ...Object.keys(outputs)],
  }));
  const lines = members.flatMap(({ kind, args, outputs }) => [
    `declare const ${kind}Args: resources.${kind}Args; declare const ${kind}: resources.${kind};`,
    ...args.map((name) => `${kind}Args.${name};`),
    ...outputs.map((name) => `${kind}.${name};`),
  ]);
  lines.push("declare const provider: ProviderArgs;", ...configNames.map((name) => `provider.${name};`));
  const file = join(root, "test/provider/in-an-editor.ts");
  const text = [
    `import type * as resources from "../../provider/pulumi/resources";`,
    `import type { ProviderArgs } from "../../provider/pulumi/explicit-provider";`,
    ...lines,
  ].join("\n");
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const editor = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const source = name === file ? text : ts.sys.readFile(name);
      return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({ ...options, incremental: false }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
  });
  const silent = lines.slice().flatMap((line) => {
    if (!/^\w+\.\w+;$/.test(line)) return [];
    const info = editor.getQuickInfoAtPosition(file, text.indexOf(`\n${line}`) + line.length - 1);
    const sentence = ts.displayPartsToString(info?.documentation);
    return /^[A-Z`].*\.$/s.test(sentence) ? [] : [`${line} ${ts.displayPartsToString(info?.displayParts)}`];
  });
  expect(silent).toEqual([]);
});
