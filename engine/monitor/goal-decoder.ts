/**
 * Turns a program's requests into goals. Rejects what the engine does not support, before anything
 * starts.
 *
 * Used for: the requests of RegisterResource and ReadResource of ResourceMonitor.
 */
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { EngineError } from "../errors";
import { type Message, toValueMap } from "../plugin/node-sdk";
import { parseDuration } from "../resource/duration";
import type { Alias, Goal, ReadGoal } from "../resource/goal";
import type { HookNames, HookType } from "../resource/hooks";
import { intern, internTrace } from "../resource/interning";
import { type PluginRequest, pluginInputs } from "../resource/plugin-request";
import {
  collectOutputDependencies,
  isReference,
  mapDeep,
  unwrapOutputValues,
  type Value,
  type ValueMap,
} from "../resource/property-value";
import type { FunctionCall } from "../resource/provider-interface";
import type { Timeouts } from "../resource/resource-state";
import { DYNAMIC_PACKAGE, isProviderType, packageOf, STACK_REFERENCE_TYPE } from "../resource/urn";
import { hashAssets } from "./asset-hashes";
import { unknownField } from "./unknown-fields";

interface GoalDecoderOptions {
  projectDirectory: string;
  programDirectory: string;
}

export class GoalDecoder {
  /** The recorded source positions of the program's few files. */
  readonly #files = new Map<string, string>();

  readonly #options: GoalDecoderOptions;

  constructor(options: GoalDecoderOptions) {
    this.#options = options;
  }

  /** The program's values in the form that the state and providers get. Rejects like `goalOf`. */
  decodeValues(raw: ValueMap): Promise<ValueMap> {
    return hashAssets(mapDeep(unwrapOutputValues(raw), withPackageVersion), this.#options.programDirectory);
  }

  /** Rejects with an {@link EngineError} for what the engine does not support. */
  async decodeGoal(request: Message): Promise<Goal> {
    rejectUnsupported(request);
    const type = intern(request.getType());
    const custom: boolean = request.getCustom();
    const parent = request.getParent() === "" ? undefined : intern(request.getParent());
    const raw = toValueMap(request.getObject());
    const plugin = pluginOf(request);
    const inputs = await this.decodeValues(raw);
    const trigger = request.getReplacementTrigger?.();
    return {
      type,
      name: request.getName(),
      custom,
      remote: request.getRemote(),
      plugin,
      importId: request.getImportid(),
      parent,
      inputs: isProviderType(type) ? { ...inputs, ...pluginInputs(plugin) } : inputs,
      dependencies: [...new Set<string>(request.getDependenciesList())],
      propertyDependencies: propertyDependenciesOf(request, raw),
      provider: request.getProvider(),
      providers: mapToObject<string>(request.getProvidersMap()),
      protect: request.hasProtect() ? request.getProtect() : undefined,
      retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
      deletedWith: request.getDeletedwith(),
      replaceWith: request.getReplaceWithList?.() ?? [],
      replacementTrigger:
        trigger === undefined ? undefined : unwrapOutputValues({ v: trigger.toJavaScript() as Value }).v,
      deleteBeforeReplace:
        request.getDeletebeforereplacedefined() || request.getDeletebeforereplace()
          ? request.getDeletebeforereplace()
          : undefined,
      ignoreChanges: request.getIgnorechangesList(),
      replaceOnChanges: request.getReplaceonchangesList(),
      hideDiff: request.getHidediffsList?.() ?? [],
      hooks: hooksOf(request.getHooks()),
      additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
      aliases: [
        ...request.getAliasurnsList().map((urn: string): Alias => ({ urn })),
        ...request.getAliasesList().map(aliasOf),
      ],
      customTimeouts: timeoutsOf(request.getCustomtimeouts()),
      ...this.#positionOf(request),
    };
  }

  /** Rejects with an {@link EngineError} for what the engine does not support. */
  async decodeReadGoal(request: Message): Promise<ReadGoal> {
    const type: string = request.getType();
    const name: string = request.getName();
    if (request.getPackageref?.())
      throw new EngineError(`resource ${type} "${name}" belongs to a parameterized package; ${USE_CLI_HINT}`);
    const strange = unknownField(request, "reading");
    if (strange !== undefined)
      throw new EngineError(
        `resource ${type} "${name}" is read with ${strange}, which came with a newer @pulumi/pulumi; ${USE_CLI_HINT}`,
      );
    return {
      type,
      name,
      id: request.getId(),
      plugin: pluginOf(request),
      parent: request.getParent() || undefined,
      provider: request.getProvider(),
      inputs: unwrapOutputValues(toValueMap(request.getProperties())),
      dependencies: request.getDependenciesList(),
      additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
      ...this.#positionOf(request),
    };
  }

  /** Rejects with an {@link EngineError} for what the engine does not support. */
  async decodeCall(request: Message): Promise<FunctionCall> {
    const token: string = request.getTok();
    if (request.getPackageref?.())
      throw new EngineError(`the program calls the function ${token} of a parameterized package; ${USE_CLI_HINT}`);
    return {
      token,
      args: await this.decodeValues(toValueMap(request.getArgs())),
      plugin: pluginOf(request, token),
      provider: request.getProvider(),
    };
  }

  #positionOf(request: Message): Pick<Goal, "sourcePosition" | "stackTrace"> {
    const frames: Message[] = request.getStacktrace?.()?.getFramesList() ?? [];
    const trace = frames.map((frame) => {
      const sourcePosition = this.#position(frame.getPc());
      return sourcePosition === "" ? {} : { sourcePosition };
    });
    return { sourcePosition: this.#position(request.getSourceposition?.()), stackTrace: internTrace(trace) };
  }

  /** `project:///index.js#12,3`, relative to the project. */
  #position(position: Message): string {
    const uri: string = position?.getUri() ?? "";
    if (!uri.startsWith("file://")) return "";
    const place =
      position.getColumn() === 0 ? `${position.getLine()}` : `${position.getLine()},${position.getColumn()}`;
    return intern(`${this.#inProject(uri)}#${place}`);
  }

