/**
 * Programs and providers in processes that are used again, instead of a new process for each: starting Node and loading the
 * SDK takes many times as long as most programs in tests. Other tests cover how real processes start and end.
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

/** By what they run and how, since the leftovers of a provider would delay the exit of a program. They end with this process. */
const idle = new Map<string, ChildProcess[]>();

const isOfSdk = (script: string): boolean => ["run", "dynamic-provider"].includes(path.basename(script));

/** A policy pack has a process of its own. Node reads these variables when it starts, and keeps modules that were imported for good; a system refuses long values. */
const needsNew = (script: string, folder: string, env: NodeJS.ProcessEnv): boolean => {
  if (/[\\/]cmd[\\/]run-policy-pack[\\/]/.test(script)) return true;
  if (["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"].some((name) => env[name] && env[name] !== process.env[name])) return true;
  if (Object.values(env).some((value = "") => value.length > 100_000)) return true;
  const manifest = path.join(folder, "package.json");
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).type === "module";
};

const isAlive = ({ connected, exitCode, signalCode }: ChildProcess): boolean =>
  connected && exitCode === null && signalCode === null;

/** Replaces the engine's own function. */
export const startWarm =
  ({ startNode: startNew }: Processes, { preloadArguments }: Preloads, { withLocalNoProxy }: Loopback): Start =>
  (options) => {
    const { nodeArguments = [], cwd, env, onLine } = options;
    const [script = "", ...args] = options.arguments;
    if (needsNew(script, cwd, env)) return startNew(options);
    const kind = [...nodeArguments, isOfSdk(script) ? script : "plugin"].join(" ");
    const free = (idle.get(kind) ?? []).filter(isAlive);
    idle.set(kind, free);
    const child = free.pop() ?? fork(path.join(__dirname, "warm-process.cjs"), { execArgv: nodeArguments });
    let end: (result: { code: number | null; signal: NodeJS.Signals | null }) => void;
    const ended = new Promise<Parameters<typeof end>[0]>((resolve) => {
      end = (result) => {
        // Only once: another run may already use the process.
        end = () => undefined;
        child.removeAllListeners();
        resolve(result);
        // A process that is ending is not used again: its channel is already closed.
        if (!isAlive(child)) return;
        child.send({}, () => undefined);
        // Does not wait for a program that continues without its engine.
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
    // This preload reads the SDK's path from the command line.
    const [, ...preload] = options.isTested ? preloadArguments("lazy-sdk-modules") : [];
    child.send({ script, preload, args, cwd, env: withLocalNoProxy(env) });
    const kill = () => end({ code: null, signal: script.endsWith("run") ? "SIGKILL" : null });
    return { pid: child.pid as number, ended, kill };
  };

const builtFolder = path.join(__dirname, "../../dist/.modules");
let isPatched = false;

/** Deriving the key of a new stack takes a third of a second: here all stacks with one passphrase share the salt, and so the key, of the first. */
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
