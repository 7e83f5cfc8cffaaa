/**
 * Parses a YAML program file into configuration, variables, resources and outputs, and rejects what this engine does not support before
 * anything is registered.
 *
 * Used for: the program in Pulumi.yaml or Main.yaml.
 */
import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { describeYamlProblem } from "../../fs/yaml-problem";
import { closeMatch } from "../../sdk/text/did-you-mean";
import { goYamlTags } from "../config/go-yaml";
import { EngineError } from "../errors";
import { USE_CLI_HINT } from "../monitor/goal-decoder";
import type { Value } from "../resource/property-value";
import { isProviderType } from "../resource/urn";
import { type Expression, ExpressionParser } from "./expression";
import type { Problems } from "./problems";

/** A name in the file. */
export interface Named {
  node: Node;
  name: string;
}

export interface ConfigDeclaration extends Named {
  /** The key of the configuration. */
  key: string;
  /** The `secret` member of the file; undefined if it is absent. */
  secret: boolean | undefined;
  /** Undefined for none. */
  default: Value | undefined;
}

export interface VariableDeclaration extends Named {
  value: Expression;
}

export interface ResourceDeclaration extends Named {
  type: Named;
  /** Name of the resource; default: that in the program. */
  resourceName: string;
  isDefaultProvider: boolean;
  /** One expression for all of them, or one for each. */
  properties: Expression | (Named & { value: Expression })[];
  options: ReadonlyMap<string, Expression>;
  get: { id: Expression; state: (Named & { value: Expression })[] } | undefined;
}

export interface Template {
  config: ConfigDeclaration[];
  variables: VariableDeclaration[];
  resources: ResourceDeclaration[];
  outputs: VariableDeclaration[];
}

const projectMembers = [
  ...[
    "name",
    "runtime",
    "main",
    "description",
    "author",
    "website",
    "license",
    "backend",
    "options",
    "plugins",
    "packages",
  ],
  ...["template", "stackConfigDir", "config", "configuration", "variables", "resources", "outputs", "pulumi"],
];
const resourceMembers = ["type", "name", "defaultProvider", "properties", "options", "get"];
const resourceOptions = [
  ...[
    "additionalSecretOutputs",
    "aliases",
    "customTimeouts",
    "deleteBeforeReplace",
    "deletedWith",
    "dependsOn",
    "hideDiffs",
  ],
  ...["ignoreChanges", "import", "parent", "pluginDownloadURL", "protect", "provider", "providers", "replaceOnChanges"],
  ...["replaceWith", "replacementTrigger", "retainOnDelete", "version"],
];
const refusedOptions: Record<string, string> = { envVarMappings: `the option envVarMappings is ${USE_CLI_HINT}` };
const refusedMembers: Record<string, string> = { components: `components in YAML are ${USE_CLI_HINT}` };

/** The last one is cached, since all stacks of a fleet have the same program. */
let last: { text: string; document: Document; lines: LineCounter } | undefined;
function documentOf(text: string): { document: Document; lines: LineCounter } {
  if (last?.text !== text) {
    const lines = new LineCounter();
    last = { text, document: parseDocument(text, { customTags: goYamlTags, lineCounter: lines }), lines };
  }
  return last;
}

/** @throws {EngineError} if the text is not valid YAML */
export function parseTemplate(text: string, problems: Problems): Template {
  const { document, lines } = documentOf(text);
  problems.lines = lines;
  const [error] = document.errors;
  if (error !== undefined) throw new EngineError(`${problems.file}: ${describeYamlProblem(text, error)}`, "invalid");
  return new TemplateParser(new ExpressionParser(problems), problems).parse(document.contents);
}

class TemplateParser {
  readonly #expressions: ExpressionParser;
  readonly #problems: Problems;

  constructor(expressions: ExpressionParser, problems: Problems) {
    this.#expressions = expressions;
    this.#problems = problems;
  }

