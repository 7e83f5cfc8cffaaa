/** What tests leave in the folder for temporary files goes with them: they have one of their own. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const prefix = "esign-tests-";
/** Where Linux keeps files in memory. */
const memory = "/dev/shm";
/** A run leaves a tenth of it, beside the memory of its processes. */
const enough = 4 * 1024 ** 3;

const aDay = 24 * 3600_000;

/** Called for each project: one folder serves all, since some paths must be short, such as that of a browser's socket. */
export default function setup(): () => void {
  if (basename(tmpdir()).startsWith(prefix)) return () => {};
  const folder = create();
  process.env.TMPDIR = folder;
  // The key of this machine, for all processes: tests make none in the home folder.
  process.env.XDG_STATE_HOME = join(folder, "state");
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** In memory, where there is enough and no other folder is set: tests write thousands of small files, and a disk takes its time for each. */
function create(): string {
  if (process.env.TMPDIR === undefined && hasRoom()) {
    sweep();
    const folder = mkdtempSync(join(memory, prefix));
    if (canExecute(folder)) return folder;
    rmSync(folder, { recursive: true });
  }
  return mkdtempSync(join(tmpdir(), prefix));
}

/** Removes what killed runs of this user have left, which would be in memory until the machine is restarted. */
function sweep(): void {
  for (const name of readdirSync(memory).filter((each) => each.startsWith(prefix))) {
    const folder = join(memory, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age <= aDay) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= enough;
  } catch {
    return false;
  }
}

/** Containers often forbid programs there. */
function canExecute(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n");
  chmodSync(program, 0o755);
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
