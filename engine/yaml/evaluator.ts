/**
 * Evaluates expressions, after the values to which they refer.
 *
 * Used for: the values of Pulumi YAML.
 */
import type { Node } from "yaml";
import {
  containsSecret,
  isMap,
  isReference,
  isSecret,
  isUnknown,
  secret,
  someDeep,
  unwrapSecret,
  unwrapSecrets,
  type Value,
} from "../resource/property-value";
import { UNKNOWN } from "../resource/signatures";
import {
  describe,
  type Evaluated,
  evaluated,
  lift,
  none,
  printed,
  type RegisteredResource,
  unionOf,
} from "./evaluated-values";
import type { Expression, Invocation } from "./expression";
import { builtins, FunctionError } from "./functions";
import type { Problems } from "./problems";
import { formatAccess, isAccess, type PropertyAccess } from "./property-access";

/** A dependency has failed, which is reported there. */
export class Poisoned extends Error {}

interface EvaluatorOptions {
  problems: Problems;
  /** By name: resources, variables and configuration. A name without a value has failed. */
  scope: ReadonlyMap<string, Evaluated>;
  /** By URN. */
  resources: ReadonlyMap<string, RegisteredResource>;
  dryRun: boolean;
  /** The folder for relative paths. */
  directory: string;
  /** Calls a function of a package. */
  invoke(call: Invocation, args: Evaluated): Promise<Evaluated>;
}

export class Evaluator {
  readonly #options: EvaluatorOptions;

  constructor(options: EvaluatorOptions) {
    this.#options = options;
  }

  /** Rejects with {@link Poisoned} after an error, which is reported. */
  async evaluate(expression: Expression): Promise<Evaluated> {
    switch (expression.kind) {
      case "literal":
        return evaluated(expression.value);
      case "reference":
        return this.#access(expression.node, expression.access);
      case "text":
        return this.#text(expression);
      case "list": {
        const items = await this.all(expression.items);
        return evaluated(
          items.map(({ value }) => value),
          unionOf(items),
        );
      }
      case "object":
        return this.#object(expression);
      case "call": {
        const argument = await this.evaluate(expression.argument);
        return this.#reporting(expression.node, () => builtins[expression.name](argument, this.#options));
      }
      case "invoke":
        return this.#invoke(expression.node, expression.call);
    }
  }

  /** Evaluates all of them, so that all errors are reported. */
  async all(expressions: readonly Expression[]): Promise<Evaluated[]> {
    const results = await Promise.allSettled(expressions.map((each) => this.evaluate(each)));
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return results.map((result) => (result as PromiseFulfilledResult<Evaluated>).value);
  }

  /** The resource that an expression refers to. */
  async resource(expression: Expression, what: string): Promise<RegisteredResource> {
    const { value } = await this.evaluate(expression);
    return (
      this.#resourceOf(value) ??
      this.fail(expression.node, `${what} must be a resource, such as \${name}, not ${describe(value)}`)
    );
  }

