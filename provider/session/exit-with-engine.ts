/**
 * Ends the provider's process together with the engine that started it. The Pulumi CLI's plugins outlive a CLI that was
 * killed, and creates that wait in one would be sent while the next `up` creates the same objects.
 */
import { connect } from "node:net";
import { reconnectPause } from "../core/time-limits";

/** Where the engine listens, on this machine. */
export interface EngineAddress {
  host: string;
  port: number;
}

/** The engine's address on the command line of the SDK's provider process; undefined in any other process. */
export function engineAddress(argv: readonly string[]): EngineAddress | undefined {
  const [, script = "", ...args] = argv;
  if (!/[\\/]dynamic-provider([\\/]|$)/.test(script)) return undefined;
  return args.map(parseEngineAddress).find((each) => each !== undefined);
}

/** The address in a text such as `127.0.0.1:4000`; undefined where the engine is on no port of this machine. */
export function parseEngineAddress(text: string | undefined): EngineAddress | undefined {
  const match = /^(127\.0\.0\.1|localhost):(\d+)$/.exec(text ?? "");
  return match ? { host: match[1] as string, port: Number(match[2]) } : undefined;
}

/**
 * Holds a connection to the engine. When it ends and another one is refused, the engine is gone: then `onExit` is called,
 * once. No other error is a reason to end.
 */
export function watchEngine(address: EngineAddress, onExit: () => void): void {
  const socket = connect(address);
  let isRefused = false;
  socket.on("error", (error: NodeJS.ErrnoException) => {
    isRefused = error.code === "ECONNREFUSED";
  });
  socket.once("close", () => {
    if (isRefused) onExit();
    else setTimeout(watchEngine, reconnectPause, address, onExit).unref();
  });
  // Its data does not matter, but without reading, the end is not noticed.
  socket.resume();
  // Never the reason that a process stays.
  socket.unref();
}
