/**
 * Programs and providers in processes that are used again, in the place of a new one for each: to start Node and to load the
 * SDK takes many times as long as what they do in most tests. How real ones start and end is for the tests of that.
 */
import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { afterAll } from "vitest";
import type { startNode } from "../../engine/plugin/node-process";

type Message = { stream: "stdout" | "stderr"; text: string } | { code: number };

/** By what they run: what a provider leaves behind would keep a program from its end. */
const idle = new Map<string, ChildProcess[]>();
const all: ChildProcess[] = [];
afterAll(async () => {
  for (const child of all)
    if (child.connected) await new Promise((resolve) => child.once("exit", resolve).kill("SIGKILL"));
});

function start(): ChildProcess {
  const child = fork(path.join(__dirname, "warm-process.cjs"), { stdio: "inherit", execArgv: [] });
  all.push(child);
  return child;
}

/** In the place of the engine's own. */
export const startWarm: typeof startNode = ({ arguments: given, cwd, env, onLine }) => {
  const [script = "", ...args] = given;
  const free = idle.get(script) ?? [];
  idle.set(script, free);
  const child = free.pop() ?? start();
  let end: (result: { code: number | null; signal: null }) => void;
  const ended = new Promise<{ code: number | null; signal: null }>((resolve) => {
    end = (result) => {
      // Once: the process may be another's already.
      end = () => undefined;
      child.removeAllListeners();
      if (child.connected) free.push(child);
      resolve(result);
    };
  });
  child.on("message", (message: Message) => {
    if ("code" in message) end({ code: message.code, signal: null });
    else for (const line of message.text.replace(/\n$/, "").split("\n")) onLine(line, message.stream);
  });
  child.once("exit", (code) => end({ code, signal: null }));
  child.send({ script, args, cwd, env });
  return { pid: child.pid as number, ended, kill: () => end({ code: null, signal: null }) };
};
