/**
 * What is known of a program's values before it runs: which members they have, by the schemas of packages.
 *
 * Used for: the check of references in Pulumi YAML.
 */
import type { FunctionSchema, PropertySchema } from "../resource/package-schema";
import type { Expression, Invocation } from "./expression";
import { formatAccess, type PropertyAccess } from "./property-access";
import type { VariableDeclaration } from "./template";

interface ValueSchemasOptions {
  /** By name, the outputs of the program's resources. */
  resources: ReadonlyMap<string, PropertySchema>;
  variables: readonly VariableDeclaration[];
  /** The functions of the program's calls. */
  functions: ReadonlyMap<Invocation, FunctionSchema>;
  /** What a schema refers to; undefined if that is anything. */
  find(reference: string): PropertySchema | undefined;
}

/** A member that does not exist. */
interface Missing {
  /** The value that lacks it, and its members. */
  owner: PropertyAccess;
  member: string;
  members: string[];
}

export class ValueSchemas {
  readonly #schemas: Map<string, PropertySchema>;
  readonly #variables: ReadonlyMap<string, Expression>;

  readonly #options: ValueSchemasOptions;

  constructor(options: ValueSchemasOptions) {
    this.#options = options;
    this.#schemas = new Map(options.resources);
    this.#variables = new Map(options.variables.map(({ name, value }) => [name, value]));
  }

  /** The first member of a reference that does not exist. */
  missing(access: PropertyAccess): Missing | undefined {
    const end = this.#follow(access);
    return "owner" in end ? end : undefined;
  }

  #follow({ root, path }: PropertyAccess): PropertySchema | Missing {
    let schema = this.#named(root);
    for (const [depth, step] of path.entries()) {
      const { properties, items } = this.membersOf(schema);
      if (typeof step === "number") schema = items ?? {};
      else if (properties === undefined) schema = {};
      else if (Object.hasOwn(properties, step)) schema = properties[step]!;
      else return { owner: { root, path: path.slice(0, depth) }, member: step, members: Object.keys(properties) };
    }
    return schema;
  }

  /** The schema without a reference, and with its properties only if it may have no others. */
  membersOf(schema: PropertySchema): PropertySchema {
    const { properties, additionalProperties, items } =
      (schema.$ref === undefined ? schema : this.#options.find(schema.$ref)) ?? {};
    return {
      ...(properties && additionalProperties === undefined && { properties }),
      ...(items && { items }),
    };
  }

  #named(name: string): PropertySchema {
    const found = this.#schemas.get(name);
    if (found !== undefined) return found;
    // A variable that refers to itself is reported elsewhere.
    this.#schemas.set(name, {});
    const value = this.#variables.get(name);
    const schema = value === undefined ? {} : this.#of(value);
    this.#schemas.set(name, schema);
    return schema;
  }

  #of(expression: Expression): PropertySchema {
    switch (expression.kind) {
      case "reference": {
        const end = this.#follow(expression.access);
        return "owner" in end ? {} : end;
      }
      case "object": {
        if (!expression.members.every(({ key }) => key.kind === "literal")) return {};
        const members = expression.members.map(({ key, value }) => [
          String((key as { value: unknown }).value),
          this.#of(value),
        ]);
        return { properties: Object.fromEntries(members) };
      }
      case "invoke": {
        const { outputs = {} } = this.#options.functions.get(expression.call) ?? {};
        const { member } = expression.call;
        return member === undefined ? outputs : (this.membersOf(outputs).properties?.[member] ?? {});
      }
      default:
        return {};
    }
  }
}

/** What a reference should have been: a sentence about the missing member. */
export function describeMissing({ owner, member, members }: Missing, near: string | undefined): string {
  const hint = near && `, did you mean \${${formatAccess({ ...owner, path: [...owner.path, near] })}}?`;
  return `${formatAccess(owner)} has no ${member}${hint ?? ` (${members.join(", ")})`}`;
}
