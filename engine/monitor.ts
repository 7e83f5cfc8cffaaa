/**
 * The services that a program speaks to while it runs: the resource monitor, which takes its registrations, and the
 * engine's service, which takes its log messages. Decodes requests into goals and results into answers; decides
 * nothing.
 *
 * Serves: ResourceMonitor and Engine, the server's side.
 */
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withHashes } from "./assets";
import { EngineError, messageOf } from "./errors";
import { type Alias, type Goal, type ReadGoal, seconds } from "./goal";
import { CHANNEL_OPTIONS, type Sdk } from "./sdk";
import { sharedTrace, type Timeouts } from "./state";
import { isProviderType, packageOf, providerUrnOf, STACK_REFERENCE_TYPE, typeOf } from "./urn";
import { containsUnknown, dependenciesIn, type Value, type ValueMap, withoutOutputs } from "./values";

/** What a registration came to. */
export interface Registered {
  urn: string;
  /** Empty when not known yet. */
  id: string;
  outputs: ValueMap;
  outcome: "done" | "failed" | "skipped";
  /** True when the resource was left out of the operation, so that its outputs are not known. */
  unknown?: boolean;
}

export type Severity = "debug" | "info" | "warning" | "error";

/** The engine, as the monitor sees it. */
export interface MonitorTarget {
  register(goal: Goal): Promise<Registered>;
  read(goal: ReadGoal): Promise<Registered>;
  registerOutputs(urn: string, outputs: ValueMap): Promise<void>;
  /** Reference to the default provider of a package, which is made if need be. */
  defaultProvider(pkg: string): Promise<string>;
  /** What is known of a resource of this run. */
  lookup(urn: string): { id: string; provider: string; outputs: ValueMap } | undefined;
  /** The program has nothing more to register; resolves when everything is done. */
  programDone(): Promise<void>;
  /** The program asks for something the engine does not do: the run fails. */
  refuse(error: Error, urn: string): void;
  log(severity: Severity, message: string, urn: string): void;
}

type Heritage = Pick<Goal, "provider" | "protect" | "retainOnDelete" | "deletedWith">;

/** The engine takes nothing more: the SDK ends the program without a word. */
export class ShuttingDown extends Error {
  constructor() {
    super("the engine is shutting down");
  }
}

/** Features by the id that older SDKs ask for, and the name that newer ones know. Exactly what is served. */
const FEATURES: Record<string, string> = {
  secrets: "SECRETS",
  resourceReferences: "RESOURCE_REFERENCES",
  outputValues: "OUTPUT_VALUES",
  aliasSpecs: "ALIAS_SPECS",
  replacementTrigger: "REPLACEMENT_TRIGGER",
  deletedWith: "DELETED_WITH",
  replaceWith: "REPLACE_WITH",
};

/** How many requests of the program are taken in at once: more than are ever announced, so that none is missing. */
const CONCURRENT_REQUESTS = 64;

/** The packages whose resources the engine manages itself, and the one that dynamic resources belong to. */
const DYNAMIC_PACKAGE = "pulumi-nodejs";

export interface MonitorOptions {
  sdk: Sdk;
  project: string;
  stack: string;
  projectDirectory: string;
  programDirectory: string;
  dryRun: boolean;
  parallel: number;
  target: MonitorTarget;
}

// biome-ignore lint/suspicious/noExplicitAny: generated messages, see sdk.ts
type Message = any;
// biome-ignore lint/suspicious/noExplicitAny: a callback of the gRPC library
type Callback = (error: any, answer?: any) => void;

export class Monitor {
  private readonly server: Message;
  /** What children inherit, by the URN of the parent. */
  private readonly heritage = new Map<string, Heritage>();
  /** The `providers` option of components, by URN. */
  private readonly componentProviders = new Map<string, Record<string, string>>();
  private rootUrn = "";

  constructor(private readonly o: MonitorOptions) {
    // A program registers thousands of resources at once; those that wait for their turn do so in its memory, not here.
    // Nothing that is accepted ever waits for something that is not.
    this.server = new o.sdk.grpc.Server({ ...CHANNEL_OPTIONS, "grpc.max_concurrent_streams": CONCURRENT_REQUESTS });
    this.server.addService(o.sdk.resourceService.ResourceMonitorService, this.monitorService());
    this.server.addService(o.sdk.engineService.EngineService, this.engineService());
  }

  /** Starts to listen; resolves to the address. */
  listen(): Promise<string> {
    const credentials = this.o.sdk.grpc.ServerCredentials.createInsecure();
    return new Promise((resolve, reject) =>
      this.server.bindAsync("127.0.0.1:0", credentials, (error: Error | null, port: number) =>
        error ? reject(error) : resolve(`127.0.0.1:${port}`),
      ),
    );
  }

