/**
 * Ends the process of the provider with the engine that started it. The Pulumi CLI's plugins outlive a CLI that was
 * killed, and the creations that wait for their turn in one would be sent while the next `up` makes the same objects.
 */
import { connect } from "node:net";

/** How long after the end of a connection another one is tried, in milliseconds. */
const PAUSE = 200;

/** Where the engine listens, on this machine. */
export interface EngineAddress {
  host: string;
  port: number;
}

/** The engine's address on the command line of the SDK's provider process; undefined in any other process. */
export function engineAddress(argv: readonly string[]): EngineAddress | undefined {
  const [, script = "", ...args] = argv;
  if (!/[\\/]dynamic-provider([\\/]|$)/.test(script)) return undefined;
  const found = args.map((arg) => /^(127\.0\.0\.1|localhost):(\d+)$/.exec(arg)).find((match) => match !== null);
  return found ? { host: found[1] as string, port: Number(found[2]) } : undefined;
}

/**
 * Holds a connection to the engine. When it ends, and another one is refused, nobody listens there any more: then `gone`
 * is called, once. Any other trouble is no reason to end.
 */
export function watchEngine(address: EngineAddress, gone: () => void): void {
  const socket = connect(address);
  let refused = false;
  socket.on("error", (error: NodeJS.ErrnoException) => {
    refused = error.code === "ECONNREFUSED";
  });
  socket.once("close", () => {
    if (refused) gone();
    else setTimeout(watchEngine, PAUSE, address, gone).unref();
  });
  // What the engine says is not for us, but who does not read does not see the end.
  socket.resume();
  // Never the reason that a process stays.
  socket.unref();
}
