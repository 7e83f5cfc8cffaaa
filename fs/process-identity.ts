/**
 * Which process holds a file for itself, and whether it has ended. A number alone does not tell: it comes again, seldom on a
 * machine, at once in a container that is started again, and in another container it is somebody else's.
 */
import { readFileSync, readlinkSync } from "node:fs";

/** What tells a process from others that have, or will have, its number. Only Linux says so. */
export interface Life {
  /** This start of the machine. */
  boot: string;
  /** Within which numbers are given: each container has its own. */
  namespace: string;
  /** When the process was started, in the system's ticks since the machine was. */
  started: string;
}

export interface Holder {
  pid: number;
  life?: Life | undefined;
}

/** This process. */
export const holder = (): Holder => ({ pid: process.pid, life: lifeOf(process.pid) });

/** Whether the process has ended; undefined of one in another container on this machine, of which that is not known. */
export function hasEnded({ pid, life }: Holder): boolean | undefined {
  const here = life && lifeOf(process.pid);
  const isSameBoot = here !== undefined && here.boot === life?.boot;
  if (isSameBoot && here.namespace !== life?.namespace) return undefined;
  if (!isAlive(pid)) return true;
  const now = isSameBoot ? lifeOf(pid) : undefined;
  return now !== undefined && now.started !== life?.started;
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and is somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Of a process in this one's namespace. */
function lifeOf(pid: number): Life | undefined {
  try {
    // Else these are the numbers of a namespace around this one.
    if (readlinkSync("/proc/self") !== String(process.pid)) return undefined;
    // The name in brackets may have spaces and brackets of its own.
    const afterName = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()!.split(" ");
    return {
      boot: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
      namespace: readlinkSync("/proc/self/ns/pid"),
      started: afterName[19]!,
    };
  } catch {
    return undefined;
  }
}
