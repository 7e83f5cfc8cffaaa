/**
 * Parses the values of a YAML program: literals, references (`${…}`) and function calls (`fn::…`).
 *
 * Used for: expressions of Pulumi YAML.
 */
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";
import { type BuiltinName, describeUnknown, findBuiltin } from "./functions";
import type { Problems } from "./problems";
import { isAccess, type PropertyAccess, parseText, type TextPart } from "./property-access";

export type Expression = { node: Node } & (
  | { kind: "literal"; value: null | boolean | number | string }
  | { kind: "text"; parts: TextPart[] }
  | { kind: "reference"; access: PropertyAccess }
  | { kind: "list"; items: Expression[] }
  | { kind: "object"; members: { key: Expression; value: Expression }[] }
  | { kind: "call"; name: BuiltinName; argument: Expression }
  | { kind: "invoke"; call: Invocation }
);

/** A call of a function of a package. */
export interface Invocation {
  token: { node: Node; text: string };
  args: Expression;
  /** Member of the result. */
  member: string | undefined;
  options: Record<string, Expression>;
}

export class ExpressionParser {
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  parse(written: unknown): Expression {
    const node = this.resolve(written);
    if (isSeq(node)) return { kind: "list", node, items: node.items.map((item) => this.parse(item)) };
    if (isMap(node)) return this.#parseMap(node);
    if (isScalar(node) && typeof node.value === "string") return this.#parseText(node, node.value);
    const value = isScalar(node) ? node.value : null;
    const plain = typeof value === "bigint" ? Number(value) : value;
    if (typeof plain === "number" && !Number.isFinite(plain))
      this.#problems.add(node, "a number must be finite: put it in quotes if it is a text");
    if (plain === null || plain === undefined || typeof plain === "boolean" || typeof plain === "number")
      return { kind: "literal", node: node as Node, value: plain ?? null };
    // A date is a text.
    return { kind: "literal", node: node as Node, value: (isScalar(node) && node.source) || String(plain) };
  }

  /** The node. Rejects aliases: Pulumi YAML does not support them, and would read `<<` as a name. */
  resolve(node: unknown): Node | null {
    if (!isAlias(node)) return (node as Node | null | undefined) ?? null;
    this.#problems.add(node, `Pulumi's YAML has no aliases (*${node.source}): use a variable, \${name}`);
    return null;
  }

  #parseText(node: Node, text: string): Expression {
    const parts = parseText(text);
    if ("error" in parts) {
      this.#problems.add(node, parts.error);
      return { kind: "literal", node, value: text };
    }
    const [first] = parts;
    if (parts.length === 1 && first !== undefined)
      return isAccess(first) ? { kind: "reference", node, access: first } : { kind: "literal", node, value: first };
    return { kind: "text", node, parts };
  }

  #parseMap(map: YAMLMap): Expression {
    const names = map.items.map((pair) => this.#nameOf(pair));
    const index = names.findIndex((name) => name?.toLowerCase().startsWith("fn::"));
    if (index < 0) {
      const members = map.items.map(({ key, value }) => ({ key: this.parse(key), value: this.parse(value) }));
      return { kind: "object", node: map, members };
    }
    const { key, value } = map.items[index]!;
    if (map.items.length > 1)
      this.#problems.add(
        key as Node,
        `${names[index]} must be the only member of its object: it is a call of a function`,
      );
    return this.#parseCall(map, key as Node, names[index]!.slice("fn::".length), value);
  }

  #nameOf({ key }: Pair): string | undefined {
    return isScalar(key) && typeof key.value === "string" ? key.value : undefined;
  }

  #parseCall(map: YAMLMap, key: Node, written: string, argument: unknown): Expression {
    const lower = written.toLowerCase();
    if (lower === "invoke") return this.#parseInvoke(map, key, argument);
    // `fn::package:name` is a call of a function of a package.
    if (written.includes(":")) {
      const call = { token: { node: key, text: written }, args: this.parse(argument), member: undefined, options: {} };
      return { kind: "invoke", node: map, call };
    }
    const name = findBuiltin(written);
    if (name !== undefined) return { kind: "call", node: map, name, argument: this.parse(argument) };
    this.#problems.add(key, describeUnknown(written));
    return { kind: "literal", node: map, value: null };
  }

  #parseInvoke(map: YAMLMap, key: Node, argument: unknown): Expression {
    const written = this.resolve(argument);
    const members = new Map<string, unknown>();
    if (isMap(written))
      for (const pair of written.items) {
        const name = this.#nameOf(pair)?.toLowerCase() ?? "";
        if (!invokeMembers.includes(name))
          this.#problems.add(
            pair.key as Node,
            `${this.#nameOf(pair)} is not a member of fn::invoke (${invokeMembers.join(", ")})`,
          );
        members.set(name, pair.value);
      }
    const token = this.resolve(members.get("function"));
    if (!isScalar(token) || typeof token.value !== "string") {
      this.#problems.add(written ?? key, "fn::invoke needs function: the name of a function, such as package:name");
      return { kind: "literal", node: map, value: null };
    }
    const options = this.resolve(members.get("options"));
    const result = this.resolve(members.get("return"));
    const call: Invocation = {
      token: { node: token, text: token.value },
      args: members.has("arguments")
        ? this.parse(members.get("arguments"))
        : { kind: "object", node: map, members: [] },
      member: isScalar(result) && typeof result.value === "string" && result.value !== "" ? result.value : undefined,
      options: {},
    };
    if (isMap(options))
      for (const pair of options.items) {
        const name = this.#nameOf(pair) ?? "";
        if (!invokeOptions.includes(name))
          this.#problems.add(pair.key as Node, `${name} is not an option of fn::invoke (${invokeOptions.join(", ")})`);
        else call.options[name] = this.parse(pair.value);
      }
    return { kind: "invoke", node: map, call };
  }
}

const invokeMembers = ["function", "arguments", "options", "return"];
const invokeOptions = ["parent", "provider", "version", "pluginDownloadURL", "dependsOn"];

/** The references in an expression. */
export function* accessesIn(expression: Expression): Generator<{ node: Node; access: PropertyAccess }> {
  const { node } = expression;
  switch (expression.kind) {
    case "reference":
      yield { node, access: expression.access };
      break;
    case "text":
      for (const part of expression.parts) if (isAccess(part)) yield { node, access: part };
      break;
    case "list":
      for (const item of expression.items) yield* accessesIn(item);
      break;
    case "object":
      for (const { key, value } of expression.members) {
        yield* accessesIn(key);
        yield* accessesIn(value);
      }
      break;
    case "call":
      yield* accessesIn(expression.argument);
      break;
    case "invoke":
      yield* accessesIn(expression.call.args);
      for (const option of Object.values(expression.call.options)) yield* accessesIn(option);
  }
}

/** The calls of functions of packages in an expression. */
export function* invocationsIn(expression: Expression): Generator<Invocation> {
  switch (expression.kind) {
    case "list":
      for (const item of expression.items) yield* invocationsIn(item);
      break;
    case "object":
      for (const { value } of expression.members) yield* invocationsIn(value);
      break;
    case "call":
      yield* invocationsIn(expression.argument);
      break;
    case "invoke":
      yield expression.call;
      yield* invocationsIn(expression.call.args);
  }
}
