/** Plugins: processes that listen for the engine's calls and print their port as their first line. */
import { Deferred } from "../deferred";
import { messageOf } from "../errors";
import { type ChildHandle, type NodeOptions, type ProcessOptions, startNode, startProcess } from "./node-process";

/** A process that is running or starting. */
export interface PluginProcess {
  address: Promise<string>;
  child: ChildHandle;
}

/** @param name its description in errors, such as "the provider process" */
export const startNodePlugin = (name: string, options: NodeOptions): PluginProcess =>
  listen(name, options, (following) => startNode({ ...options, ...following }));

/** The same for an executable. */
export const startPlugin = (name: string, command: string, options: ProcessOptions): PluginProcess =>
  listen(name, options, (following) => startProcess(command, { ...options, ...following }));

function listen(
  name: string,
  options: ProcessOptions,
  start: (following: Pick<ProcessOptions, "onLine">) => ChildHandle,
): PluginProcess {
  const address = new Deferred<string>();
  address.promise.catch(() => undefined);
  let first = true;
  const child = start({
    onLine(line, stream) {
      if (first && stream === "stdout" && /^\d+$/.test(line.trim())) {
        first = false;
        address.resolve(`127.0.0.1:${line.trim()}`);
      } else options.onLine(line, stream);
    },
  });
  child.ended.then(
    ({ code, signal }) => address.reject(new Error(`${name} ended before it was ready (${signal ?? code})`)),
    (error: unknown) => address.reject(new Error(`${name} could not be started: ${messageOf(error)}`)),
  );
  return { address: address.promise, child };
}
