/**
 * The process of a provider and the calls to it, as messages.
 *
 * Used for: ResourceProvider, the client's side.
 */
import type { ValueMap } from "../resource/property-value";
import { InitError, OutcomeUnknown } from "../resource/provider-interface";
import { CHANNEL_OPTIONS, type Message, type Sdk } from "./node-sdk";
import type { PluginProcess } from "./plugin-process";

export class ProviderConnection {
  #process: PluginProcess | undefined;
  #client: Promise<Message> | undefined;

  readonly #start: () => Promise<PluginProcess>;

  /** @param start starts the process, with the first call */
  constructor(
    readonly sdk: Sdk,
    start: () => Promise<PluginProcess>,
  ) {
    this.#start = start;
  }

  /** Rejects with {@link InitError}, {@link OutcomeUnknown}, or the provider's error. */
  async call(method: string, request: Message): Promise<Message> {
    this.#client ??= this.#connect();
    const client = await this.#client;
    return new Promise((resolve, reject) => {
      client[method](request, (error: GrpcError | null, answer: unknown) =>
        error ? reject(this.#failure(error)) : resolve(answer),
      );
    });
  }

  async #connect(): Promise<Message> {
    this.#process = await this.#start();
    const address = await this.#process.address;
    const { providerClient, grpc } = this.sdk;
    return new providerClient.ResourceProviderClient(address, grpc.credentials.createInsecure(), CHANNEL_OPTIONS);
  }

  /** Converts a gRPC error to its message and the partial result that it may contain. */
  #failure(error: GrpcError): Error {
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
    const { UNAVAILABLE, UNIMPLEMENTED } = this.sdk.grpc.status;
    if (error.code === UNIMPLEMENTED) return new NotImplemented(error.details || error.message);
    if (error.code === UNAVAILABLE)
      return new OutcomeUnknown(
        "the provider's process ended before it answered; whether this took place is not known",
      );
    return new Error(error.details || error.message);
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    client?.close();
    this.#process?.child.kill();
    await this.#process?.child.ended.catch(() => undefined);
  }
}

/** The provider does not have the method. */
export class NotImplemented extends Error {}

interface GrpcError {
  code?: number;
  message: string;
  details: string;
  metadata?: { get?(key: string): unknown[] };
}
