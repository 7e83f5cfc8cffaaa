/** Where the Automation API reads the events of a run: a file, or a server of its own. */
import { closeSync, openSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { EngineEvent } from "../../engine/index";
import { CHANNEL_OPTIONS, findSdk } from "../../engine/plugin/node-sdk";
import { toLoggedEvents } from "./logged-events";

export interface EventLog {
  write(event: EngineEvent): void;
  /** Resolves when everything has arrived. */
  close(): Promise<void>;
}

interface Sink {
  send(line: string): void;
  close(): Promise<void>;
}

/** @param sdkFolders folders whose @pulumi/pulumi is used to reach a server; the first that has one */
export async function openEventLog(place: string, sdkFolders: readonly [string, string]): Promise<EventLog> {
  const sink = place.startsWith("tcp://") ? openStream(place.slice("tcp://".length), sdkFolders) : openFile(place);
  const convert = toLoggedEvents();
  let sequence = 0;
  const send = (event: object): void =>
    sink.send(JSON.stringify({ sequence: sequence++, timestamp: Math.floor(Date.now() / 1000), ...event }));
  return {
    write: (event) => convert(event).forEach(send),
    async close() {
      send({ cancelEvent: {} });
      await sink.close();
    },
  };
}

function openFile(path: string): Sink {
  const file = openSync(path, "a", 0o600);
  return {
    send: (line) => void writeSync(file, `${line}\n`),
    close: async () => closeSync(file),
  };
}

function openStream(address: string, [first, second]: readonly [string, string]): Sink {
  const { directory } = findSdk(first, second);
  const require = createRequire(join(directory, "index.js"));
  const { EventsClient } = require(join(directory, "proto", "events_grpc_pb.js"));
  const { EventRequest } = require(join(directory, "proto", "events_pb.js"));
  const client = new EventsClient(address, require("@grpc/grpc-js").credentials.createInsecure(), CHANNEL_OPTIONS);
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  // A reader that has gone does not stop a run.
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