  close(): void {
    this.server.forceShutdown();
  }

  /** Wraps a handler: its promise becomes the answer, its error a status that the SDK understands. */
  private unary(handle: (request: Message) => Promise<Message> | Message) {
    return (call: { request: Message }, callback: Callback): void => {
      Promise.resolve()
        .then(() => handle(call.request))
        .then(
          (answer) => callback(null, answer),
          (error: unknown) => {
            const { status } = this.o.sdk.grpc;
            const code = error instanceof ShuttingDown ? status.UNAVAILABLE : status.UNKNOWN;
            callback({ code, message: messageOf(error), details: messageOf(error) });
          },
        );
    };
  }

  private engineService() {
    const { sdk, target } = this.o;
    const severities: Severity[] = ["debug", "info", "warning", "error"];
    const service: Record<string, unknown> = {
      log: this.unary((request) => {
        target.log(severities[request.getSeverity()] ?? "info", request.getMessage(), request.getUrn());
        return new sdk.empty.Empty();
      }),
      setRootResource: this.unary((request) => {
        this.rootUrn = request.getUrn();
        return new sdk.engine.SetRootResourceResponse();
      }),
      getRootResource: this.unary(() => {
        const answer = new sdk.engine.GetRootResourceResponse();
        answer.setUrn(this.rootUrn);
        return answer;
      }),
    };
    // A program may ask for a version of the CLI. This is none, and what it lacks it refuses by itself.
    for (const [name, definition] of Object.entries(sdk.engineService.EngineService as Record<string, Message>))
      if (/PulumiVersion$/.test(name)) service[name] = this.unary(() => new definition.responseType());
    return service;
  }

  private monitorService() {
    const { sdk, target } = this.o;
    const definitions = sdk.resourceService.ResourceMonitorService as Record<string, Message>;
    const refuse = (what: string) =>
      this.unary(() => this.refuse(new EngineError(`the program uses ${what}; ${WAY_OUT}`), ""));
    const service: Record<string, unknown> = {
      supportsFeature: this.unary((request) => {
        const answer = new sdk.resource.SupportsFeatureResponse();
        answer.setHassupport(request.getId() in FEATURES);
        return answer;
      }),
      getDeploymentInfo: this.unary(() => {
        const answer = new sdk.resource.DeploymentInfo();
        answer.setProject(this.o.project);
        answer.setStack(this.o.stack);
        answer.setOrganization("organization");
        answer.setDryrun(this.o.dryRun);
        answer.setParallel(this.o.parallel);
        const known = sdk.resource.ResourceMonitorFeature as Record<string, number>;
        answer.setSupportedfeaturesList(
          Object.values(FEATURES)
            .map((name) => known[`RESOURCE_MONITOR_FEATURE_${name}`])
            .filter((n) => n !== undefined),
        );
        return answer;
      }),
      registerResource: this.unary((request) => this.registerResource(request)),
      registerResourceOutputs: this.unary(async (request) => {
        await target.registerOutputs(request.getUrn(), withoutOutputs(mapOf(request.getOutputs())));
        return new sdk.empty.Empty();
      }),
      readResource: this.unary((request) => this.readResource(request)),
      invoke: this.unary((request) => this.invoke(request, definitions.invoke)),
      call: refuse("a method of a remote component"),
      registerPackage: refuse("a parameterized or remote package"),
      registerStackTransform: refuse("a transform of the stack"),
      registerStackInvokeTransform: refuse("an invoke transform"),
      registerResourceHook: refuse("resource hooks"),
      registerErrorHook: refuse("error hooks"),
      existsResource: refuse("a question whether a resource exists"),
      signalAndWaitForShutdown: this.unary(async () => {
        await target.programDone();
        return new sdk.empty.Empty();
      }),
    };
    for (const name of Object.keys(service)) if (!(name in definitions)) delete service[name];
    return service;
  }

  private refuse(error: Error, urn: string): never {
    this.o.target.refuse(error, urn);
    throw new ShuttingDown();
  }

