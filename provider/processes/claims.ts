/**
 * Which create of a run has an object, of all processes of this machine. Of two provider instances of one account, one may look for what it
 * has lost, or adopt, while another is answered: who claims the object first has it. In one run an ID is used once, so no claim is returned.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentProcess, namesEndedProcess } from "../../fs/process-identity";
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
    const path = join(this.#folder.path, hashOf(`${this.run} ${object}`));
    try {
      if (!this.#isOpen) this.#open();
      return this.#make(path) || (namesEndedProcess(() => readFileSync(path, "utf8")) && this.#replace(path));
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

  /** Takes the place of one of a run of the same name before. */
  #replace(path: string): boolean {
    rmSync(path, { force: true });
    return this.#make(path);
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
      if (Date.now() - madeAt > claimExpiry) rmSync(path, { force: true });
    }
  }
}

/** What is left is of no use later. */
function removeIfPresent(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}
