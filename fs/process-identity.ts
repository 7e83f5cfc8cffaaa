/**
 * Identifies the process that owns a lock, and tells whether it has ended. A process id alone is not enough: ids are reused,
 * at once in a restarted container, and each container has its own.
 */
import { readFileSync, readlinkSync } from "node:fs";

/** Distinguishes a process from others with the same id. Available on Linux only. */
export interface ProcessIdentity {
  /** Id of the machine's boot. */
  boot: string;
  /** The process id namespace: each container has its own. */
  namespace: string;
  /** When the process was started, in clock ticks since boot. */
  started: string;
}

export interface ProcessReference {
  pid: number;
  life?: ProcessIdentity | undefined;
}

/** This process. Read once: each object that is created has its record. */
export function currentProcess(): ProcessReference {
  ownLife ??= identityOf(process.pid);
  return { pid: process.pid, life: ownLife };
}
let ownLife: ProcessIdentity | undefined;

/**
 * Whether the process has ended; undefined where that cannot be known: for a process in another container on this machine, and where
 * this process cannot tell in which one it is.
 */
export function hasEnded({ pid, life }: ProcessReference): boolean | undefined {
  const here = life && identityOf(process.pid);
  if (life !== undefined && here === undefined) return undefined;
  const isSameBoot = here !== undefined && here.boot === life?.boot;
  if (isSameBoot && here.namespace !== life?.namespace) return undefined;
  if (!isAlive(pid)) return true;
  const now = isSameBoot ? identityOf(pid) : undefined;
  return now !== undefined && now.started !== life?.started;
}

/** True for a text that names a process that has ended; false for one that cannot be read, or is just being written. */
export const namesEndedProcess = (read: () => string | undefined): boolean => endedIn(read) === true;

/** True for a text that names a process that is surely running. */
export const namesLiveProcess = (read: () => string | undefined): boolean => endedIn(read) === false;

/** Whether the process of a text has ended; undefined where that cannot be known. */
function endedIn(read: () => string | undefined): boolean | undefined {
  try {
    return hasEnded(JSON.parse(read() ?? ""));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is alive, and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isZombie(pid);
}

/** True for a process that has ended and whose parent does not know yet: in a container without an init, it never does. */
const isZombie = (pid: number): boolean => ["Z", "X"].includes(statusOf(pid)?.[0] ?? "");

/** The identity of a process in this one's namespace. Its own it knows, too, where /proc has the numbers of an outer namespace. */
function identityOf(pid: number): ProcessIdentity | undefined {
  const status = pid === process.pid ? statusIn("self") : statusOf(pid);
  if (status === undefined) return undefined;
  try {
    return {
      boot: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
      namespace: readlinkSync("/proc/self/ns/pid"),
      started: status[19]!,
    };
  } catch {
    return undefined;
  }
}

/** The fields of /proc/PID/stat from the third one on, which is the state. */
function statusOf(pid: number): string[] | undefined {
  try {
    // Otherwise these are the ids of an outer namespace.
    return readlinkSync("/proc/self") === String(process.pid) ? statusIn(pid) : undefined;
  } catch {
    return undefined;
  }
}

function statusIn(folder: number | "self"): string[] | undefined {
  try {
    // The name in parentheses may contain spaces and parentheses.
    return readFileSync(`/proc/${folder}/stat`, "utf8").split(") ").pop()!.split(" ");
  } catch {
    return undefined;
  }
}