  private async registerResource(request: Message): Promise<Message> {
    const type: string = request.getType();
    const name: string = request.getName();
    const label = `${type} "${name}"`;
    const refuse = (what: string): never =>
      this.refuse(new EngineError(`resource ${label} ${what}; ${WAY_OUT}`), request.getParent());
    if (request.getRemote()) refuse("is a remote component");
    if (request.getPackageref?.()) refuse("belongs to a parameterized package");
    if (request.getImportid())
      refuse("has the option import, which dynamic resources cannot answer. Adopt the object when creating it");
    if (request.getTransformsList().length > 0) refuse("has transforms");
    if (request.getStateMigrationsList?.().length > 0) refuse("has state migrations");
    const hooks = request.getHooks();
    if (hooks && Object.values(hooks.toObject()).some((list) => (list as string[]).length > 0)) refuse("has hooks");
    const custom: boolean = request.getCustom();
    const pkg = packageOf(type);
    if (custom && pkg !== DYNAMIC_PACKAGE)
      refuse(
        type === STACK_REFERENCE_TYPE
          ? "is registered by a way that SDKs of the supported range do not use"
          : `belongs to the provider "${pkg}"; the embedded engine manages dynamic resources only`,
      );
    if (request.getEnvvarmappingsMap?.().getLength() > 0) refuse("has the option envVarMappings");
    if (isProviderType(type) && (request.getVersion() || request.getPlugindownloadurl()))
      refuse("asks for a version or a download address of its provider");

    const goal = await this.goalOf(request, type, name, custom);
    const result = await this.o.target.register(goal);
    const { provider, protect, retainOnDelete, deletedWith } = goal;
    this.heritage.set(result.urn, { provider, protect, retainOnDelete, deletedWith });
    if (!custom) this.componentProviders.set(result.urn, this.providersFor(request, goal.parent));

    const answer = new this.o.sdk.resource.RegisterResourceResponse();
    answer.setUrn(result.urn);
    answer.setId(result.id);
    // Outputs of a component may refer to resources that are not registered yet in this run.
    let outputs = custom ? result.outputs : {};
    if (!request.getSupportspartialvalues())
      outputs = Object.fromEntries(Object.entries(outputs).filter(([, v]) => !containsUnknown(v)));
    answer.setObject(this.o.sdk.struct.Struct.fromJavaScript(outputs));
    const { Result } = this.o.sdk.resource;
    answer.setResult(
      result.outcome === "done"
        ? Result.SUCCESS
        : result.outcome === "failed"
          ? Result.FAIL
          : (Result.SKIP ?? Result.FAIL),
    );
    if (result.unknown) answer.setUnknown?.(true);
    if (result.outcome !== "done" && !request.getSupportsresultreporting())
      throw new Error("resource registration failed");
    return answer;
  }

  /** The `providers` of a component: its own, and its parents'. */
  private providersFor(request: Message, parent: string | undefined): Record<string, string> {
    return {
      ...(parent !== undefined && this.componentProviders.get(parent)),
      ...mapToObject(request.getProvidersMap()),
    };
  }

  private async goalOf(request: Message, type: string, name: string, custom: boolean): Promise<Goal> {
    const parent: string | undefined = request.getParent() || undefined;
    const parentGoal = parent === undefined ? undefined : this.heritage.get(parent);
    const raw = mapOf(request.getObject());

    const propertyDependencies: Record<string, string[]> = {};
    const named = Object.entries(mapToObject<Message>(request.getPropertydependenciesMap()));
    if (named.length === 0)
      for (const key of Object.keys(raw)) propertyDependencies[key] = request.getDependenciesList();
    for (const [key, list] of named) propertyDependencies[key] = list.getUrnsList();
    for (const [key, v] of Object.entries(raw))
      propertyDependencies[key] = [...dependenciesIn(v, new Set(propertyDependencies[key] ?? []))];

    let provider: string = request.getProvider();
    const pkg = packageOf(type);
    if (provider === "" && parentGoal?.provider && packageOf(typeOf(providerUrnOf(parentGoal.provider))) === pkg)
      provider = parentGoal.provider;
    if (custom && provider === "")
      provider =
        mapToObject<string>(request.getProvidersMap())[pkg] ??
        (parent === undefined ? undefined : this.componentProviders.get(parent)?.[pkg]) ??
        "";
    if (!custom || isProviderType(type)) provider = "";
    else if (provider === "") provider = await this.o.target.defaultProvider(pkg);

    let inputs: ValueMap;
    try {
      inputs = await withHashes(withoutOutputs(raw), this.o.programDirectory);
    } catch (error) {
      if (error instanceof EngineError) return this.refuse(error, "");
      throw error;
    }
    const trigger = request.getReplacementTrigger?.();
    return {
      type,
      name,
      custom,
      parent,
      inputs,
      dependencies: [...new Set<string>(request.getDependenciesList())],
      propertyDependencies,
      provider,
      protect: request.hasProtect() ? request.getProtect() : parentGoal?.protect,
      retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : parentGoal?.retainOnDelete,
      deletedWith: request.getDeletedwith() || parentGoal?.deletedWith || "",
      replaceWith: request.getReplaceWithList?.() ?? [],
      replacementTrigger: trigger === undefined ? undefined : withoutOutputs({ v: trigger.toJavaScript() as Value }).v,
      deleteBeforeReplace:
        request.getDeletebeforereplacedefined() || request.getDeletebeforereplace()
          ? request.getDeletebeforereplace()
          : undefined,
      ignoreChanges: request.getIgnorechangesList(),
      replaceOnChanges: request.getReplaceonchangesList(),
      hideDiff: request.getHidediffsList?.() ?? [],
      additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
      aliases: [
        ...request.getAliasurnsList().map((urn: string): Alias => ({ urn })),
        ...request.getAliasesList().map(aliasOf),
      ],
      customTimeouts: timeoutsOf(request.getCustomtimeouts()),
      importId: "",
      ...this.positionOf(request),
    };
  }

