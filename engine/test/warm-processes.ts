/**
 * Programs and providers in processes that are used again, in the place of a new one for each: to start Node and to load the
 * SDK takes many times as long as what they do in most tests. How real ones start and end is for the tests of that.
 */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

type Preloads = typeof import("../preloads");
type Loopback = typeof import("../loopback");
type Processes = typeof import("../plugin/node-process");
type Start = Processes["startNode"];
type Message = { stream: "stdout" | "stderr"; text: string } | { code: number } | { isIdle: true };

/** By what they run and how: what a provider leaves behind would keep a program from its end. They end with this process. */
const idle = new Map<string, ChildProcess[]>();

/** Plugins and policy packs have a process each. Node reads these variables when it starts, and keeps modules that were imported for good; a system refuses long values. */
const needsNew = (script: string, folder: string, env: NodeJS.ProcessEnv): boolean => {
  if (!["run", "dynamic-provider"].includes(path.basename(script))) return true;
  if (["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"].some((name) => env[name] && env[name] !== process.env[name])) return true;
  if (Object.values(env).some((value = "") => value.length > 100_000)) return true;
  const manifest = path.join(folder, "package.json");
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).type === "module";
};

const isAlive = ({ connected, exitCode, signalCode }: ChildProcess): boolean =>
  connected && exitCode === null && signalCode === null;

/** In the place of the engine's own. */
export const startWarm =
  ({ startNode: startNew }: Processes, { preloadArguments }: Preloads, { withLocalNoProxy }: Loopback): Start =>
  (options) => {
    const { nodeArguments = [], cwd, env, onLine } = options;
    const [script = "", ...args] = options.arguments;
    if (needsNew(script, cwd, env)) return startNew(options);
    const kind = [...nodeArguments, script].join(" ");
    const free = (idle.get(kind) ?? []).filter(isAlive);
    idle.set(kind, free);
    const child = free.pop() ?? fork(path.join(__dirname, "warm-process.cjs"), { execArgv: nodeArguments });
    let end: (result: { code: number | null; signal: NodeJS.Signals | null }) => void;
    const ended = new Promise<Parameters<typeof end>[0]>((resolve) => {
      end = (result) => {
        // Once: the process may be another's already.
        end = () => undefined;
        child.removeAllListeners();
        resolve(result);
        // One that ends at this moment is not used again: its channel is closed by then.
        if (!isAlive(child)) return;
        child.send({}, () => undefined);
        // A program that goes on without its engine is not waited for.
        const timeout = setTimeout(() => child.kill("SIGKILL"), 5000).unref();
        child.on("message", (message: Message) => {
          if (!("isIdle" in message)) return;
          clearTimeout(timeout);
          child.removeAllListeners();
          idle.get(kind)?.push(child);
        });
      };
    });
    child.on("message", (message: Message) => {
      if ("code" in message) end({ code: message.code, signal: null });
      else if ("text" in message)
        for (const line of message.text.replace(/\n$/, "").split("\n")) onLine(line, message.stream);
    });
    child.once("exit", (code, signal) => end({ code, signal }));
    // This one looks at the command line for where the SDK is.
    const [, ...preload] = options.isTested ? preloadArguments("lazy-sdk-modules") : [];
    child.send({ script, preload, args, cwd, env: withLocalNoProxy(env) });
    const kill = () => end({ code: null, signal: script.endsWith("run") ? "SIGKILL" : null });
    return { pid: child.pid as number, ended, kill };
  };

const builtFolder = path.join(__dirname, "../../dist/.modules");
let isPatched = false;

/** The key of a new stack takes a third of a second: here all stacks with one passphrase have the salt, and so the key, of the first. */
export function oncePerPassphrase<T>(create: (passphrase: string) => Promise<T>) {
  const created = new Map<string, Promise<T>>();
  return (passphrase: string): Promise<T> => {
    const crypter = created.get(passphrase) ?? create(passphrase);
    created.set(passphrase, crypter);
    return crypter;
  };
}

/** A compiled module, whose engine uses these processes when it runs in this one. */
export function requireWarm(name: string) {
  const require = createRequire(path.join(builtFolder, "any.js"));
  if (!isPatched) {
    const processes = require("./engine/plugin/node-process.js");
    processes.startNode = startWarm({ ...processes }, require("./engine/preloads.js"), require("./engine/loopback.js"));
    const { Crypter } = require("./engine/secrets/crypter.js");
    Crypter.create = oncePerPassphrase(Crypter.create);
    isPatched = true;
  }
  return require(`./${name}.js`);
}

/** The built engine with these processes. */
export const openProject: typeof import("../index")["openProject"] = (options) =>
  requireWarm("engine/index").openProject(options);