  #inProject(uri: string): string {
    let inside = this.#files.get(uri);
    if (inside === undefined) {
      const relative = path.relative(this.#options.projectDirectory, fileURLToPath(uri));
      inside = `project://${pathToFileURL(`/${relative}`).pathname}`;
      this.#files.set(uri, inside);
    }
    return inside;
  }
}

export const USE_CLI_HINT = "not supported by the built-in engine. Run with --engine pulumi to use the Pulumi CLI";

function rejectUnsupported(request: Message): void {
  const type: string = request.getType();
  const refuse = (what: string, remedy = USE_CLI_HINT): never => {
    throw new EngineError(`resource ${type} "${request.getName()}" ${what}; ${remedy}`);
  };
  const specs = request.getAliasesList().map((alias: Message) => alias.getSpec());
  const strange =
    unknownField(request, "registration") ??
    specs.map((spec: Message) => spec && unknownField(spec, "alias")).find(Boolean) ??
    (request.hasCustomtimeouts() ? unknownField(request.getCustomtimeouts(), "timeouts") : undefined);
  if (strange !== undefined) refuse(`has the option ${strange}, which came with a newer @pulumi/pulumi`);
  if (request.getPackageref?.()) refuse("belongs to a parameterized package");
  if (request.getImportid() && packageOf(type) === DYNAMIC_PACKAGE)
    refuse(
      "has the option import, which dynamic resources cannot answer",
      "no engine can import it. Remove the option: the provider may adopt the object when it creates",
    );
  if (request.getTransformsList().length > 0) refuse("has transforms");
  if (request.getStateMigrationsList?.().length > 0) refuse("has state migrations");
  if (request.getHooks()?.getOnErrorList?.().length > 0) refuse("has error hooks");
  if (request.getCustom() && type === STACK_REFERENCE_TYPE)
    refuse("is registered by a way that SDKs of the supported range do not use");
  if (request.getEnvvarmappingsMap?.().getLength() > 0) refuse("has the option envVarMappings");
}

/** The package of a type or a function, in the version of the program's SDK. */
const pluginOf = (request: Message, token: string = request.getType()): PluginRequest => ({
  name: packageOf(token),
  version: request.getVersion(),
  downloadUrl: request.getPlugindownloadurl(),
});

/** The dependencies of each input: those that the program names for it or for all inputs, and those of output values in it. */
function propertyDependenciesOf(request: Message, inputs: ValueMap): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  const named = Object.entries(mapToObject<Message>(request.getPropertydependenciesMap()));
  if (named.length === 0) for (const key of Object.keys(inputs)) lists[key] = request.getDependenciesList();
  for (const [key, list] of named) lists[key] = list.getUrnsList();
  for (const [key, v] of Object.entries(inputs))
    lists[key] = [...collectOutputDependencies(v, new Set(lists[key] ?? []))];
  return lists;
}

function mapToObject<T>(map: Message): Record<string, T> {
  const object: Record<string, T> = {};
  map?.forEach((v: T, k: string) => {
    object[k] = v;
  });
  return object;
}

function aliasOf(alias: Message): Alias {
  const spec = alias.getSpec();
  if (!spec) return { urn: alias.getUrn() };
  return {
    name: spec.getName(),
    type: spec.getType(),
    stack: spec.getStack(),
    project: spec.getProject(),
    parent: spec.getParenturn(),
    noParent: spec.getNoparent(),
  };
}

const HOOK_TYPES: readonly HookType[] = [
  "BeforeCreate",
  "AfterCreate",
  "BeforeUpdate",
  "AfterUpdate",
  "BeforeDelete",
  "AfterDelete",
];

function hooksOf(binding: Message): HookNames {
  const named = HOOK_TYPES.map((type): [HookType, string[]] => [type, binding?.[`get${type}List`]() ?? []]);
  return Object.fromEntries(named.filter(([, names]) => names.length > 0));
}

function timeoutsOf(t: Message): Timeouts {
  const timeouts: Timeouts = {};
  if (!t) return timeouts;
  const texts = { create: t.getCreate(), update: t.getUpdate(), delete: t.getDelete(), read: t.getRead?.() ?? "" };
  for (const [key, text] of Object.entries(texts) as [keyof Timeouts, string][]) {
    if (text === "") continue;
    const value = parseDuration(text);
    if (value === undefined)
      throw new Error(
        `customTimeouts.${key}: ${JSON.stringify(text)} is not a duration; write for example "5m" or "1h30m"`,
      );
    timeouts[key] = value;
  }
  return timeouts;
}

/** In the state, every reference has a `packageVersion`, which may be empty. */
const withPackageVersion = (v: Value): Value => (isReference(v) ? { packageVersion: "", ...v } : v);
