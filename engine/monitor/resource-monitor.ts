/**
 * The services that a program speaks to while it runs: the resource monitor, which takes its registrations, and the
 * engine's service, which takes its log messages. It makes no decisions.
 *
 * Used for: ResourceMonitor and Engine, the server's side.
 */
import { EngineError, messageOf, ShuttingDown } from "../errors";
import { type Message, type Sdk, toStruct, toValueMap } from "../plugin/node-sdk";
import { registerResourceHook } from "../plugin/register-hooks";
import type { Goal, ReadGoal } from "../resource/goal";
import type { ResourceHooks } from "../resource/hooks";
import { containsUnknown, type ValueMap } from "../resource/property-value";
import type {
  ComponentRegistrar,
  Constructed,
  FunctionCall,
  InvokeResponse,
  RegisterResult,
} from "../resource/provider-interface";
import { GoalDecoder, USE_CLI_HINT } from "./goal-decoder";
import type { MonitorServer } from "./monitor-server";

export type Severity = "debug" | "info" | "warning" | "error";

/** Receives the program's registrations and calls. */
export interface Registrar extends ComponentRegistrar {
  read(goal: ReadGoal): Promise<RegisterResult>;
  /** Has a plugin construct a component. */
  construct(goal: Goal): Promise<Constructed>;
  /** Calls a function of a package. */
  invoke(call: FunctionCall): Promise<InvokeResponse>;
  /** The state of a resource in this run. */
  lookup(urn: string): { id: string; provider: string; outputs: ValueMap } | undefined;
}

/** Receives what else the program reports. */
export interface ProgramListener {
  /** The program has nothing more to register; resolves when everything is complete. */
  programDone(): Promise<void>;
  /** The program requests something that the engine does not support: the run fails. */
  rejectProgram(error: Error, urn: string): void;
  /** `isEphemeral`: to be shown only until something else happens. */
  log(severity: Severity, message: string, urn: string, isEphemeral: boolean): void;
}

/** The supported features, by the id that older SDKs request and by the name that newer SDKs use. */
const FEATURES: Record<string, string> = {
  secrets: "SECRETS",
  resourceReferences: "RESOURCE_REFERENCES",
  outputValues: "OUTPUT_VALUES",
  aliasSpecs: "ALIAS_SPECS",
  replacementTrigger: "REPLACEMENT_TRIGGER",
  deletedWith: "DELETED_WITH",
  replaceWith: "REPLACE_WITH",
  resourceHooks: "RESOURCE_HOOKS",
  // Error hooks are rejected on registration. Without this feature, an inline program would never see its own error.
  errorHooks: "ERROR_HOOKS",
};

interface MonitorOptions {
  sdk: Sdk;
  project: string;
  stack: string;
  projectDirectory: string;
  programDirectory: string;
  dryRun: boolean;
  parallel: number;
  registrar: Registrar;
  listener: ProgramListener;
  /** Receives the program's registrations. */
  hooks: ResourceHooks;
}

// biome-ignore lint/suspicious/noExplicitAny: a callback of the gRPC library
type Callback = (error: any, answer?: any) => void;

/** Serves a run. Providers know the server's address before it is known what the run does. */
export function serveMonitor(options: MonitorOptions, server: MonitorServer): void {
  const monitor = new ResourceMonitor(options);
  const { resourceService, engineService } = options.sdk;
  server.addService(resourceService.ResourceMonitorService, monitor.monitorService());
  server.addService(engineService.EngineService, monitor.engineService());
}

class ResourceMonitor {
  readonly #decoder: GoalDecoder;
  #rootUrn = "";

  readonly #options: MonitorOptions;

  constructor(options: MonitorOptions) {
    this.#options = options;
    this.#decoder = new GoalDecoder(options);
  }

