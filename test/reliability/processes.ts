/** The processes that a run has started: to kill one of them, and to see that none is left. */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

interface Process {
  pid: number;
  parent: number;
  command: string;
}

async function all(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,stat=,args="]);
  return stdout
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      return pid === undefined || state!.startsWith("Z") ? [] : [{ pid: +pid, parent: +parent!, command: command! }];
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
  provider: /dynamic-provider/,
} as const;
export type Victim = keyof typeof victims;

/** Kills one part of a run. False when there is none at this moment. */
export async function kill(pid: number, victim: Victim): Promise<boolean> {
  const found = (await family(pid)).find(({ command }) => victims[victim].test(command));
  if (found === undefined) return false;
  process.kill(found.pid, "SIGKILL");
  return true;
}

/** Those that are still there after a moment. */
export async function survivors(family: readonly Process[]): Promise<Process[]> {
  let left: Process[] = [];
  for (let tries = 0; tries < 40; tries++) {
    const now = new Map((await all()).map((one) => [one.pid, one.command]));
    left = family.filter(({ pid, command }) => now.get(pid) === command);
    if (left.length === 0) return [];
    await sleep(100);
  }
  return left;
}
