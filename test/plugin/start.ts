/** A plugin's server in this process, configured, and a monitor for its notices. */
import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { onTestFinished } from "vitest";
import { startServer } from "../../plugin/server";
import type { Properties } from "../../provider/core/pulumi-values";
import { temporaryFolder } from "../files";
import { virtualClock } from "../virtual-clock";
import { type Answer, PluginClient } from "./client";

export interface StartedPlugin extends PluginClient<ResourceProviderClient> {
  /** What the engine would show, and under which resource. */
  notices: Notice[];
}

export interface Notice {
  urn: string;
  message: string;
  /** Shown only while it lasts. */
  isEphemeral?: true;
}

/** What an engine offers to plugins: it takes their notices. It ends with the test, or as `atEnd` says. */
export async function startEngine(
  atEnd: (end: () => void) => void = onTestFinished,
): Promise<{ address: string; notices: StartedPlugin["notices"] }> {
  const notices: StartedPlugin["notices"] = [];
  const engine = new Server();
  engine.addService(EngineService as never, {
    log: ({ request }: { request: LogRequest }, answer: Answer<Empty>) => {
      const isEphemeral = request.getEphemeral() && { isEphemeral: true as const };
      notices.push({ urn: request.getUrn(), message: request.getMessage(), ...isEphemeral });
      answer(null, new Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    const done = (error: Error | null, bound: number) => (error ? reject(error) : resolve(bound));
    engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), done);
  });
  atEnd(() => engine.forceShutdown());
  return { address: `127.0.0.1:${port}`, notices };
}

export async function startPlugin(settings: Properties, directory = temporaryFolder()): Promise<StartedPlugin> {
  const { address, notices } = await startEngine();
  const server = await startServer({
    engine: address,
    session: { directory, temporary: directory, environment: {}, clock: virtualClock },
  });
  const client = new ResourceProviderClient(`127.0.0.1:${server.port}`, credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
  });
  onTestFinished(() => {
    client.close();
    server.stop();
  });
  const plugin = Object.assign(new PluginClient(client), { notices });
  await plugin.configure(settings);
  return plugin;
}
