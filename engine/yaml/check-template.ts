/** Checks a program against the schemas of its packages, before anything is registered. */
import { closeMatch } from "../../sdk/text/did-you-mean";
import { USE_CLI_HINT } from "../monitor/goal-decoder";
import {
  type FunctionSchema,
  fullToken,
  type PackageSchema,
  type PropertySchema,
  type ResourceSchema,
} from "../resource/package-schema";
import { isProviderType, packageOf, STACK_REFERENCE_TYPE } from "../resource/urn";
import { builtinName, expressionsOf } from "./declaration-order";
import { accessesIn, type Expression, type Invocation, invocationsIn } from "./expression";
import type { Problems } from "./problems";
import type { PropertyAccess } from "./property-access";
import type { Named, ResourceDeclaration, Template } from "./template";
import { describeMissing, ValueSchemas } from "./value-schemas";

/** A type of resource, with its full name. */
export interface ResolvedType {
  type: string;
  schema: ResourceSchema;
}

/** The packages that programs may use. */
export class Packages {
  readonly #byName: ReadonlyMap<string, PackageSchema>;

  constructor(schemas: readonly PackageSchema[]) {
    this.#byName = new Map(schemas.map((schema) => [schema.name, schema]));
  }

  /** Undefined if it does not exist, which is reported as a problem. */
  resource({ node, name }: Named, problems: Problems): ResolvedType | undefined {
    if (name === STACK_REFERENCE_TYPE) return { type: name, schema: stackReference };
    const pkg = this.#package(node, packageOf(name), problems);
    if (pkg === undefined) return undefined;
    if (isProviderType(name)) return { type: name, schema: pkg.provider ?? {} };
    return this.#find(node, name, pkg, pkg.resources ?? {}, "resource", problems, (type, schema) => ({ type, schema }));
  }

  function({ token }: Invocation, problems: Problems): { token: string; schema: FunctionSchema } | undefined {
    const pkg = this.#package(token.node, packageOf(token.text), problems);
    if (pkg === undefined) return undefined;
    const make = (full: string, schema: FunctionSchema) => ({ token: full, schema });
    return this.#find(token.node, token.text, pkg, pkg.functions ?? {}, "function", problems, make);
  }

  /** What a `$ref` of a schema names; undefined for one that is not of these packages. */
  find(reference: string): PropertySchema | undefined {
    const prefix = "#/types/";
    if (!reference.startsWith(prefix)) return undefined;
    const token = reference.slice(prefix.length);
    return this.#byName.get(packageOf(token))?.types?.[token];
  }

  #package(node: Named["node"], name: string, problems: Problems): PackageSchema | undefined {
    const found = this.#byName.get(name);
    if (found === undefined)
      problems.add(
        node,
        `the package ${name} is ${USE_CLI_HINT} (here: ${[...this.#byName.keys()].join(", ") || "none"})`,
      );
    return found;
  }

  #find<Schema, T>(
    node: Named["node"],
    written: string,
    pkg: PackageSchema,
    all: Record<string, Schema>,
    what: string,
    problems: Problems,
    make: (token: string, schema: Schema) => T,
  ): T | undefined {
    const token = fullToken(written, Object.keys(all));
    if (token !== undefined) return make(token, all[token]!);
    const names = Object.keys(all).map(withoutModule);
    // Without the package, which all have in common: it would make every short name near.
    const near = closeMatch(withoutPackage(withoutModule(written)), names.map(withoutPackage));
    problems.add(
      node,
      `${written} is not a ${what} of the package ${pkg.name}${near ? `, did you mean ${pkg.name}:${near}?` : `; it has ${names.join(", ")}`}`,
    );
    return undefined;
  }
}

/** The type `storage:index:Bucket` as `storage:Bucket`. */
const withoutModule = (type: string): string => type.replace(":index:", ":");

/** The type `storage:Bucket` as `Bucket`. */
const withoutPackage = (type: string): string => type.slice(packageOf(type).length + 1);

const stackReference: ResourceSchema = {
  inputProperties: { name: { type: "string" } },
  properties: { name: {}, outputs: {}, secretOutputNames: {} },
};

/** `builtins`: the members of the name that every program has. */
export function checkTemplate(
  template: Template,
  packages: Packages,
  builtins: readonly string[],
  problems: Problems,
): void {
  const outputs = new Map<string, PropertySchema>();
  outputs.set(builtinName, { properties: Object.fromEntries(builtins.map((name) => [name, {}])) });
  for (const resource of template.resources) {
    const resolved = packages.resource(resource.type, problems);
    if (resolved === undefined) continue;
    outputs.set(resource.name, outputsOf(resolved));
    checkResource(resource, resolved, problems);
  }
  const resources = template.resources.map((resource) => ({ kind: "resource" as const, ...resource }));
  const expressions = [
    ...[...template.variables, ...template.outputs].map(({ value }) => value),
    ...resources.flatMap((resource) => [...expressionsOf(resource)]),
  ];
  const functions = new Map<Invocation, FunctionSchema>();
  for (const call of expressions.flatMap((expression) => [...invocationsIn(expression)])) {
    const found = packages.function(call, problems);
    if (found !== undefined) functions.set(call, found.schema);
  }
  const find = (reference: string) => packages.find(reference);
  const schemas = new ValueSchemas({ resources: outputs, variables: template.variables, functions, find });
  for (const [call, schema] of functions) checkCall(call, schema, schemas, problems);
  for (const { node, access } of expressions.flatMap((expression) => [...accessesIn(expression)]))
    checkAccess(node, access, schemas, problems);
}

