/** What an editor shows over a field of the published types: each has a comment. */
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../cli/esign";

test("every argument, output and field has a comment", () => {
  const file = join(root, "dist/provider/index.d.ts");
  const { Node16 } = ts.ModuleKind;
  const program = ts.createProgram([file], { module: Node16, target: ts.ScriptTarget.ES2022, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const isOurs = (symbol: ts.Symbol) => symbol.declarations?.[0]?.getSourceFile().fileName.includes("/dist/") === true;
  const isType = ({ flags }: ts.Symbol) =>
    (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.TypeAlias)) !== 0;
  const fields = checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .filter(isType)
    .flatMap((type) =>
      checker
        .getDeclaredTypeOfSymbol(type)
        .getProperties()
        .filter((field) => isOurs(field) && !field.name.startsWith("__"))
        .map((field) => [`${type.name}.${field.name}`, field.getDocumentationComment(checker).length > 0] as const),
    );
  expect(fields.length).toBeGreaterThan(200);
  expect(fields.filter(([, hasComment]) => !hasComment).map(([name]) => name)).toEqual([]);
});