  #resourceOf(value: Value): RegisteredResource | undefined {
    return isReference(value) ? this.#options.resources.get(String(value.urn)) : undefined;
  }

  /** The resources in a list. */
  async resourceList(expression: Expression, what: string): Promise<RegisteredResource[]> {
    const { value } = await this.evaluate(expression);
    const items = Array.isArray(value)
      ? value
      : this.fail(expression.node, `${what} must be a list of resources, not ${describe(value)}`);
    return items.map(
      (item) =>
        this.#resourceOf(item) ??
        this.fail(expression.node, `${what} must be a list of resources, without ${describe(item)}`),
    );
  }

  /** A value that is known now, as options need it. */
  async plain(expression: Expression, what: string): Promise<Value> {
    const { value } = await this.evaluate(expression);
    if (isUnknown(value)) return this.fail(expression.node, `${what} must be known before the run: it is an output`);
    return unwrapSecrets(value);
  }

  fail(node: Node | null, message: string): never {
    this.#options.problems.add(node, message);
    throw new Poisoned();
  }

  #reporting<T>(node: Node, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof FunctionError) return this.fail(node, error.message);
      throw error;
    }
  }

  async #text({ node, parts }: Extract<Expression, { kind: "text" }>): Promise<Evaluated> {
    const all = parts.map((part) => (isAccess(part) ? this.#access(node, part) : evaluated(part)));
    return lift(all, (...values) =>
      values
        .map((value, index) => {
          const part = parts[index]!;
          const text = all[index]!.resource === undefined ? printed(value) : undefined;
          if (text !== undefined || !isAccess(part)) return text;
          const what = all[index]!.resource === undefined ? describe(value) : "a resource";
          return this.fail(
            node,
            `\${${formatAccess(part)}} is ${what}, which cannot be part of a text${hintFor(what)}`,
          );
        })
        .join(""),
    );
  }

  async #object({ node, members }: Extract<Expression, { kind: "object" }>): Promise<Evaluated> {
    const keys = await this.all(members.map(({ key }) => key));
    const values = await this.all(members.map(({ value }) => value));
    if (keys.some(({ value }) => isUnknown(value))) return evaluated(UNKNOWN, unionOf([...keys, ...values]));
    const entries = keys.map(({ value }, index): [string, Value] => {
      const key = unwrapSecret(value);
      const text = typeof key === "string" ? key : printed(key);
      return [text ?? this.fail(node, `a key must be a text, not ${describe(key)}`), values[index]!.value];
    });
    const object: Value = Object.fromEntries(entries);
    // A key cannot be encrypted, so the whole object becomes secret.
    return evaluated(
      keys.some(({ value }) => isSecret(value)) ? secret(object) : object,
      unionOf([...keys, ...values]),
    );
  }

  #access(node: Node, access: PropertyAccess): Evaluated {
    const found = this.#options.scope.get(access.root);
    if (found === undefined) throw new Poisoned();
    if (found.resource !== undefined) return this.#output(node, found.resource, access, access.path);
    const urns = new Set(found.urns);
    const { value } = lift([found], (whole) => this.#walk(node, whole, access, access.path, urns));
    return evaluated(value, urns);
  }

  #output(
    node: Node,
    resource: RegisteredResource,
    access: PropertyAccess,
    [name, ...path]: readonly (string | number)[],
  ): Evaluated {
    const { urn, id, outputs, laterOutputs, dependencies } = resource;
    const urns = new Set([urn]);
    if (name === undefined) return { value: resource.reference, resource, urns };
    if (name === "urn") return evaluated(urn, urns);
    if (name === "id" && id !== undefined) return evaluated(id || UNKNOWN, urns);
    const value = outputs[name] ?? null;
    const all = new Set([...urns, ...(dependencies[name] ?? [])]);
    if (value === null && this.#options.dryRun && laterOutputs.has(String(name))) return evaluated(UNKNOWN, all);
    return evaluated(this.#walk(node, value, access, path, all), all);
  }

  /** A part of a value. A part of a secret is secret, and a part of an unknown value is unknown. Adds what resources on the way depend on to `urns`. */
  #walk(
    node: Node,
    value: Value,
    access: PropertyAccess,
    path: readonly (string | number)[],
    urns: Set<string>,
  ): Value {
    const [step, ...rest] = path;
    if (step === undefined || isUnknown(value)) return value;
    if (isSecret(value)) return secret(this.#walk(node, unwrapSecret(value), access, path, urns));
    const resource = this.#resourceOf(value);
    if (resource !== undefined) {
      const output = this.#output(node, resource, access, path);
      for (const urn of output.urns) urns.add(urn);
      return output.value;
    }
    const where = `\${${formatAccess(access)}}`;
    if (Array.isArray(value)) {
      if (typeof step !== "number")
        return this.fail(node, `${where}: ${JSON.stringify(step)} is not an index of a list`);
      if (step >= value.length)
        return this.fail(node, `${where}: there is no item ${step} in a list of ${value.length}`);
      return this.#walk(node, value[step]!, access, rest, urns);
    }
    if (!isMap(value)) return this.fail(node, `${where}: ${describe(value)} has no member ${JSON.stringify(step)}`);
    if (typeof step === "number") return this.fail(node, `${where}: an object has names, not the index ${step}`);
    return this.#walk(node, value[step] ?? null, access, rest, urns);
  }

  async #invoke(node: Node, call: Invocation): Promise<Evaluated> {
    const args = await this.evaluate(call.args);
    const lifted = lift([args], (value) => value);
    const plain = unwrapSecret(lifted.value);
    if (isUnknown(plain)) return evaluated(lifted.value, args.urns);
    // The id of a new resource is not known yet, so the result is not, either.
    if (someDeep(args.value, isUnknown))
      return evaluated(containsSecret(args.value) ? secret(UNKNOWN) : UNKNOWN, args.urns);
    if (plain !== null && !isMap(plain))
      this.fail(node, `the arguments of ${call.token.text} must be an object, not ${describe(plain)}`);
    const { value, urns } = await this.#options.invoke(call, args);
    const isSecretResult = containsSecret(args.value) || containsSecret(value);
    const whole = unwrapSecrets(value);
    const { member } = call;
    const result = member === undefined || isUnknown(whole) ? whole : isMap(whole) ? whole[member] : undefined;
    if (result === undefined) return this.fail(node, `the result of ${call.token.text} has no member ${member}`);
    return evaluated(
      isSecretResult ? secret(result) : result,
      urns.size > 0 ? unionOf([args, evaluated(null, urns)]) : (args.urns ?? none),
    );
  }
}

function hintFor(what: string): string {
  if (what === "a resource") return ": name one of its outputs, such as .id";
  return what === "a list" || what === "an object" ? ": use fn::join or fn::toJSON" : "";
}
