/**
 * A dynamic provider: one process (`cmd/dynamic-provider`), spoken to by gRPC. It knows neither secrets nor
 * references: it gets plain values, and what it answers is marked as secret again where the question was.
 *
 * Serves: ResourceProvider, the client's side.
 */

import {
  annotateSecrets,
  containsUnknown,
  restoreAssetContents,
  toProviderInputs,
  toProviderState,
  unwrapSecrets,
  type ValueMap,
} from "../resource/property-value";
import {
  type CheckFailure,
  type DiffResponse,
  DiffUnavailable,
  InitError,
  OutcomeUnknown,
  type Provider,
} from "../resource/provider";
import { CHANNEL_OPTIONS, type Sdk } from "./node-sdk";
import { type PluginProcess, startPlugin } from "./plugin-process";

export interface ProviderEnvironment {
  sdk: Sdk;
  project: string;
  programDirectory: string;
  env: NodeJS.ProcessEnv;
  /** The address of the engine's own services. */
  engineAddress: Promise<string>;
  onLine: (line: string, stream: "stdout" | "stderr") => void;
}

/** Starts the process. */
export async function startProviderProcess(e: ProviderEnvironment): Promise<PluginProcess> {
  return startPlugin("the provider process", {
    isTested: e.sdk.isTested,
    arguments: [e.sdk.dynamicProviderPath, await e.engineAddress],
    cwd: e.programDirectory,
    env: { ...e.env, PULUMI_NODEJS_PROJECT: e.project, PULUMI_PROJECT: e.project },
    onLine: e.onLine,
  });
}

export class DynamicProvider implements Provider {
  // biome-ignore lint/suspicious/noExplicitAny: generated client, see node-sdk.ts
  private client: any;
  private ready: Promise<void> | undefined;
  private process: PluginProcess | undefined;
  readonly isConfigured: boolean;

  constructor(
    private readonly sdk: Sdk,
    private readonly start: () => Promise<PluginProcess>,
    private readonly config: ValueMap,
  ) {
    this.isConfigured = !containsUnknown(config);
  }

  /** Starts and configures the process, once. */
  private connect(): Promise<void> {
    this.ready ??= (async () => {
      this.process = await this.start();
      const address = await this.process.address;
      this.client = new this.sdk.providerClient.ResourceProviderClient(
        address,
        this.sdk.grpc.credentials.createInsecure(),
        CHANNEL_OPTIONS,
      );
      const request = new this.sdk.provider.ConfigureRequest();
      request.setAcceptsecrets(true);
      request.setAcceptresources(true);
      request.setSendsOldInputs(true);
      request.setSendsOldInputsToDelete(true);
      const plain = unwrapSecrets(this.config);
      for (const [k, v] of Object.entries(plain))
        request.getVariablesMap().set(`pulumi-nodejs:config:${k}`, typeof v === "string" ? v : JSON.stringify(v));
      request.setArgs(this.struct(this.config));
      await this.call("configure", request);
    })();
    return this.ready;
  }

  private struct(m: ValueMap): unknown {
    return this.sdk.struct.Struct.fromJavaScript(m);
  }

  // biome-ignore lint/suspicious/noExplicitAny: generated messages, see node-sdk.ts
  private call(method: string, request: unknown): Promise<any> {
    return new Promise((resolve, reject) => {
      this.client[method](request, (error: GrpcError | null, answer: unknown) =>
        error ? reject(this.failure(error)) : resolve(answer),
      );
    });
  }

  /** Turns a gRPC error into what it says, with the partial result it may carry. */
  private failure(error: GrpcError): Error {
    const details = error.metadata?.get?.("grpc-status-details-bin")[0];
    if (details !== undefined) {
      const status = this.sdk.status.Status.deserializeBinary(new Uint8Array(details as Buffer));
      for (const any of status.getDetailsList()) {
        if (!any.getTypeUrl().endsWith("pulumirpc.ErrorResourceInitFailed")) continue;
        const partial = this.sdk.provider.ErrorResourceInitFailed.deserializeBinary(any.getValue_asU8());
        return new InitError(
          partial.getId(),
          (partial.getProperties()?.toJavaScript() ?? {}) as ValueMap,
          partial.getReasonsList(),
        );
      }
    }
    if (error.code === this.sdk.grpc.status.UNAVAILABLE)
      return new OutcomeUnknown(
        "the provider's process ended before it answered; whether this took place is not known",
      );
    return new Error(error.details || error.message);
  }

  async check(urn: string, olds: ValueMap, news: ValueMap) {
    if (!this.isConfigured) return { inputs: news, failures: [] };
    await this.connect();
    const request = new this.sdk.provider.CheckRequest();
    request.setUrn(urn);
    request.setOlds(this.struct(toProviderInputs(olds)));
    request.setNews(this.struct(toProviderInputs(news)));
    const answer = await this.call("check", request);
    const inputs = (answer.getInputs()?.toJavaScript() ?? {}) as ValueMap;
    const failures = answer.getFailuresList().map((f: { getProperty(): string; getReason(): string }) => ({
      property: f.getProperty(),
      reason: f.getReason(),
    })) as CheckFailure[];
    return { inputs: annotateSecrets(inputs, news), failures };
  }

