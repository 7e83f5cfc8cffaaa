/**
 * Runs a program in YAML: evaluates what it declares and registers it, in this process.
 *
 * Used for: the runtime yaml.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { EngineError, messageOf, ShuttingDown } from "../errors";
import type { Registrar } from "../monitor/resource-monitor";
import type { ProgramResult } from "../plugin/language-host";
import { asReceived } from "../resource/as-received";
import { type Goal, newGoal } from "../resource/goal";
import type { PackageSchema } from "../resource/package-schema";
import type { PluginRequest } from "../resource/plugin-request";
import { containsSecret, isMap, secret, unwrapSecrets, type Value, type ValueMap } from "../resource/property-value";
import type { RegisterResult } from "../resource/provider-interface";
import { UNKNOWN } from "../resource/signatures";
import { packageOf, STACK_REFERENCE_TYPE, STACK_TYPE } from "../resource/urn";
import { checkTemplate, Packages, type ResolvedType } from "./check-template";
import { type ConfigSource, configValues } from "./config-values";
import { builtinName, type Declaration, defaultProvidersOf, inOrder } from "./declaration-order";
import {
  asSecret,
  asSent,
  type Evaluated,
  evaluated,
  hasUnknown,
  RegisteredResource,
  withoutNulls,
} from "./evaluated-values";
import { Evaluator, Poisoned } from "./evaluator";
import type { Invocation } from "./expression";
import { OptionReader, providerReference } from "./goal-options";
import { Problems } from "./problems";
import { parseTemplate, type ResourceDeclaration, type Template } from "./template";

interface YamlProgramOptions extends ConfigSource {
  stack: string;
  dryRun: boolean;
  /** The folder of the project's file. */
  projectDirectory: string;
  programDirectory: string;
  /** The project's file. */
  projectFile: string;
  packages: readonly PackageSchema[];
  registrar: Registrar;
}

/** The possible files of a program; the first that exists is used. */
const programFiles = ["Main.json", "Main.yaml"];

/** Resolves when everything is registered. The deployment reports failed registrations. */
export async function runYamlProgram(options: YamlProgramOptions): Promise<ProgramResult> {
  const { name, text } = readProgram(options);
  const problems = new Problems(name);
  try {
    const template = parseTemplate(text, problems);
    const program = new Program(options, template, problems);
    const order = program.check();
    if (!problems.isEmpty) return { ok: false, message: String(problems) };
    await program.run(order);
    return problems.isEmpty ? { ok: !program.hasFailed } : { ok: false, message: String(problems) };
  } catch (error) {
    // The deployment has reported why it stops.
    if (error instanceof ShuttingDown)
      return problems.isEmpty ? { ok: false } : { ok: false, message: String(problems) };
    if (error instanceof EngineError) return { ok: false, message: error.message };
    throw error;
  }
}

function readProgram({ programDirectory, projectFile }: YamlProgramOptions): { name: string; text: string } {
  for (const file of [...programFiles.map((name) => path.join(programDirectory, name)), projectFile])
    try {
      return { name: path.basename(file), text: readFileSync(file, "utf8") };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT")
        throw new EngineError(`${file}: ${messageOf(error)}`, "invalid");
    }
  throw new EngineError(`there is no program in ${programDirectory}`, "not-found");
}

type Order = ReturnType<typeof inOrder>;

class Program {
  /** True if a registration has failed, which is reported. */
  hasFailed = false;
  readonly #scope = new Map<string, Evaluated>();
  readonly #resources = new Map<string, RegisteredResource>();
  readonly #packages: Packages;
  readonly #evaluator: Evaluator;
  readonly #defaultProviders: ReadonlyMap<string, string>;
  #stackUrn = "";

  readonly #options: YamlProgramOptions;
  readonly #template: Template;
  readonly #problems: Problems;

