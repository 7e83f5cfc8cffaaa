/** The processes that a run has started: to kill one of them, and to see that none is left. */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

export interface Process {
  pid: number;
  parent: number;
  /** The first process of its session: also when its parent is gone. */
  session: number;
  command: string;
}

async function all(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,sess=,stat=,args="]);
  return stdout
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, session, state, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      if (pid === undefined || state!.startsWith("Z")) return [];
      return [{ pid: +pid, parent: +parent!, session: +session!, command: command! }];
    });
}

/** All below one, and itself. */
export async function family(pid: number): Promise<Process[]> {
  const list = await all();
  const below = (one: number): Process[] =>
    list.filter(({ parent }) => parent === one).flatMap((child) => [child, ...below(child.pid)]);
  return [...list.filter((one) => one.pid === pid), ...below(pid)];
}

/** The parts of a run that can die. */
export const victims = {
  engine: /cli\/main\.js|pulumi (up|destroy|refresh)/,
  program: /cmd\/run(-policy-pack)?(\/|\s|$)/,
  provider: /dynamic-provider|\/plugin(\/bin(\/index\.js)?)? 127\.0\.0\.1:/,
} as const;
export type Victim = keyof typeof victims;

/** Kills one part of a run. False when there is none at this moment. */
export async function kill(pid: number, victim: Victim): Promise<boolean> {
  const found = (await family(pid)).find(({ command }) => victims[victim].test(command));
  if (found === undefined) return false;
  return send(found.pid, "SIGKILL");
}

/** Sends a signal. False when the process is gone. */
export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/**
 * Those of a family, and of the session of its first, that are still there when those that have to end have ended, or had the
 * time to.
 */
export async function survivors(family: readonly Process[], hasToEnd: (one: Process) => boolean): Promise<Process[]> {
  const commands = new Map(family.map((one) => [one.pid, one.command]));
  let left: Process[] = [];
  for (let tries = 0; tries < 300; tries++) {
    left = (await all()).filter((one) => one.session === family[0]?.pid || commands.get(one.pid) === one.command);
    if (!left.some(hasToEnd)) break;
    await sleep(100);
  }
  return left;
}
