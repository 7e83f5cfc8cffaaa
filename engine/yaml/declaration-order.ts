/**
 * Sorts what a YAML program declares, so that everything comes after what it refers to.
 *
 * Used for: references between variables and resources, and default providers.
 */
import type { Node } from "yaml";
import { closeMatch } from "../../sdk/text/did-you-mean";
import { packageOf } from "../resource/urn";
import { accessesIn, type Expression, invocationsIn } from "./expression";
import type { Problems } from "./problems";
import type { ResourceDeclaration, Template, VariableDeclaration } from "./template";

export type Declaration = ({ kind: "variable" } & VariableDeclaration) | ({ kind: "resource" } & ResourceDeclaration);

/** The name that is defined in every program. */
export const builtinName = "pulumi";

/** The expressions of a resource: properties first. */
export function* expressionsOf(declaration: Declaration): Generator<Expression> {
  if (declaration.kind === "variable") return yield declaration.value;
  const { properties, options, get } = declaration;
  if (Array.isArray(properties)) for (const { value } of properties) yield value;
  else yield properties;
  yield* options.values();
  if (get === undefined) return;
  yield get.id;
  for (const { value } of get.state) yield value;
}

/** The default provider of each package, by package. */
export const defaultProvidersOf = ({ resources }: Template): Map<string, string> =>
  new Map(
    resources.flatMap(({ name, type, isDefaultProvider }) => (isDefaultProvider ? [[packageOf(type.name), name]] : [])),
  );

/** Variables and resources in order, each with its dependencies. `configNames`: other names that may be referred to. */
export function inOrder(
  template: Template,
  configNames: ReadonlySet<string>,
  problems: Problems,
): { declaration: Declaration; waitsFor: ReadonlySet<string> }[] {
  const declarations = new Map<string, Declaration>();
  const add = (declaration: Declaration) => {
    const { name, node } = declaration;
    if (name === builtinName) problems.add(node, `${name} is reserved: give it another name`);
    else if (declarations.has(name) || template.config.some((config) => config.name === name))
      problems.add(node, `${name} is declared twice: names of resources, variables and config must differ`);
    else declarations.set(name, declaration);
  };
  for (const resource of template.resources) add({ kind: "resource", ...resource });
  for (const variable of template.variables) add({ kind: "variable", ...variable });

  const defaults = defaultProvidersOf(template);
  const isKnown = (name: string) => name === builtinName || configNames.has(name);
  const find = (root: string, node: Node): string[] => {
    if (declarations.has(root)) return [root];
    if (!isKnown(root)) {
      const near = closeMatch(root, [...declarations.keys(), ...configNames]);
      problems.add(
        node,
        `there is no resource, variable or config ${JSON.stringify(root)}${near ? `, did you mean ${near}?` : ""}`,
      );
    }
    return [];
  };
  const waits = new Map<string, Set<string>>();
  for (const [name, declaration] of declarations) {
    const names = new Set<string>();
    for (const expression of expressionsOf(declaration))
      for (const { node, access } of accessesIn(expression))
        for (const root of find(access.root, node)) names.add(root);
    const provider = declaration.kind === "resource" ? defaults.get(packageOf(declaration.type.name)) : undefined;
    if (
      declaration.kind === "resource" &&
      provider !== undefined &&
      provider !== name &&
      !declaration.options.has("provider")
    )
      names.add(provider);
    waits.set(name, names);
  }
  // The functions in the arguments of that provider itself use the stack's provider.
  for (const [name, declaration] of declarations)
    for (const provider of defaultsOfCalls(declaration, defaults))
      if (!reaches(waits, provider, name)) waits.get(name)!.add(provider);
  for (const { value } of template.outputs) for (const { node, access } of accessesIn(value)) find(access.root, node);
  return sorted(declarations, waits, problems).map((declaration) => ({
    declaration,
    waitsFor: waits.get(declaration.name)!,
  }));
}

/** The default providers of the functions that a declaration calls without a provider. */
function defaultsOfCalls(declaration: Declaration, defaults: ReadonlyMap<string, string>): string[] {
  const calls = [...expressionsOf(declaration)].flatMap((expression) => [...invocationsIn(expression)]);
  return calls.flatMap(({ token, options }) => {
    const provider = defaults.get(packageOf(token.text));
    return provider === undefined || "provider" in options ? [] : [provider];
  });
}

/** Whether the first is the second, or depends on it. */
function reaches(waits: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const visit = (name: string): boolean => {
    if (name === to) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return [...(waits.get(name) ?? [])].some(visit);
  };
  return visit(from);
}

function sorted(
  declarations: ReadonlyMap<string, Declaration>,
  waits: ReadonlyMap<string, ReadonlySet<string>>,
  problems: Problems,
): Declaration[] {
  const done = new Set<Declaration>();
  const path: string[] = [];
  const visit = (name: string): void => {
    const declaration = declarations.get(name)!;
    if (done.has(declaration)) return;
    if (path.includes(name)) {
      const circle = [...path.slice(path.indexOf(name)), name].join(" → ");
      problems.add(declaration.node, `these refer to each other in a circle: ${circle}`);
      return;
    }
    path.push(name);
    for (const other of waits.get(name)!) visit(other);
    path.pop();
    done.add(declaration);
  };
  for (const name of declarations.keys()) visit(name);
  return [...done];
}
