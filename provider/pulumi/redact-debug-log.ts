/**
 * The SDK tells the engine of each answer that it gets, as a debug message with secrets in clear, and the Pulumi CLI prints
 * those with `--debug`, and with `--json` always. A company's key is in such an answer: what holds a secret loses its end.
 */
import { SECRET } from "../core/pulumi-values";

interface Log {
  debug(message: string, ...rest: never[]): Promise<void>;
}

/** Takes answers with secrets out of the debug messages of an SDK. */
export function redactDebugLog(log: Log): void {
  const { debug } = log;
  log.debug = (message, ...rest) => debug(message.includes(SECRET) ? withoutAnswer(message) : message, ...rest);
}

/** `RegisterResource RPC finished: firm; err: null, resp: …` */
function withoutAnswer(message: string): string {
  return `${message.split(", resp: ", 1)[0]!.split(SECRET, 1)[0]}, resp: [secret]`;
}
