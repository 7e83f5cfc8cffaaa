/**
 * The options of a resource, in the form that the engine uses.
 *
 * Used for: `options` of Pulumi YAML.
 */
import { parseDuration } from "../resource/duration";
import type { Alias, Goal } from "../resource/goal";
import { isMap, type Value } from "../resource/property-value";
import type { Timeouts } from "../resource/resource-state";
import { UNKNOWN } from "../resource/signatures";
import { isProviderType, isUrn, packageOf } from "../resource/urn";
import { describe, type RegisteredResource } from "./evaluated-values";
import type { Evaluator } from "./evaluator";
import type { Expression } from "./expression";

const timeoutNames = ["create", "update", "delete", "read"] as const;
const aliasMembers = ["urn", "name", "type", "stack", "project", "parent", "noParent"];

/** A reference to a provider resource. */
export const providerReference = ({ urn, id }: RegisteredResource): string => `${urn}::${id || UNKNOWN}`;

export class OptionReader {
  readonly #evaluator: Evaluator;
  readonly #options: ReadonlyMap<string, Expression>;

  constructor(evaluator: Evaluator, options: ReadonlyMap<string, Expression>) {
    this.#evaluator = evaluator;
    this.#options = options;
  }

  /** The part of a goal that the options determine; options that are not set are absent. */
  async goal(): Promise<Partial<Goal>> {
    const dependsOn = await this.#resources("dependsOn");
    const replaceWith = await this.#resources("replaceWith");
    const [parent, deletedWith] = [await this.#resource("parent"), await this.#resource("deletedWith")];
    const [protect, retainOnDelete] = [await this.#boolean("protect"), await this.#boolean("retainOnDelete")];
    const deleteBeforeReplace = await this.#boolean("deleteBeforeReplace");
    const importId = await this.#text("import");
    const trigger = this.#options.get("replacementTrigger");
    return {
      dependencies: dependsOn.map(({ urn }) => urn),
      replaceWith: replaceWith.map(({ urn }) => urn),
      ...(parent && { parent: parent.urn }),
      ...(deletedWith && { deletedWith: deletedWith.urn }),
      ...(protect !== undefined && { protect }),
      ...(retainOnDelete !== undefined && { retainOnDelete }),
      ...(deleteBeforeReplace !== undefined && { deleteBeforeReplace }),
      ...(importId !== undefined && { importId }),
      provider: await this.provider(),
      providers: await this.#providers(),
      ignoreChanges: await this.#texts("ignoreChanges"),
      replaceOnChanges: await this.#texts("replaceOnChanges"),
      hideDiff: await this.#texts("hideDiffs"),
      additionalSecretOutputs: await this.#texts("additionalSecretOutputs"),
      aliases: await this.#aliases(),
      customTimeouts: await this.#timeouts(),
      ...(trigger && { replacementTrigger: (await this.#evaluator.evaluate(trigger)).value }),
    };
  }

  /** The requested version and address of the plugin. */
  async plugin(): Promise<{ version: string; downloadUrl: string }> {
    return { version: (await this.#text("version")) ?? "", downloadUrl: (await this.#text("pluginDownloadURL")) ?? "" };
  }

  async #resource(name: string): Promise<RegisteredResource | undefined> {
    const expression = this.#options.get(name);
    return expression && this.#evaluator.resource(expression, name);
  }

  async #resources(name: string): Promise<RegisteredResource[]> {
    const expression = this.#options.get(name);
    return expression === undefined ? [] : this.#evaluator.resourceList(expression, name);
  }

  async #typed<T extends Value>(name: string, isRight: (value: Value) => value is T, what: string) {
    const expression = this.#options.get(name);
    if (expression === undefined) return undefined;
    const value = await this.#evaluator.plain(expression, name);
    return isRight(value)
      ? value
      : this.#evaluator.fail(expression.node, `${name} must be ${what}, not ${describe(value)}`);
  }

  readonly #boolean = (name: string) => this.#typed(name, (value) => typeof value === "boolean", "true or false");
  readonly #text = (name: string) => this.#typed(name, (value) => typeof value === "string", "a text");

  async #texts(name: string): Promise<string[]> {
    const isTexts = (value: Value): value is string[] =>
      Array.isArray(value) && value.every((item) => typeof item === "string");
    return (await this.#typed(name, isTexts, "a list of texts")) ?? [];
  }

  /** Empty without a parent. */
  async provider(): Promise<string> {
    const resource = await this.#resource("provider");
    return resource === undefined ? "" : this.#asProvider("provider", resource);
  }

  #asProvider(name: string, resource: RegisteredResource): string {
    if (isProviderType(resource.type)) return providerReference(resource);
    return this.#evaluator.fail(
      this.#options.get(name)!.node,
      `${name}: ${resource.name} is not a provider: its type must begin with pulumi:providers:`,
    );
  }

  async #providers(): Promise<Record<string, string>> {
    const resources = await this.#resources("providers");
    return Object.fromEntries(resources.map((each) => [packageOf(each.type), this.#asProvider("providers", each)]));
  }

  async #timeouts(): Promise<Timeouts> {
    const expression = this.#options.get("customTimeouts");
    if (expression === undefined) return {};
    const fail = (message: string): never => this.#evaluator.fail(expression.node, message);
    const value = await this.#evaluator.plain(expression, "customTimeouts");
    if (!isMap(value)) return fail(`customTimeouts must be an object, not ${describe(value)}`);
    const timeouts: Timeouts = {};
    for (const [name, text] of Object.entries(value)) {
      const key = timeoutNames.find((each) => each === name);
      if (key === undefined) return fail(`customTimeouts has ${timeoutNames.join(", ")}, not ${name}`);
      const seconds = typeof text === "string" ? parseDuration(text) : undefined;
      if (seconds === undefined) return fail(`customTimeouts.${name} must be a duration, such as "5m" or "1h30m"`);
      timeouts[key] = seconds;
    }
    return timeouts;
  }

  async #aliases(): Promise<Alias[]> {
    const expression = this.#options.get("aliases");
    if (expression === undefined) return [];
    if (expression.kind !== "list")
      return this.#evaluator.fail(expression.node, "aliases must be a list of URNs, or of objects");
    return Promise.all(expression.items.map((item) => this.#alias(item)));
  }

  async #alias(expression: Expression): Promise<Alias> {
    const fail = (message: string): never => this.#evaluator.fail(expression.node, message);
    const value = await this.#evaluator.plain(expression, "an alias");
    const urnOf = (text: Value): string =>
      typeof text === "string" && isUrn(text) ? text : fail("the URN of an alias must begin with urn:pulumi:");
    if (typeof value === "string") return { urn: urnOf(value) };
    if (!isMap(value)) return fail(`an alias must be a URN or an object, not ${describe(value)}`);
    const alias: Exclude<Alias, { urn: string }> = {};
    for (const [name, member] of Object.entries(value)) {
      if (!aliasMembers.includes(name)) return fail(`an alias has ${aliasMembers.join(", ")}, not ${name}`);
      if (name === "urn") return { urn: urnOf(member) };
      if (name === "noParent") alias.noParent = member === true;
      else if (name === "parent") alias.parent = urnOf(parentUrn(member));
      else if (typeof member === "string") alias[name as "name" | "type" | "stack" | "project"] = member;
      else return fail(`${name} of an alias must be a text, not ${describe(member)}`);
    }
    return alias;
  }
}

/** The URN of a resource, or the text as written. */
const parentUrn = (value: Value): Value =>
  value !== null && typeof value === "object" && "urn" in value ? (value.urn as Value) : value;
