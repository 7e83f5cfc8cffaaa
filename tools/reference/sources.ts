/** What the sources say of their members: the JSDoc sentences that editors show. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const root = join(__dirname, "../..");

export interface Member {
  name: string;
  isOptional: boolean;
  /** The type of a member of an interface. */
  type?: ts.TypeNode | undefined;
  /** The value of a member of an object, as it is written. */
  value?: string;
  note: string;
}

const parsed = new Map<string, ts.SourceFile>();

export function parse(file: string): ts.SourceFile {
  let source = parsed.get(file);
  if (source === undefined) {
    source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
    parsed.set(file, source);
  }
  return source;
}

/** The sentences above a declaration, in one line. */
export function noteOf(node: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comments.at(-1)?.comment) ?? "";
  return text.replace(/\s*\n\s*/g, " ").replace(/\{@link (\w+)\}/g, "`$1`");
}

/** The first node of a file for which the function returns something. */
function find<T>(node: ts.Node, pick: (node: ts.Node) => T | undefined): T | undefined {
  return pick(node) ?? ts.forEachChild(node, (child) => find(child, pick));
}

/** The declaration of a name at the top of a file. */
export function declarationIn(
  file: string,
  name: string,
): ts.VariableDeclaration | ts.InterfaceDeclaration | ts.FunctionDeclaration | ts.ClassDeclaration | undefined {
  return find(parse(file), (node) =>
    (ts.isVariableDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node)) &&
    node.name?.getText() === name
      ? node
      : undefined,
  );
}

const literalIn = (node: ts.Node): ts.ObjectLiteralExpression | undefined =>
  find(node, (one) => (ts.isObjectLiteralExpression(one) ? one : undefined));

const membersOfLiteral = (literal: ts.ObjectLiteralExpression): Member[] =>
  literal.properties.filter(ts.isPropertyAssignment).map((property) => ({
    name: property.name.getText(),
    isOptional: false,
    value: property.initializer.getText(),
    note: noteOf(property),
  }));

function objectIn(file: string, name: string): ts.ObjectLiteralExpression {
  const literal = literalIn(declarationIn(file, name) ?? parse(file));
  if (literal === undefined) throw new Error(`${file} has no object ${name}`);
  return literal;
}

/** The members of an object literal, which may be wrapped in calls: `z.object({ … })`. */
export const membersOfValue = (file: string, name: string): Member[] => membersOfLiteral(objectIn(file, name));

/** The members of the objects inside a declaration, or inside one of its members. */
export function membersWithin(file: string, name: string, member?: string): Member[] {
  let within: ts.Node = declarationIn(file, name)!;
  if (member !== undefined) {
    const property = objectIn(file, name).properties.find((one) => one.name?.getText() === member);
    const schema = property && literalIn((property as ts.PropertyAssignment).initializer);
    if (schema === undefined || !/strictObject\($/.test(schema.getSourceFile().text.slice(0, schema.pos))) return [];
    within = schema;
    return membersOfLiteral(schema);
  }
  const found: Member[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) found.push(...membersOfLiteral(node));
    ts.forEachChild(node, visit);
  };
  visit(within);
  return found;
}

/** The members of an interface, those that it inherits first. What it takes from another one with `Pick` or `Omit` is not among them. */
export function membersOfInterface(files: readonly string[], name: string): Member[] {
  const declared = files.map((file) => declarationIn(file, name)).find((found) => found !== undefined);
  if (declared === undefined || !ts.isInterfaceDeclaration(declared)) throw new Error(`there is no interface ${name}`);
  const inherited = (declared.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap((type) => {
      if (type.expression.getText() === "RecordOf") return membersOfRecord(type);
      return type.typeArguments === undefined ? membersOfInterface(files, type.expression.getText()) : [];
    }),
  );
  const own = declared.members.filter(ts.isPropertySignature).map(memberOf);
  return [...inherited.filter((one) => !own.some((other) => other.name === one.name)), ...own];
}

/** The members of a `RecordOf<typeof someArguments & typeof someOutputs, "certain", "uncertain">`: texts, whose sentences are in those. */
function membersOfRecord({ typeArguments }: ts.ExpressionWithTypeArguments): Member[] {
  const [owners, certain, uncertain] = typeArguments!;
  const file = owners!.getSourceFile().fileName;
  const sources = (owners as ts.IntersectionTypeNode).types.map((type) =>
    (type as ts.TypeQueryNode).exprName.getText(),
  );
  const notes = new Map(sources.flatMap((name) => membersOfValue(file, name)).map(({ name, note }) => [name, note]));
  const read = (type: ts.TypeNode, isOptional: boolean) =>
    (ts.isUnionTypeNode(type) ? [...type.types] : [type])
      .filter(ts.isLiteralTypeNode)
      .map(({ literal }) => (literal as ts.StringLiteral).text)
      .map((name): Member => ({ name, isOptional, note: notes.get(name)! }));
  return [...read(certain!, false), ...read(uncertain!, true)];
}

export const memberOf = (property: ts.PropertySignature): Member => ({
  name: property.name.getText(),
  isOptional: property.questionToken !== undefined,
  type: property.type,
  note: noteOf(property),
});
