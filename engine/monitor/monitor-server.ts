/**
 * The server of the engine: program and providers connect to it.
 *
 * Used for: the address in their arguments.
 */
import { CHANNEL_OPTIONS, type Message, type Sdk } from "../plugin/node-sdk";

/** How many requests of the program are taken in at once: more than are ever announced, so that none is missing. */
const CONCURRENT_REQUESTS = 64;

export interface MonitorServer {
  address: string;
  /** Handlers of a gRPC service; there may be none yet when the first provider connects. */
  addService: (definition: Message, handlers: Record<string, unknown>) => void;
  close: () => void;
}

/** Starts a server; resolves when it listens. */
export async function listen(sdk: Sdk): Promise<MonitorServer> {
  // A program registers thousands of resources at once; those that wait for their turn do so in its memory, not here.
  // Nothing that is accepted ever waits for something that is not.
  const server = new sdk.grpc.Server({ ...CHANNEL_OPTIONS, "grpc.max_concurrent_streams": CONCURRENT_REQUESTS });
  const credentials = sdk.grpc.ServerCredentials.createInsecure();
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", credentials, (error: Error | null, bound: number) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return {
    address: `127.0.0.1:${port}`,
    addService: (definition, handlers) => server.addService(definition, handlers),
    close: () => server.forceShutdown(),
  };
}