  parse(contents: unknown): Template {
    const members = this.#members(contents, "the program", projectMembers, refusedMembers);
    const section = (name: string) => this.#entries(members.get(name)?.value, name);
    return {
      config: [...section("configuration"), ...section("config")].map((entry) => this.#config(entry)),
      variables: section("variables").map(({ value, ...named }) => ({
        ...named,
        value: this.#expressions.parse(value),
      })),
      resources: section("resources").flatMap((entry) => this.#resource(entry)),
      outputs: section("outputs").map(({ value, ...named }) => ({ ...named, value: this.#expressions.parse(value) })),
    };
  }

  /** The members of an object, in their order; none unless it is one. */
  #entries(written: unknown, what: string): (Named & { value: Node | null })[] {
    const node = this.#expressions.resolve(written);
    if (node === null || (isScalar(node) && node.value === null)) return [];
    if (!isMap(node)) {
      this.#problems.add(node, `${what} must be an object: name: value`);
      return [];
    }
    return node.items.flatMap((pair) => {
      const key = pair.key as Node;
      if (isScalar(key) && typeof key.value === "string")
        return [{ node: key, name: key.value, value: this.#expressions.resolve(pair.value) }];
      this.#problems.add(key, `a name in ${what} must be a text: put it in quotes`);
      return [];
    });
  }

  /** The members; an unknown one is a problem. */
  #members(written: unknown, what: string, allowed: readonly string[], refused: Record<string, string> = {}) {
    const members = new Map<string, Named & { value: Node | null }>();
    for (const entry of this.#entries(written, what)) {
      const { name, node } = entry;
      if (allowed.includes(name)) members.set(name, entry);
      else if (Object.hasOwn(refused, name)) this.#problems.add(node, refused[name]!);
      else {
        const near = closeMatch(name, allowed);
        this.#problems.add(
          node,
          `${name} is not a member of ${what}${near ? `, did you mean ${near}?` : ` (${allowed.join(", ")})`}`,
        );
      }
    }
    return members;
  }

  #text(written: Node | null | undefined): string | undefined {
    return isScalar(written) && typeof written.value === "string" ? written.value : undefined;
  }

  #config({ node, name, value }: Named & { value: Node | null }): ConfigDeclaration {
    // Its members are checked in project-settings.ts.
    const members = isMap(value)
      ? new Map(this.#entries(value, `config.${name}`).map((each) => [each.name, each.value]))
      : new Map();
    const secretValue = members.get("secret");
    return {
      node,
      name,
      key: this.#text(members.get("name")) ?? name,
      secret: isScalar(secretValue) && typeof secretValue.value === "boolean" ? secretValue.value : undefined,
      default: members.has("default") ? this.#literal(this.#expressions.parse(members.get("default"))) : undefined,
    };
  }

  #literal(expression: Expression): Value {
    switch (expression.kind) {
      case "literal":
        return expression.value;
      case "list":
        return expression.items.map((item) => this.#literal(item));
      case "object":
        return Object.fromEntries(
          expression.members.map(({ key, value }) => [String(this.#literal(key)), this.#literal(value)]),
        );
      default:
        this.#problems.add(expression.node, "the default of a configuration takes no references and no functions");
        return null;
    }
  }

  #resource({ node, name, value }: Named & { value: Node | null }): ResourceDeclaration[] {
    const members = this.#members(value, `resources.${name}`, resourceMembers);
    const type = members.get("type")?.value;
    const typeText = this.#text(type);
    if (type === undefined || type === null || typeText === undefined) {
      this.#problems.add(type ?? node, `resources.${name} needs a type, such as type: package:Name`);
      return [];
    }
    const isDefaultProvider = this.#isDefaultProvider(members.get("defaultProvider")?.value, typeText, name);
    const get = members.get("get")?.value;
    if (get !== undefined && members.has("properties"))
      this.#problems.add(
        members.get("properties")!.node,
        `resources.${name} has get, which reads what exists: it takes no properties`,
      );
    return [
      {
        node,
        name,
        type: { node: type, name: typeText },
        resourceName: this.#resourceName(members.get("name")?.value, name) || name,
        isDefaultProvider,
        properties: this.#properties(members.get("properties")?.value, name),
        options: this.#options(members.get("options")?.value, name),
        get: get === undefined ? undefined : this.#get(get, name),
      },
    ];
  }

  /** Undefined for none. It is needed before anything is evaluated. */
  #resourceName(value: Node | null | undefined, name: string): string | undefined {
    const expression = this.#expressions.parse(value);
    if (expression.kind === "literal" && expression.value === null) return undefined;
    if (expression.kind === "literal" && typeof expression.value === "string") return expression.value;
    this.#problems.add(value!, `resources.${name}.name must be a text, without references`);
    return undefined;
  }

  #isDefaultProvider(value: Node | null | undefined, type: string, name: string): boolean {
    if (value === undefined || value === null || (isScalar(value) && value.value === false)) return false;
    if (!isScalar(value) || value.value !== true)
      this.#problems.add(value, `resources.${name}.defaultProvider must be true or false, without quotes`);
    else if (!isProviderType(type))
      this.#problems.add(
        value,
        `resources.${name} is not a provider: defaultProvider is for pulumi:providers:<package>`,
      );
    return true;
  }

  #properties(value: Node | null | undefined, name: string): ResourceDeclaration["properties"] {
    if (value === undefined || value === null) return [];
    const expression = this.#expressions.parse(value);
    return expression.kind === "object" ? this.#named(value, `the properties of ${name}`) : expression;
  }

  #named(value: Node | null, what: string): (Named & { value: Expression })[] {
    return this.#entries(value, what).map((entry) => ({ ...entry, value: this.#expressions.parse(entry.value) }));
  }

  #options(value: Node | null | undefined, name: string): ReadonlyMap<string, Expression> {
    const members = this.#members(value, `the options of ${name}`, resourceOptions, refusedOptions);
    return new Map([...members].map(([option, { value }]) => [option, this.#expressions.parse(value)]));
  }

  #get(value: Node | null, name: string): ResourceDeclaration["get"] {
    const members = this.#members(value, `resources.${name}.get`, ["id", "state"]);
    const id = members.get("id")?.value;
    if (id === undefined) {
      this.#problems.add(value, `resources.${name}.get needs an id`);
      return undefined;
    }
    return {
      id: this.#expressions.parse(id),
      state: this.#named(members.get("state")?.value ?? null, `the state of ${name}`),
    };
  }
}
