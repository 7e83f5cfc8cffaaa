/**
 * The SDK reports each response that it gets to the engine, as a debug message with secrets in clear, and the Pulumi CLI
 * prints those with `--debug`, and with `--json` always. A company's key is in such a response: a message that contains a
 * secret is truncated.
 */
import { SECRET } from "../core/pulumi-values";

interface Log {
  debug(message: string, ...rest: never[]): Promise<void>;
}

/** Removes responses with secrets from the debug messages of an SDK. */
export function redactDebugLog(log: Log): void {
  const { debug } = log;
  log.debug = (message, ...rest) => debug(message.includes(SECRET) ? withoutResponse(message) : message, ...rest);
}

/** `RegisterResource RPC finished: firm; err: null, resp: …` */
function withoutResponse(message: string): string {
  return `${message.split(", resp: ", 1)[0]!.split(SECRET, 1)[0]}, resp: [secret]`;
}
