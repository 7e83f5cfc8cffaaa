/**
 * Sends the events of a run to a gRPC server of Pulumi's protocol, such as the Automation API's.
 *
 * Used for: Events, the client's side.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import type { EventStream } from "../api";
import { CHANNEL_OPTIONS, findSdk } from "../plugin/node-sdk";

/**
 * @param address `host:port` of the server
 * @param sdkFolder whose @pulumi/pulumi is used to reach it
 * @param elsewhere the same, if that folder has none
 */
export function openEventStream(address: string, sdkFolder: string, elsewhere: string): EventStream {
  const { directory } = findSdk(sdkFolder, elsewhere);
  const require = createRequire(join(directory, "index.js"));
  const { EventsClient } = require(join(directory, "proto", "events_grpc_pb.js"));
  const { EventRequest } = require(join(directory, "proto", "events_pb.js"));
  const client = new EventsClient(address, require("@grpc/grpc-js").credentials.createInsecure(), CHANNEL_OPTIONS);
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  // The run continues when the reader disconnects.
  const call = client.streamEvents(() => finish());
  call.on("error", () => undefined);
  return {
    send(line) {
      const request = new EventRequest();
      request.setEvent(line);
      call.write(request);
    },
    async close() {
      call.end();
      await finished;
      client.close();
    },
  };
}
