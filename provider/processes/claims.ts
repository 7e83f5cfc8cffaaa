/**
 * Which create has an object, of all processes of this machine. Of equal creates of two provider instances of one account, one may look for
 * what it has lost while another is answered: who claims the object first has it. In one run an ID is used once, so no claim is returned.
 */
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claimUseless } from "../core/time-limits";
import { SharedFolder } from "./shared-folder";

export class Claims {
  readonly #folder: SharedFolder;
  #isOpen = false;

  /** `parent`: the folder for temporary files. */
  constructor(parent?: string) {
    this.#folder = new SharedFolder("claims", parent);
  }

  /** False if another create has claimed it. Best effort: true where nothing can be written. */
  claim(name: string): boolean {
    try {
      if (!this.#isOpen) this.#open();
      writeFileSync(join(this.#folder.path, name), "", { mode: 0o600, flag: "wx" });
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== "EEXIST";
    }
  }

  #open(): void {
    this.#folder.make();
    this.#isOpen = true;
    for (const name of readdirSync(this.#folder.path)) {
      const path = join(this.#folder.path, name);
      const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (Date.now() - madeAt > claimUseless) rmSync(path, { force: true });
    }
  }
}
