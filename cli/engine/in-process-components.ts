/** Runs the package's components for the built-in engine. In a plugin, Pulumi's SDK does it; here, components register goals directly. */
import { dynamicTypeOf, pluginTypeOf } from "../../definitions/kind";
import type { ResourceKind } from "../../definitions/model";
import { asReceived } from "../../engine/resource/as-received";
import { type Goal, newGoal } from "../../engine/resource/goal";
import type { InProcessHost } from "../../engine/resource/in-process-providers";
import { isReference, isSecret, secret, type Value, type ValueMap } from "../../engine/resource/property-value";
import type { ComponentRegistrar, Constructed, RegisterResult } from "../../engine/resource/provider-interface";
import { UNKNOWN } from "../../engine/resource/signatures";
import { type Evaluated, evaluated, lift, unionOf } from "../../engine/yaml/evaluated-values";
import {
  type AccountConfigArgs,
  notPlainProblem,
  type SubAccountArgs,
  unknownNamesProblem,
} from "../../provider/components/component-arguments";
import { accountConfigType, prepareAccountConfig } from "../../provider/components/declare-account";
import { declareFolder } from "../../provider/components/declare-folder";
import { declareSubAccount, prepareSubAccount, subAccountType } from "../../provider/components/declare-subaccount";
import type { Declarer, Later, Surroundings } from "../../provider/components/declarer";
import { errorMessage } from "../../provider/core/error-codes";
import {
  hasDeletionProtection,
  isDeletedBeforeReplaced,
  type ResourceDefinition,
  secretOutputsOf,
} from "../../provider/core/resource-definition";
import { isPlainArgument } from "../../provider/protocol/schema";
import { definitionServed } from "../../provider/protocol/tokens";
import { metadataKey } from "../../provider/state/metadata";

/** A value that comes later. */
class Output {
  constructor(readonly value: Promise<Evaluated>) {
    value.catch(() => undefined);
  }
}

/** A resource in a component, once it is registered. */
interface Declared {
  definition: ResourceDefinition;
  args: Record<string, Later>;
  result: Promise<RegisterResult>;
}

const isDeclared = (value: unknown): value is Declared =>
  typeof value === "object" && value !== null && "definition" in value && "result" in value;

export async function construct(
  goal: Goal,
  registrar: ComponentRegistrar,
  host: InProcessHost,
  provider: string,
): Promise<Constructed> {
  const surroundings = surroundingsOf(host);
  const args = argumentsOf(goal, surroundings);
  const component = new Component(goal, registrar, surroundings, provider);
  if (goal.type === accountConfigType) return component.accountConfig(args as unknown as AccountConfigArgs);
  if (goal.type === subAccountType) return component.subAccount(args as unknown as SubAccountArgs);
  throw new Error(`${goal.type} is not a component (components: ${accountConfigType}, ${subAccountType})`);
}

const surroundingsOf = (host: InProcessHost): Surroundings => ({
  project: host.project,
  stack: host.stack,
  directory: host.programDirectory,
  rootDirectory: host.projectDirectory,
  config: (key) => host.config.get(key)?.text,
  isSecretConfig: (key) => host.config.get(key)?.secret === true,
  warn: (message) => host.log("warning", message, "", false),
  fail(code, subject, problem, fix) {
    throw new Error(`${subject}: ${errorMessage(code, problem, fix)}`);
  },
  secret: (text) => new Output(Promise.resolve(evaluated(secret(text)))),
  combine: (values, make) => new Output(combined(values, make)),
});

async function combined(values: Record<string, Later>, make: (resolved: Record<string, unknown>) => unknown) {
  const names = Object.keys(values);
  const all = await Promise.all(names.map((name) => resolved(values[name])));
  return lift(all, (...parts) => make(Object.fromEntries(names.map((name, at) => [name, parts[at]]))) as Value);
}

/** A value with all that is in it. */
async function resolved(value: Later): Promise<Evaluated> {
  if (value instanceof Output) return value.value;
  if (isDeclared(value)) {
    const { urn, id } = await value.result;
    return evaluated(id || UNKNOWN, new Set([urn]));
  }
  if (Array.isArray(value)) {
    const items = await Promise.all(value.map(resolved));
    return evaluated(
      items.map((item) => item.value),
      unionOf(items),
    );
  }
  if (value === null || typeof value !== "object") return evaluated(value as Value);
  const names = Object.keys(value).filter((name) => (value as Record<string, unknown>)[name] !== undefined);
  const members = await Promise.all(names.map((name) => resolved((value as Record<string, unknown>)[name])));
  return evaluated(Object.fromEntries(names.map((name, at) => [name, members[at]!.value])), unionOf(members));
}

/** The arguments of a component: what is secret, unknown or of a resource is an output. */
function argumentsOf(
  { type, name, inputs, propertyDependencies }: Goal,
  { fail }: Surroundings,
): Record<string, Later> {
  const subject = `${type.slice(type.lastIndexOf(":") + 1)} "${name}"`;
  const args: Record<string, Later> = {};
  for (const [key, value] of Object.entries(inputs)) {
    if (value === null) continue;
    const urns = new Set(propertyDependencies[key]);
    const input = (part: Value): Later =>
      isPlain(part) && urns.size === 0 ? part : new Output(Promise.resolve(evaluated(idOf(part), urns)));
    if (key === "values") {
      const members = membersOf(value);
      if (members === undefined) fail("ESIGN1060", subject, unknownNamesProblem);
      args.values = Object.fromEntries(Object.entries(members as ValueMap).map(([each, part]) => [each, input(part)]));
      continue;
    }
    const argument = input(value);
    if (argument instanceof Output && isPlainArgument(type, key)) fail("ESIGN1060", subject, notPlainProblem(key));
    args[key] = argument;
  }
  return args;
}

