/**
 * The server of the engine: program and providers connect to it.
 *
 * Used for: the address in their arguments.
 */
import { CHANNEL_OPTIONS, type Message, type Sdk } from "../plugin/node-sdk";

/** Maximum number of requests that the server accepts at once: more than the engine ever announces at once. */
const CONCURRENT_REQUESTS = 64;

export interface MonitorServer {
  address: string;
  /** Handlers of a gRPC service. There may be no handlers yet when the first provider connects. */
  addService: (definition: Message, handlers: Record<string, unknown>) => void;
  close: () => void;
}

/** Starts a server; resolves when it listens. */
export async function listen(sdk: Sdk): Promise<MonitorServer> {
  // A program may register thousands of resources at once; pending requests stay in the program's memory.
  // No deadlock: an accepted request never waits for one that is not accepted.
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
