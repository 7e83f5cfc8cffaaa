/** The plugin's server, on a port that the engine learns from standard output. */
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Session } from "../provider/session/session";
import { EngineLog } from "./engine-log";
import { createService } from "./service";

interface PluginServer {
  port: number;
  stop(): void;
}

export interface ServerOptions {
  /** Where the engine listens, `host:port`. */
  engine?: string | undefined;
  /** Options of the session. */
  session?: ConstructorParameters<typeof Session>[0];
}

export async function startServer({ engine, session: options }: ServerOptions): Promise<PluginServer> {
  const log = new EngineLog(engine);
  const session = new Session({
    log: log.write,
    logWait: log.writeWait,
    ...(engine !== undefined && { engine }),
    ...options,
  });
  // Engines limit what they send.
  const server = new Server({ "grpc.max_receive_message_length": -1 });
  server.addService(ResourceProviderService as never, createService(session, log, options?.environment));
  const port = await new Promise<number>((resolve, reject) => {
    const done = (error: Error | null, bound: number) => (error === null ? resolve(bound) : reject(error));
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), done);
  });
  return {
    port,
    stop() {
      log.close();
      server.forceShutdown();
    },
  };
}