const isPlain = (value: Value): boolean =>
  value === null || typeof value !== "object"
    ? value !== UNKNOWN
    : !isSecret(value) && !isReference(value) && Object.values(value).every((part) => isPlain(part as Value));

/** A resource as an argument is its id. */
const idOf = (value: Value): Value => (isReference(value) ? (value.id ?? null) : value);

/** The members of a map, secret if that is; undefined if it is not known yet. */
function membersOf(map: Value): ValueMap | undefined {
  if (isSecret(map)) {
    const members = membersOf(map.value ?? null);
    return members && Object.fromEntries(Object.entries(members).map(([name, value]) => [name, secret(value)]));
  }
  return map !== null && typeof map === "object" && !Array.isArray(map) && !isReference(map)
    ? (map as ValueMap)
    : undefined;
}

class Component {
  /** What is being registered: a component is done when all of it is. */
  readonly #pending: Promise<unknown>[] = [];

  readonly #goal: Goal;
  readonly #registrar: ComponentRegistrar;
  readonly #surroundings: Surroundings;
  readonly #provider: string;

  constructor(goal: Goal, registrar: ComponentRegistrar, surroundings: Surroundings, provider: string) {
    this.#goal = goal;
    this.#registrar = registrar;
    this.#surroundings = surroundings;
    this.#provider = provider;
  }

  async accountConfig(args: AccountConfigArgs): Promise<Constructed> {
    const { name } = this.#goal;
    const { folder, values, companies } = prepareAccountConfig(this.#surroundings, name, args);
    const urn = await this.#registerComponent(this.#goal);
    declareFolder(this.#declarerIn(urn), name, folder, values, args, args.account);
    const ids: Record<string, Promise<Evaluated>> = {};
    for (const { slug, name: company, aliases, prepared } of companies) {
      const goal = {
        ...componentGoal(subAccountType, company),
        parent: urn,
        aliases: aliases.map((alias) => ({ name: alias })),
      };
      const declared = declareSubAccount(this.#declarerIn(await this.#registerComponent(goal)), company, {}, prepared);
      ids[slug] = this.#awaited(resolved(declared.company));
    }
    await Promise.all(this.#pending);
    return this.#constructed(urn, { companyIds: await resolved(mapped(ids, (id) => new Output(id))) });
  }

  async subAccount(args: SubAccountArgs): Promise<Constructed> {
    const { name } = this.#goal;
    const prepared = prepareSubAccount(this.#surroundings, name, args);
    const urn = await this.#registerComponent(this.#goal);
    const { company } = declareSubAccount(this.#declarerIn(urn), name, args, prepared);
    await Promise.all(this.#pending);
    const { urn: source, outputs } = await company.result;
    const output = (key: string) => evaluated(outputs[key] ?? UNKNOWN, new Set([source]));
    return this.#constructed(urn, { companyId: output("companyId"), apiKey: output("apiKey") });
  }

  #constructed(urn: string, outputs: Record<string, Evaluated>): Constructed {
    return {
      urn,
      outputs: mapped(outputs, ({ value }) => value),
      dependencies: mapped(outputs, ({ urns }) => [...urns]),
    };
  }

  async #registerComponent(goal: Goal): Promise<string> {
    const own = { ...goal, remote: false, custom: false, inputs: {}, propertyDependencies: {}, provider: "" };
    const { urn } = await this.#registrar.register({ ...own, providers: { esign: this.#provider, ...goal.providers } });
    this.#awaited(this.#registrar.registerOutputs(urn, {}));
    return urn;
  }

  /** What the component waits for at its end. If it fails before, the engine has reported why: that of the others is handled, too. */
  #awaited<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    this.#pending.push(work);
    return work;
  }

  #declarerIn(parent: string): Declarer<Declared> {
    return {
      ...this.#surroundings,
      resource: (kind, name, args) => {
        const definition = definitionServed(pluginTypeOf(kind));
        return { definition, args, result: this.#awaited(this.#register(kind, definition, name, args, parent)) };
      },
    };
  }

  async #register(
    kind: ResourceKind,
    definition: ResourceDefinition,
    name: string,
    args: Record<string, Later>,
    parent: string,
  ) {
    const names = Object.keys(args).filter((key) => args[key] !== undefined);
    const values = await Promise.all(names.map((key) => resolved(args[key])));
    const propertyDependencies = Object.fromEntries(names.map((key, at) => [key, [...values[at]!.urns].sort()]));
    const company = isDeclared(args.account) ? args.account : undefined;
    return this.#registrar.register(
      newGoal({
        type: pluginTypeOf(kind),
        name,
        custom: true,
        parent,
        provider: this.#provider,
        inputs: asReceived(Object.fromEntries(names.map((key, at) => [key, values[at]!.value]))),
        propertyDependencies: asReceived(propertyDependencies),
        dependencies: [...new Set(Object.values(propertyDependencies).flat())].sort(),
        additionalSecretOutputs: [metadataKey, ...secretOutputsOf(definition)],
        aliases: [{ type: dynamicTypeOf(kind) }],
        ...(hasDeletionProtection(definition) && args.deletionProtection !== false && { protect: true }),
        ...(isDeletedBeforeReplaced(definition) && { deleteBeforeReplace: true }),
        // The engine may drop what is in a company only if that can be deleted.
        ...(company?.args.deletionProtection === false && { deletedWith: (await company.result).urn }),
      }),
    );
  }
}

const componentGoal = (type: string, name: string): Goal => newGoal({ type, name, custom: false });

const mapped = <T, R>(object: Record<string, T>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