  constructor(options: YamlProgramOptions, template: Template, problems: Problems) {
    this.#options = options;
    this.#template = template;
    this.#problems = problems;
    this.#packages = new Packages(options.packages);
    this.#defaultProviders = defaultProvidersOf(template);
    this.#evaluator = new Evaluator({
      problems,
      scope: this.#scope,
      resources: this.#resources,
      dryRun: options.dryRun,
      directory: options.programDirectory,
      invoke: (call, args) => this.#invoke(call, args),
    });
  }

  /** Checks the program without running it, and adds its errors to the problems. */
  check(): Order {
    const config = configValues(this.#options, this.#template.config, this.#problems);
    for (const [name, value] of config) this.#scope.set(name, value);
    const builtins = this.#builtins();
    this.#scope.set(builtinName, evaluated(builtins));
    checkTemplate(this.#template, this.#packages, Object.keys(builtins), this.#problems);
    return inOrder(this.#template, new Set(config.keys()), this.#problems);
  }

  #builtins(): ValueMap {
    const { programDirectory, projectDirectory, project, stack } = this.#options;
    return { cwd: programDirectory, project, stack, organization: "organization", rootDirectory: projectDirectory };
  }

  /** Registers everything in order, each as soon as its dependencies are registered. */
  async run(order: Order): Promise<void> {
    const { registrar, project, stack } = this.#options;
    const root = await registrar.register(newGoal({ type: STACK_TYPE, name: `${project}-${stack}`, custom: false }));
    this.#stackUrn = root.urn;
    const started = new Map<string, Promise<void>>();
    for (const { declaration, waitsFor } of order) {
      const before = [...waitsFor].map((name) => started.get(name)!);
      const declare = async () => {
        if (before.length > 0) await Promise.all(before);
        await this.#declare(declaration);
      };
      started.set(declaration.name, unlessPoisoned(declare()));
    }
    const ended = await Promise.allSettled(started.values());
    const failed = ended.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    await this.#registerOutputs();
  }

  async #registerOutputs(): Promise<void> {
    const outputs: ValueMap = {};
    const evaluate = async ({ name, value }: Template["outputs"][number]) => {
      const output = await this.#evaluator.evaluate(value);
      const sent = asSent({ ...output, value: asOutput(output.value) });
      if (sent !== undefined) outputs[name] = sent;
    };
    await Promise.all(this.#template.outputs.map((output) => unlessPoisoned(evaluate(output))));
    await this.#options.registrar.registerOutputs(this.#stackUrn, asReceived(outputs));
  }

  async #declare(declaration: Declaration): Promise<void> {
    if (declaration.kind === "variable") {
      this.#scope.set(declaration.name, await this.#evaluator.evaluate(declaration.value));
      return;
    }
    const resource = await this.#register(declaration);
    this.#resources.set(resource.urn, resource);
    this.#scope.set(declaration.name, { value: resource.reference, resource, urns: new Set([resource.urn]) });
  }

  async #register(declaration: ResourceDeclaration): Promise<RegisteredResource> {
    const resolved = this.#packages.resource(declaration.type, this.#problems)!;
    const options = new OptionReader(this.#evaluator, declaration.options);
    const inputs = await this.#inputs(declaration, resolved);
    const chosen = await options.goal();
    const plugin = { name: packageOf(resolved.type), ...(await options.plugin()) };
    const common = {
      type: resolved.type,
      name: declaration.resourceName,
      plugin,
      parent: chosen.parent ?? this.#stackUrn,
      provider:
        chosen.provider || this.#defaultProvider(declaration, plugin.name) || chosen.providers?.[plugin.name] || "",
    };
    if (declaration.get !== undefined || resolved.type === STACK_REFERENCE_TYPE)
      return this.#read(declaration, resolved, { ...common, inputs, dependencies: chosen.dependencies ?? [] });
    const { schema } = resolved;
    const values = Object.fromEntries(Object.entries(inputs).map(([name, { value }]) => [name, value]));
    const propertyDependencies = Object.fromEntries(
      Object.entries(inputs).map(([name, { urns }]) => [name, [...urns].sort()]),
    );
    const goal = newGoal({
      ...chosen,
      ...common,
      custom: schema.isComponent !== true,
      remote: schema.isComponent === true,
      inputs: asReceived(values),
      propertyDependencies: asReceived(propertyDependencies),
      dependencies: [
        ...new Set([...Object.values(propertyDependencies).flat(), ...(chosen.dependencies ?? [])]),
      ].sort(),
      additionalSecretOutputs: [
        ...new Set([...(chosen.additionalSecretOutputs ?? []), ...secretNames(schema.properties)]),
      ],
      aliases: [...(chosen.aliases ?? []), ...(schema.aliases ?? []).flatMap(({ type }) => (type ? [{ type }] : []))],
    });
    return goal.remote
      ? this.#construct(goal)
      : this.#registered(goal, resolved, await this.#options.registrar.register(goal));
  }

  #defaultProvider({ name }: ResourceDeclaration, pkg: string): string {
    const declared = this.#defaultProviders.get(pkg);
    if (declared === undefined || declared === name) return "";
    return providerReference(this.#scope.get(declared)!.resource!);
  }

  /** Adds the secrets and the constants that the package's schema declares. */
  async #inputs({ properties }: ResourceDeclaration, { schema }: ResolvedType): Promise<Record<string, Evaluated>> {
    const declared: Record<string, Evaluated> = {};
    if (Array.isArray(properties)) {
      const values = await this.#evaluator.all(properties.map(({ value }) => value));
      for (const [index, { name }] of properties.entries()) declared[name] = values[index]!;
    } else {
      const whole = await this.#evaluator.evaluate(properties);
      if (!isMap(whole.value))
        this.#evaluator.fail(properties.node, "properties must be an object that is known before the run");
      for (const [name, value] of Object.entries(whole.value as ValueMap))
        declared[name] = evaluated(value, whole.urns);
    }
    const inputs: Record<string, Evaluated> = {};
    for (const [name, value] of Object.entries(declared))
      inputs[name] = schema.inputProperties?.[name]?.secret === true ? asSecret(value) : value;
    for (const [name, { const: constant }] of Object.entries(schema.inputProperties ?? {}))
      if (constant !== undefined) inputs[name] = evaluated(constant as Value);
    return Object.fromEntries(
      Object.entries(inputs).flatMap(([name, input]) => {
        const value = asSent(input);
        return value === undefined ? [] : [[name, { ...input, value }]];
      }),
    );
  }

  async #read(declaration: ResourceDeclaration, resolved: ResolvedType, goal: ReadCommon): Promise<RegisteredResource> {
    const state = { ...goal.inputs };
    for (const { name, value } of declaration.get?.state ?? []) state[name] = await this.#evaluator.evaluate(value);
    const isStackReference = resolved.type === STACK_REFERENCE_TYPE;
    if (isStackReference) state.name ??= evaluated(declaration.name);
    const id = isStackReference ? state.name!.value : await this.#evaluator.plain(declaration.get!.id, "get.id");
    if (typeof id !== "string")
      return this.#evaluator.fail(declaration.node, "the id to read must be a text that is known before the run");
    const result = await this.#options.registrar.read({
      ...goal,
      id,
      inputs: Object.fromEntries(Object.entries(state).map(([name, { value }]) => [name, value])),
      additionalSecretOutputs: secretNames(resolved.schema.properties),
      sourcePosition: "",
      stackTrace: [],
    });
    return this.#registered(goal, resolved, { ...result, id });
  }

  #registered(
    { name, type }: Pick<Goal, "name" | "type">,
    { schema }: ResolvedType,
    result: RegisterResult,
  ): RegisteredResource {
    if (result.outcome !== "done") {
      this.hasFailed = true;
      throw new Poisoned();
    }
    const later = new Set(Object.keys(schema.properties ?? {}));
    const outputs =
      result.unknown === true ? Object.fromEntries([...later].map((each) => [each, UNKNOWN])) : result.outputs;
    return new RegisteredResource(name, type, result.urn, result.id, outputs, later, {});
  }

  async #construct(goal: Goal): Promise<RegisteredResource> {
    const { urn, outputs, dependencies } = await this.#options.registrar.construct(goal);
    return new RegisteredResource(goal.name, goal.type, urn, undefined, outputs, new Set(), dependencies);
  }

  async #invoke(call: Invocation, args: Evaluated): Promise<Evaluated> {
    const { token } = this.#packages.function(call, this.#problems)!;
    const options = new OptionReader(this.#evaluator, new Map(Object.entries(call.options)));
    const { dependencies = [], provider = "", parent } = await options.goal();
    const plugin: PluginRequest = { name: packageOf(token), ...(await options.plugin()) };
    const declared = this.#defaultProviders.get(plugin.name);
    const fallback = declared === undefined ? "" : this.#scope.get(declared)?.resource;
    // The stack's provider is not a substitute, since its account may be another one.
    if (fallback === undefined && this.hasFailed) throw new Poisoned();
    const { result, failures } = await this.#options.registrar.invoke({
      token,
      args: asReceived(withoutNulls(args.value as ValueMap)),
      plugin,
      provider: provider || (fallback ? providerReference(fallback) : ""),
      ...(parent !== undefined && { parent }),
    });
    if (failures.length > 0) {
      const reasons = failures.map(({ property, reason }) => (property === "" ? reason : `${property}: ${reason}`));
      this.#evaluator.fail(call.token.node, `${call.token.text}: ${reasons.join("; ")}`);
    }
    return evaluated(result, new Set(dependencies));
  }
}

interface ReadCommon {
  type: string;
  name: string;
  plugin: PluginRequest;
  parent: string | undefined;
  provider: string;
  inputs: Record<string, Evaluated>;
  dependencies: string[];
}

const secretNames = (properties: Record<string, { secret?: boolean }> = {}): string[] =>
  Object.keys(properties).filter((name) => properties[name]?.secret === true);

/** As in the CLI, an output of the program is known or secret as a whole or not at all; one that is not known is not marked as secret. */
function asOutput(value: Value): Value {
  if (hasUnknown(value)) return UNKNOWN;
  return containsSecret(value) ? secret(unwrapSecrets(value)) : value;
}

/** An error is reported where it occurs; its dependents are left out. */
async function unlessPoisoned(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Poisoned)) throw error;
  }
}
