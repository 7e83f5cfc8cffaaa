/**
 * Which create of a run has an object, of all processes of this machine. Of two provider instances of one account, one may look for what it
 * has lost, or adopt, while another is answered: who claims the object first has it. In one run an ID is used once, so no claim is returned.
 */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentProcess, namesEndedProcess, namesLiveProcess } from "../../fs/process-identity";
import { Ages } from "../core/ages";
import { systemClock } from "../core/clock";
import { hashOf } from "../core/hash";
import { claimExpiry } from "../core/time-limits";
import { SharedFolder } from "./shared-folder";

export class Claims {
  readonly #folder: SharedFolder;
  readonly #own: string[] = [];
  #isOpen = false;

  /**
   * @param run its name: a later one may have the same, as an engine's port is used again
   * @param parent the folder for temporary files
   */
  constructor(
    readonly run: string,
    parent?: string,
  ) {
    this.#folder = new SharedFolder("claims", parent);
  }

  /** False if another create has claimed it. Best effort: true where nothing can be written. */
  claim(object: string): boolean {
    try {
      if (!this.#isOpen) this.#open();
      // What a process that has ended left is not removed, since others may have read it, too: its successor has a name of its own, which
      // only one of them makes.
      for (let name = hashOf(`${this.run} ${object}`); ; ) {
        const path = join(this.#folder.path, name);
        if (this.#make(path)) return true;
        const holder = contentOf(path);
        if (!namesEndedProcess(() => holder)) return false;
        keep(path);
        name = hashOf(`${name} ${holder}`);
      }
    } catch {
      return true;
    }
  }

  /** False if there is one. */
  #make(path: string): boolean {
    try {
      writeFileSync(path, JSON.stringify(currentProcess()), { mode: 0o600, flag: "wx" });
      this.#own.push(path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  }

  /** The run has ended, and this process goes on. */
  close(): void {
    for (const path of this.#own.splice(0)) removeIfPresent(path);
  }

  #open(): void {
    this.#folder.make();
    this.#isOpen = true;
    for (const name of readdirSync(this.#folder.path)) {
      const path = join(this.#folder.path, name);
      const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (Ages.by(systemClock).of(madeAt) <= claimExpiry) continue;
      // A run may take hours: what one of its processes has created is that one's until it ends.
      if (!namesLiveProcess(() => contentOf(path))) rmSync(path, { force: true });
    }
  }
}

/** Undefined if it was removed meanwhile. */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** A successor is found by the name and content of the claim before it, which must not expire first. */
function keep(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

/** What is left is of no use later. */
function removeIfPresent(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}