  private positionOf(request: Message): { sourcePosition: string; stackTrace: { sourcePosition?: string }[] } {
    const frames = request.getStacktrace?.()?.getFramesList() ?? [];
    return {
      sourcePosition: this.position(request.getSourceposition?.()),
      stackTrace: sharedTrace(
        frames.map((f: Message) => {
          const sourcePosition = this.position(f.getPc());
          return sourcePosition === "" ? {} : { sourcePosition };
        }),
      ),
    };
  }

  /** `project:///index.js#12,3`, relative to the project. */
  private position(p: Message): string {
    if (!p?.getUri().startsWith("file://")) return "";
    const relative = path.relative(this.o.projectDirectory, fileURLToPath(p.getUri()));
    const place = p.getColumn() === 0 ? `${p.getLine()}` : `${p.getLine()},${p.getColumn()}`;
    return `project://${pathToFileURL(`/${relative}`).pathname}#${place}`;
  }

  private async readResource(request: Message): Promise<Message> {
    const type: string = request.getType();
    const pkg = packageOf(type);
    if (type !== STACK_REFERENCE_TYPE && pkg !== DYNAMIC_PACKAGE)
      this.refuse(
        new EngineError(`resource ${type} "${request.getName()}" belongs to the provider "${pkg}"; ${WAY_OUT}`),
        "",
      );
    const result = await this.o.target.read({
      type,
      name: request.getName(),
      id: request.getId(),
      parent: request.getParent() || undefined,
      provider: request.getProvider() || (await this.o.target.defaultProvider(pkg)),
      inputs: withoutOutputs(mapOf(request.getProperties())),
      dependencies: request.getDependenciesList(),
      additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
      ...this.positionOf(request),
    });
    const answer = new this.o.sdk.resource.ReadResourceResponse();
    answer.setUrn(result.urn);
    answer.setProperties(this.o.sdk.struct.Struct.fromJavaScript(result.outputs));
    return answer;
  }

  private async invoke(request: Message, definition: Message): Promise<Message> {
    const token: string = request.getTok();
    if (token !== "pulumi:pulumi:getResource")
      return this.refuse(new EngineError(`the program calls the function ${token} of a provider; ${WAY_OUT}`), "");
    const urn = String(mapOf(request.getArgs()).urn);
    const found = this.o.target.lookup(urn);
    if (found === undefined) throw new Error(`unknown resource ${urn}`);
    const answer = new definition.responseType();
    answer.setReturn(
      this.o.sdk.struct.Struct.fromJavaScript({ urn, id: found.id, provider: found.provider, state: found.outputs }),
    );
    return answer;
  }
}

const WAY_OUT = "the embedded engine does not do this. Use the Pulumi CLI (--engine pulumi) for this program";

const mapOf = (struct: Message): ValueMap => (struct?.toJavaScript() ?? {}) as ValueMap;

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

function timeoutsOf(t: Message): Timeouts {
  const timeouts: Timeouts = {};
  if (!t) return timeouts;
  const texts = { create: t.getCreate(), update: t.getUpdate(), delete: t.getDelete(), read: t.getRead?.() ?? "" };
  for (const [key, text] of Object.entries(texts) as [keyof Timeouts, string][]) {
    if (text === "") continue;
    const value = seconds(text);
    if (value === undefined)
      throw new Error(
        `customTimeouts.${key}: ${JSON.stringify(text)} is no duration; write for example "5m" or "1h30m"`,
      );
    timeouts[key] = value;
  }
  return timeouts;
}