/** What an expression may refer to in a resource. */
const outputsOf = ({ type, schema }: ResolvedType): PropertySchema => ({
  properties: {
    urn: { type: "string" },
    ...(schema.isComponent !== true && { id: { type: "string" } }),
    // The members of an explicit provider are its settings.
    ...schema.properties,
    ...(isProviderType(type) && schema.inputProperties),
  },
});

/** Reports a member that does not exist. Its value would be absent: an argument would be left out, and the object belong to another account. */
function checkAccess(node: Named["node"], access: PropertyAccess, schemas: ValueSchemas, problems: Problems): void {
  const missing = schemas.missing(access);
  if (missing !== undefined) problems.add(node, describeMissing(missing, closeMatch(missing.member, missing.members)));
}

function checkResource(resource: ResourceDeclaration, resolved: ResolvedType, problems: Problems): void {
  const { properties = {}, inputProperties = {}, requiredInputs = [] } = resolved.schema;
  const what = `${resource.name} (${resource.type.name})`;
  if (resource.get !== undefined) {
    checkMembers(resource.get.state, { ...properties, ...inputProperties }, what, problems);
    return;
  }
  if (!Array.isArray(resource.properties)) return;
  checkMembers(resource.properties, inputProperties, what, problems);
  const missing = requiredInputs.filter(
    (input) => !(resource.properties as Named[]).some(({ name }) => name === input),
  );
  if (missing.length > 0)
    problems.add(
      resource.node,
      `${what} lacks ${missing.join(", ")}: set ${missing.length > 1 ? "them" : "it"} under properties`,
    );
}

function checkCall(call: Invocation, schema: FunctionSchema, schemas: ValueSchemas, problems: Problems): void {
  const { member, token } = call;
  const { properties } = schemas.membersOf(schema.outputs ?? {});
  if (member !== undefined && properties !== undefined && !Object.hasOwn(properties, member)) {
    const near = closeMatch(member, Object.keys(properties));
    const hint = near ? `, did you mean ${near}?` : ` (${Object.keys(properties).join(", ")})`;
    problems.add(token.node, `the result of ${token.text} has no member ${member}${hint}`);
  }
  if (call.args.kind !== "object") return;
  const members = call.args.members.flatMap(({ key, value }) =>
    key.kind === "literal" && typeof key.value === "string" ? [{ node: key.node, name: key.value, value }] : [],
  );
  checkMembers(members, schema.inputs?.properties ?? {}, call.token.text, problems);
}

function checkMembers(
  members: readonly (Named & { value: Expression })[],
  allowed: Record<string, PropertySchema>,
  what: string,
  problems: Problems,
): void {
  for (const { node, name, value } of members) {
    const schema = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (schema === undefined) {
      const near = closeMatch(name, Object.keys(allowed));
      problems.add(
        node,
        `${what} has no property ${name}${near ? `, did you mean ${near}?` : ` (${Object.keys(allowed).join(", ")})`}`,
      );
      continue;
    }
    const wrong = wrongLiteral(value, schema);
    if (wrong !== undefined) problems.add(value.node, `${name} of ${what} must be ${wrong}`);
  }
}

const typeNames: Record<string, string> = {
  string: "a text",
  boolean: "true or false",
  number: "a number",
  integer: "a whole number",
  array: "a list",
  object: "an object",
};

/** The type that a literal should have; undefined if it has it, or if the expression is not a literal. */
function wrongLiteral(value: Expression, { type, oneOf, $ref }: PropertySchema): string | undefined {
  if (oneOf !== undefined || $ref !== undefined || type === undefined) return undefined;
  if (value.kind === "text") return type === "string" ? undefined : typeNames[type];
  if (value.kind === "list") return type === "array" ? undefined : `${typeNames[type]}, not a list`;
  if (value.kind === "object") return type === "object" ? undefined : `${typeNames[type]}, not an object`;
  // Null means that the property is not set.
  if (value.kind !== "literal" || value.value === null) return undefined;
  const isRight = type === "integer" ? Number.isInteger(value.value) : typeof value.value === type;
  if (isRight) return undefined;
  return type === "string" ? `${typeNames[type]}: put it in quotes` : typeNames[type];
}
