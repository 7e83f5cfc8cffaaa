/** The runs that this process takes part in, by name. */
import { RunMember, RunRegistry } from "./run-registry";

export class RunRegistries {
  readonly #runs = new Map<string, RunRegistry>();

  /** `parent`: the folder for temporary files. */
  constructor(readonly parent: string | undefined) {}

  /** Those of this process: one instance for each folder for temporary files. */
  static in(parent?: string): RunRegistries {
    const registries = byFolder.get(parent) ?? new RunRegistries(parent);
    byFolder.set(parent, registries);
    return registries;
  }

  /** A new provider instance of a run. `name`: what the processes of the run have in common; undefined where there is one instance. */
  join(name: string | undefined): RunMember {
    if (name === undefined) return new RunMember(undefined);
    const registry = this.#runs.get(name) ?? new RunRegistry(name, this.parent, () => this.#runs.delete(name));
    this.#runs.set(name, registry);
    return new RunMember(registry);
  }
}

const byFolder = new Map<string | undefined, RunRegistries>();
