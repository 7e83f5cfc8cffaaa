/** Where the Automation API reads the events of a run: a file, or a server of its own. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { EngineEvent, EventStream } from "../../engine/index";
import { toLoggedEvents } from "./logged-events";

interface EventLog {
  write(event: EngineEvent): void;
  /** Resolves when everything has arrived. */
  close(): Promise<void>;
}

/** @param sdkFolders folders whose @pulumi/pulumi is used to reach a server; the first that has one */
export async function openEventLog(place: string, sdkFolders: readonly [string, string]): Promise<EventLog> {
  const stream = place.startsWith("tcp://") ? place.slice("tcp://".length) : undefined;
  const sink = stream === undefined ? openFile(place) : await openStream(stream, sdkFolders);
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

async function openStream(address: string, [first, second]: readonly [string, string]): Promise<EventStream> {
  const { openEventStream } = await import("../../engine/index.js");
  return openEventStream(address, first, second);
}

function openFile(path: string): EventStream {
  const file = openSync(path, "a", 0o600);
  return {
    send: (line) => void writeSync(file, `${line}\n`),
    close: async () => closeSync(file),
  };
}
