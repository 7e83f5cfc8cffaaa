/**
 * The processes that the engine starts, most of them Node programs: they end when the engine does, and their output comes line by line.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { atExit } from "../../fs/at-exit";
import { withLocalNoProxy } from "../loopback";
import { preloadArguments } from "../preloads";

export interface ChildHandle {
  readonly pid: number;
  /** Resolves when the process has ended and all its output was delivered. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(): void;
}

export interface ProcessOptions {
  arguments: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  onLine: (line: string, stream: "stdout" | "stderr") => void;
}

export interface NodeOptions extends ProcessOptions {
  /** Use the preloads for a fast start, which were tested with the SDK. */
  isTested: boolean;
  nodeArguments?: string[];
}

export const startNode = ({ isTested, nodeArguments = [], ...options }: NodeOptions): ChildHandle =>
  startProcess(process.execPath, {
    ...options,
    arguments: [
      ...preloadArguments("watchdog", ...(isTested ? ["lazy-sdk-modules"] : [])),
      ...nodeArguments,
      ...options.arguments,
    ],
  });

/** @param command an executable; on Windows also a script (.cmd) */
export function startProcess(command: string, options: ProcessOptions): ChildHandle {
  const child: ChildProcess = spawn(command, options.arguments, {
    cwd: options.cwd,
    env: { ...withLocalNoProxy(options.env), ENGINE_PIPE: "3" },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    // A terminal sends Ctrl-C to the whole process group. A process in a group of its own does not get it, so that the engine
    // decides: operations in progress must be able to finish. (On Windows a new group would open a window.)
    detached: process.platform !== "win32",
    shell: command.endsWith(".cmd"),
  });
  const drained = forwardLines(child, options.onLine);
  // The engine never writes to the watchdog's pipe, which closes when the child ends.
  child.stdio[3]?.on("error", () => undefined);
  const ended = endOf(child, drained);
  ended.catch(() => undefined);
  const kill = (): void => killGroup(child);
  // The engine also kills it on exit: a process that computes without a pause does not notice the closed pipe.
  child.once("close", atExit(kill));
  return { pid: child.pid ?? 0, ended, kill };
}

/** Delivers each line of output; resolves at its end. */
async function forwardLines(
  child: ChildProcess,
  onLine: (line: string, stream: "stdout" | "stderr") => void,
): Promise<void> {
  const drained: Promise<void>[] = [];
  for (const stream of ["stdout", "stderr"] as const) {
    const readable = child[stream];
    if (readable === null) continue;
    const lines = createInterface({ input: readable, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on("line", (line) => onLine(line, stream));
    drained.push(new Promise((done) => lines.once("close", done)));
  }
  await Promise.all(drained);
}

function endOf(child: ChildProcess, drained: Promise<void>): ChildHandle["ended"] {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      // A process that the child started may keep the pipes open: the engine waits only a moment for further output.
      const patience = new Promise<void>((done) => setTimeout(done, 500).unref());
      void Promise.race([drained, patience]).then(() => {
        // The open pipes do not keep the engine's process alive.
        for (const stream of child.stdio) stream?.destroy();
        resolve({ code, signal });
      });
    });
  });
}

/** Ends a process and its group, which contains the processes that it has started. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // There are no groups on Windows.
    child.kill("SIGKILL");
  }
}
