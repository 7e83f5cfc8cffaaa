/**
 * The data that this process shares with other processes of the machine. All its sessions with the same folder for temporary files share
 * one instance.
 */
import { ProcessWrites } from "./process-writes";
import { RunMember, RunRegistry } from "./run-registry";

export class SharedData {
  readonly writes: ProcessWrites;
  readonly #runs = new Map<string, RunRegistry>();

  /** `parent`: the folder for temporary files. */
  constructor(readonly parent: string | undefined) {
    this.writes = new ProcessWrites(parent);
  }

  /** That of this process. */
  static in(parent?: string): SharedData {
    const data = byFolder.get(parent) ?? new SharedData(parent);
    byFolder.set(parent, data);
    return data;
  }

  /** A new provider instance of a run. `name`: what the processes of the run have in common; undefined where there is one instance. */
  join(name: string | undefined): RunMember {
    if (name === undefined) return new RunMember(undefined);
    const registry = this.#runs.get(name) ?? new RunRegistry(name, this.parent, () => this.#runs.delete(name));
    this.#runs.set(name, registry);
    return new RunMember(registry);
  }
}

const byFolder = new Map<string | undefined, SharedData>();
