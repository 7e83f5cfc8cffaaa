/** Arguments and outputs of the resources, arguments and results of the functions, settings. */
import ts from "typescript";
import type { z } from "zod";
import { kebab } from "../../cli/commands/api/option-names";
import { environmentName } from "../../provider/core/setting-names";
import { definitions } from "../../provider/resources/index";
import { configNames } from "../../provider/session/provider-config";
import { code, table } from "./markdown";
import { isRequired, typeOf, withValues } from "./schemas";
import { declarationIn, type Member, memberOf, membersOfInterface, membersOfValue, noteOf, parse } from "./sources";

const named = (name: string, isOptional: boolean): string => code(isOptional ? `${name}?` : name);

const definitionOf = (kind: string) => {
  const found = Object.values(definitions).find((definition) => definition.kind === kind);
  if (found === undefined) throw new Error(`there is no resource ${kind}`);
  return found;
};

/** The sentences on the arguments and outputs of a resource, by name. */
export function notesOf(kind: string): Map<string, string> {
  const { handler } = definitionOf(kind);
  const file = `definitions/${kebab(handler)}.ts`;
  const own = [`${handler}Arguments`, `${handler}Outputs`].filter((name) => declarationIn(file, name) !== undefined);
  const members = [
    ...["inAccount", "restorable"].flatMap((name) => membersOfValue("definitions/argument.ts", name)),
    ...own.flatMap((name) => membersOfValue(file, name)),
  ];
  return new Map(members.map(({ name, note }) => [name, note]));
}

export function args(kind: string): string {
  const notes = notesOf(kind);
  const rows = Object.entries(definitionOf(kind).args.shape as Record<string, z.ZodType>).map(([name, schema]) => [
    named(name, !isRequired(schema)),
    name === "account" ? "`Company` or ID" : typeOf(schema),
    withValues(notes.get(name) ?? "", schema),
  ]);
  return table(["argument", "type", "meaning"], rows);
}

export function outputs(kind: string): string {
  const notes = notesOf(kind);
  const rows = Object.entries(definitionOf(kind).outputs).map(([name, { isOptional }]) => [
    named(name, isOptional),
    "string",
    notes.get(name) ?? "",
  ]);
  return table(["output", "type", "meaning"], rows);
}

/** The members of an interface as a table. */
function interfaceTable(files: readonly string[], name: string, head: string): string {
  const rows = membersOfInterface(files, name).map((member) => [named(member.name, member.isOptional), member.note]);
  return table([head, "meaning"], rows);
}

export const component = (name: string): string =>
  interfaceTable(["provider/components/component-arguments.ts"], name, "argument");
export const receiverOptions = (): string =>
  interfaceTable(
    ["signature", "receive", "answer"].map((file) => `receiver/${file}.ts`),
    "ReceiverOptions",
    "option",
  );

/** What few set: it has a table of its own, behind that of what an account needs. */
const rareSettings = [
  "maxConcurrency",
  "requestsPerSecond",
  "timeout",
  "pageSize",
  "retries",
  "onUnreadable",
  "comparePictures",
];

/** `which`: common, rare, or all of them. */
export function settings(which?: "common" | "rare"): string {
  const notes = membersOfInterface(["provider/pulumi/explicit-provider.ts"], "ProviderArgs");
  const isShown = (name: string) => which === undefined || rareSettings.includes(name) === (which === "rare");
  const rows = configNames.filter(isShown).map((name) => {
    const note = notes.find((member) => member.name === name)?.note ?? "";
    const meaning = note.replace(/ Environment: `\w+`\./, "");
    const standard = / Default: ([^.]+)\./.exec(meaning)?.[1] ?? "required";
    return [code(`esign:${name}`), code(environmentName(name)), standard, meaning.replace(/ Default: [^.]+\./, "")];
  });
  return table(["setting", "environment", "default", "meaning"], rows);
}

/** The records of resources are in their definitions. */
export const functionFiles = [
  "provider/queries/function-types.ts",
  ...Object.values(definitions).map(({ handler }) => `definitions/${kebab(handler)}.ts`),
];

/** `getWebhook` has a row in the table of queries: its type has the result and the arguments. */
export function signatureOf(name: string): { args: ts.TypeNode | undefined; result: ts.TypeNode } {
  const row = membersOfInterface(functionFiles, "Queries").find((member) => member.name === name);
  const [result, args] = (row!.type as ts.TypeReferenceNode).typeArguments!;
  return { result: result!, args };
}

/** Members of a result, those of nested ones with their path. */
function resultRows(members: readonly Member[], prefix = ""): string[][] {
  return members.flatMap(({ name, type, note }) => {
    const isList = type !== undefined && ts.isArrayTypeNode(type);
    const inner = isList ? type.elementType : type;
    const path = `${prefix}${name}${isList ? "[]" : ""}`;
    const nested = nestedOf(inner);
    if (nested !== undefined) return [...(note ? [[code(path), note]] : []), ...resultRows(nested, `${path}.`)];
    return [[code(path), note]];
  });
}

function nestedOf(type: ts.TypeNode | undefined): Member[] | undefined {
  if (type === undefined) return undefined;
  if (ts.isTypeLiteralNode(type)) return type.members.filter(ts.isPropertySignature).map(memberOf);
  const isOwn = functionFiles.some((file) => {
    const declaration = declarationIn(file, type.getText());
    return declaration !== undefined && ts.isInterfaceDeclaration(declaration);
  });
  return isOwn ? membersOfInterface(functionFiles, type.getText()) : undefined;
}

/** Every function: what it returns, its arguments, the members of its result. */
export function functions(): string {
  return functionNotes()
    .map(({ name, note }) => {
      const { args, result } = signatureOf(name);
      const own = args === undefined ? [] : membersOfInterface(functionFiles, args.getText());
      const rows = own
        .filter(({ name }) => name !== "account")
        .map((one) => [named(one.name, one.isOptional), one.note]);
      const isList = ts.isArrayTypeNode(result);
      const members = nestedOf(isList ? result.elementType : result)!;
      return [
        `## ${name}`,
        note,
        ...(rows.length > 0 ? [table(["argument", "meaning"], rows)] : []),
        table([isList ? "each" : "result", "meaning"], resultRows(members)),
      ].join("\n\n");
    })
    .join("\n\n");
}

/** The functions with their sentences. */
export const functionNotes = () => exportedCalls("provider/functions/index.ts");

function exportedCalls(file: string): { name: string; note: string }[] {
  const found: { name: string; note: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isCallExpression(node.initializer)) {
      const name = node.name.getText();
      if (/^get\w+$/.test(name) && !name.endsWith("Output")) found.push({ name, note: noteOf(node.parent.parent) });
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}