  /** Wraps a handler: its result becomes the response, and its error one that the SDK understands. On shutdown there is no response. */
  #unary(handle: (request: Message) => Promise<Message> | Message) {
    return (call: { request: Message }, callback: Callback): void => {
      Promise.resolve()
        .then(() => handle(call.request))
        .then(
          (answer) => callback(null, answer),
          (error: unknown) => {
            // With a response, the SDK would close its channel, and everything else in the program would fail with gRPC errors.
            if (error instanceof ShuttingDown) return;
            callback({
              code: this.#options.sdk.grpc.status.UNKNOWN,
              message: messageOf(error),
              details: messageOf(error),
            });
          },
        );
    };
  }

  engineService() {
    const { sdk, listener } = this.#options;
    const severities: Severity[] = ["debug", "info", "warning", "error"];
    const service: Record<string, unknown> = {
      log: this.#unary((request) => {
        const severity = severities[request.getSeverity()] ?? "info";
        listener.log(severity, request.getMessage(), request.getUrn(), request.getEphemeral());
        return new sdk.empty.Empty();
      }),
      setRootResource: this.#unary((request) => {
        this.#rootUrn = request.getUrn();
        return new sdk.engine.SetRootResourceResponse();
      }),
      getRootResource: this.#unary(() => {
        const answer = new sdk.engine.GetRootResourceResponse();
        answer.setUrn(this.#rootUrn);
        return answer;
      }),
    };
    // A program may require a version of the CLI. The engine is not the CLI, and rejects by itself what it does not support.
    for (const [name, definition] of Object.entries(sdk.engineService.EngineService as Record<string, Message>))
      if (/PulumiVersion$/.test(name)) service[name] = this.#unary(() => new definition.responseType());
    return service;
  }

  monitorService() {
    const { sdk, registrar, listener } = this.#options;
    const definitions = sdk.resourceService.ResourceMonitorService as Record<string, Message>;
    const refuse = (what: string) =>
      this.#unary(() => this.#rejectProgram(new EngineError(`the program uses ${what}; ${USE_CLI_HINT}`), ""));
    const service: Record<string, unknown> = {
      supportsFeature: this.#unary((request) => {
        const answer = new sdk.resource.SupportsFeatureResponse();
        answer.setHassupport(request.getId() in FEATURES);
        return answer;
      }),
      getDeploymentInfo: this.#unary(() => {
        const answer = new sdk.resource.DeploymentInfo();
        answer.setProject(this.#options.project);
        answer.setStack(this.#options.stack);
        answer.setOrganization("organization");
        answer.setDryrun(this.#options.dryRun);
        answer.setParallel(this.#options.parallel);
        const numbers = sdk.resource.ResourceMonitorFeature as Record<string, number>;
        answer.setSupportedfeaturesList(
          Object.values(FEATURES)
            .map((name) => numbers[`RESOURCE_MONITOR_FEATURE_${name}`])
            .filter((n) => n !== undefined),
        );
        return answer;
      }),
      registerResource: this.#unary((request) => this.#registerResource(request)),
      registerResourceOutputs: this.#unary(async (request) => {
        const urn: string = request.getUrn();
        await registrar.registerOutputs(
          urn,
          await this.#rejectUnsupported(this.#decoder.decodeValues(toValueMap(request.getOutputs())), urn),
        );
        return new sdk.empty.Empty();
      }),
      readResource: this.#unary((request) => this.#readResource(request)),
      invoke: this.#unary((request) => this.#invoke(request, definitions.invoke)),
      call: refuse("a method of a remote component"),
      registerPackage: refuse("a parameterized or remote package"),
      registerStackTransform: refuse("a transform of the stack"),
      registerStackInvokeTransform: refuse("an invoke transform"),
      registerResourceHook: this.#unary((request) => {
        registerResourceHook(request, sdk, this.#options.hooks);
        return new sdk.empty.Empty();
      }),
      // Gets a response although the run fails: the SDK does not handle its rejection, which would crash an inline program's process.
      registerErrorHook: this.#unary(() => {
        listener.rejectProgram(new EngineError(`the program uses error hooks; ${USE_CLI_HINT}`), "");
        return new sdk.empty.Empty();
      }),
      existsResource: refuse("a check whether a resource exists (existsResource)"),
      signalAndWaitForShutdown: this.#unary(async () => {
        await listener.programDone();
        return new sdk.empty.Empty();
      }),
    };
    for (const name of Object.keys(service)) if (!(name in definitions)) delete service[name];
    return service;
  }

  #rejectProgram(error: Error, urn: string): never {
    this.#options.listener.rejectProgram(error, urn);
    throw new ShuttingDown();
  }

  /** Fails the run if the request needs something that the engine does not support. */
  async #rejectUnsupported<T>(what: Promise<T>, urn: string): Promise<T> {
    try {
      return await what;
    } catch (error) {
      if (error instanceof EngineError) this.#rejectProgram(error, urn);
      throw error;
    }
  }

  async #registerResource(request: Message): Promise<Message> {
    const goal = await this.#rejectUnsupported(this.#decoder.decodeGoal(request), request.getParent());
    if (goal.remote) return this.#constructComponent(goal);
    const result = await this.#options.registrar.register(goal);

    const answer = new this.#options.sdk.resource.RegisterResourceResponse();
    answer.setUrn(result.urn);
    answer.setId(result.id);
    // Outputs of a component may refer to resources that are not registered yet in this run.
    let outputs = goal.custom ? result.outputs : {};
    if (!request.getSupportspartialvalues())
      outputs = Object.fromEntries(Object.entries(outputs).filter(([, v]) => !containsUnknown(v)));
    answer.setObject(toStruct(this.#options.sdk, outputs));
    const { Result } = this.#options.sdk.resource;
    const results = { done: Result.SUCCESS, failed: Result.FAIL, skipped: Result.SKIP ?? Result.FAIL };
    answer.setResult(results[result.outcome]);
    if (result.unknown) answer.setUnknown?.(true);
    if (result.outcome !== "done" && !request.getSupportsresultreporting())
      throw new Error("resource registration failed");
    return answer;
  }

  async #constructComponent(goal: Goal): Promise<Message> {
    const { urn, outputs, dependencies } = await this.#options.registrar.construct(goal);
    const { RegisterResourceResponse } = this.#options.sdk.resource;
    const answer = new RegisterResourceResponse();
    answer.setUrn(urn);
    answer.setObject(toStruct(this.#options.sdk, outputs));
    for (const [name, urns] of Object.entries(dependencies)) {
      const list = new RegisterResourceResponse.PropertyDependencies();
      list.setUrnsList(urns);
      answer.getPropertydependenciesMap().set(name, list);
    }
    return answer;
  }

  async #readResource(request: Message): Promise<Message> {
    const goal = await this.#rejectUnsupported(this.#decoder.decodeReadGoal(request), request.getParent());
    const result = await this.#options.registrar.read(goal);
    const answer = new this.#options.sdk.resource.ReadResourceResponse();
    answer.setUrn(result.urn);
    answer.setProperties(toStruct(this.#options.sdk, result.outputs));
    return answer;
  }

  async #invoke(request: Message, definition: Message): Promise<Message> {
    const { provider } = this.#options.sdk;
    const call = await this.#rejectUnsupported(this.#decoder.decodeCall(request), "");
    const { result, failures } =
      call.token === "pulumi:pulumi:getResource"
        ? this.#getResource(call.args)
        : await this.#options.registrar.invoke(call);
    const answer = new definition.responseType();
    answer.setReturn(toStruct(this.#options.sdk, result));
    answer.setFailuresList(
      failures.map(({ property, reason }) => {
        const failure = new provider.CheckFailure();
        failure.setProperty(property);
        failure.setReason(reason);
        return failure;
      }),
    );
    return answer;
  }

  #getResource(args: ValueMap): InvokeResponse {
    const urn = String(args.urn);
    const found = this.#options.registrar.lookup(urn);
    if (found === undefined) throw new Error(`unknown resource ${urn}`);
    return { result: { urn, id: found.id, provider: found.provider, state: found.outputs }, failures: [] };
  }
}