  async diff(
    urn: string,
    id: string,
    oldInputs: ValueMap,
    oldOutputs: ValueMap,
    news: ValueMap,
    ignore: readonly string[],
  ) {
    if (!this.isConfigured)
      throw new DiffUnavailable(
        "the provider of this resource has inputs that are not known before they are made: the preview may not show what an update will do",
      );
    await this.connect();
    const request = new this.sdk.provider.DiffRequest();
    request.setId(id);
    request.setUrn(urn);
    request.setOldInputs(this.struct(toProviderState(oldInputs)));
    request.setOlds(this.struct(toProviderState(oldOutputs)));
    request.setNews(this.struct(toProviderState(news)));
    request.setIgnorechangesList([...ignore]);
    const answer = await this.call("diff", request);
    const kinds = this.sdk.provider.DiffResponse.DiffChanges;
    const changes = answer.getChanges();
    return {
      changes: changes === kinds.DIFF_SOME ? "some" : changes === kinds.DIFF_NONE ? "none" : "unknown",
      replaces: answer.getReplacesList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
    } satisfies DiffResponse;
  }

  async create(urn: string, news: ValueMap, timeout: number) {
    await this.connect();
    const request = new this.sdk.provider.CreateRequest();
    request.setUrn(urn);
    request.setProperties(this.struct(toProviderInputs(news)));
    request.setTimeout(timeout);
    const answer = await this.withSecretsMarked(this.call("create", request), news);
    if (answer.getId() === "") throw new Error("the provider answered the creation without an id");
    return { id: answer.getId() as string, outputs: annotateSecrets(propertiesOf(answer), news) };
  }

  async read(urn: string, id: string, inputs: ValueMap, state: ValueMap) {
    if (!this.isConfigured) return { id: "", outputs: {}, inputs: {} };
    await this.connect();
    const request = new this.sdk.provider.ReadRequest();
    request.setId(id);
    request.setUrn(urn);
    request.setInputs(this.struct(toProviderState(inputs)));
    request.setProperties(this.struct(toProviderState(state)));
    const answer = await this.withSecretsMarked(this.call("read", request), state);
    const live = answer.getInputs()?.toJavaScript() as ValueMap | undefined;
    return {
      id: answer.getId() as string,
      outputs: annotateSecrets(restoreAssetContents(propertiesOf(answer), state, inputs), state),
      inputs: live === undefined ? undefined : annotateSecrets(restoreAssetContents(live, inputs, state), inputs),
    };
  }

  async update(
    urn: string,
    id: string,
    old: { inputs: ValueMap; outputs: ValueMap },
    news: ValueMap,
    ignore: readonly string[],
    timeout: number,
  ) {
    await this.connect();
    const request = new this.sdk.provider.UpdateRequest();
    request.setId(id);
    request.setUrn(urn);
    request.setOldInputs(this.struct(toProviderState(old.inputs)));
    request.setOlds(this.struct(toProviderState(old.outputs)));
    request.setNews(this.struct(toProviderInputs(news)));
    request.setIgnorechangesList([...ignore]);
    request.setTimeout(timeout);
    const answer = await this.withSecretsMarked(this.call("update", request), news);
    return annotateSecrets(restoreAssetContents(propertiesOf(answer), news, old.outputs), news);
  }

  async delete(urn: string, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number) {
    await this.connect();
    const request = new this.sdk.provider.DeleteRequest();
    request.setId(id);
    request.setUrn(urn);
    request.setOldInputs(this.struct(toProviderState(inputs)));
    request.setProperties(this.struct(toProviderState(outputs)));
    request.setTimeout(timeout);
    await this.call("delete", request);
  }

  /** A partial result is marked like a whole one. */
  // biome-ignore lint/suspicious/noExplicitAny: generated messages, see node-sdk.ts
  private async withSecretsMarked(answer: Promise<any>, like: ValueMap): Promise<any> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof InitError)
        throw new InitError(
          error.id,
          annotateSecrets(restoreAssetContents(error.properties, like), like),
          error.reasons,
        );
      throw error;
    }
  }

  async close(): Promise<void> {
    this.client?.close();
    this.process?.child.kill();
    await this.process?.child.ended.catch(() => undefined);
  }
}

interface GrpcError {
  code?: number;
  message: string;
  details: string;
  metadata?: { get?(key: string): unknown[] };
}

const propertiesOf = (answer: { getProperties(): { toJavaScript(): unknown } | undefined }): ValueMap =>
  (answer.getProperties()?.toJavaScript() ?? {}) as ValueMap;
