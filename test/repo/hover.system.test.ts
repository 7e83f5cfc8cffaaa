/** What an editor shows of the published types: a comment over each field, names for what a program may want to name. */
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../cli/esign";

const dist = join(root, "dist/");
const file = join(dist, "provider/index.d.ts");
const { Node16 } = ts.ModuleKind;
// Not all types that are installed: examples have some of their own.
const types = ["node"];
const program = ts.createProgram([file], { module: Node16, target: ts.ScriptTarget.ES2022, skipLibCheck: true, types });
const checker = program.getTypeChecker();
const isOurs = (symbol: ts.Symbol) => symbol.declarations?.[0]?.getSourceFile().fileName.startsWith(dist) === true;
const aliased = (symbol: ts.Symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!).map(aliased);

test("every argument, output and field has a comment", () => {
  const isType = ({ flags }: ts.Symbol) =>
    (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.TypeAlias)) !== 0;
  const fields = exported.filter(isType).flatMap((type) =>
    checker
      .getDeclaredTypeOfSymbol(type)
      .getProperties()
      .filter((field) => isOurs(field) && !field.name.startsWith("__"))
      .map((field) => [`${type.name}.${field.name}`, field.getDocumentationComment(checker).length > 0] as const),
  );
  expect(fields.length).toBeGreaterThan(200);
  expect(fields.filter(([, hasComment]) => !hasComment).map(([name]) => name)).toEqual([]);
});

test("arguments, results and unions of values have a name that a program can import", () => {
  const isUnionOfValues = (symbol: ts.Symbol) => {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    return type.isUnion() && type.types.every((one) => one.isStringLiteral());
  };
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(dist));
  const names = files.flatMap((source) =>
    source.statements
      .filter((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one))
      .map((one) => checker.getSymbolAtLocation(one.name)!)
      .filter((symbol) => /(Args|Info|Details|Usage)$/.test(symbol.name) || isUnionOfValues(symbol)),
  );
  // Of users' ids of roles, programs have the names.
  const needed = names.filter(({ name }) => name !== "RoleId");
  expect(needed.length).toBeGreaterThan(30);
  expect(needed.filter((symbol) => !exported.includes(symbol)).map(({ name }) => name)).toEqual([]);
});

test("no package but Pulumi's is read for the types", () => {
  const packages = program
    .getSourceFiles()
    .map(({ fileName }) => /\/node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(fileName)?.[1]);
  expect(packages).toContain("@pulumi/pulumi");
  expect(packages).not.toContain("zod");
});
