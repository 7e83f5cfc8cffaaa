/** What the processes of one run publish to one another: each explicit provider has a process of its own. */
import { currentProcess, hasEnded } from "../../fs/process-identity";
import { hashOf } from "../core/hash";
import { SharedLines } from "../processes/shared-lines";

export class RunRegistry {
  readonly #lines: SharedLines | undefined;

  /** `run`: what the processes of one run, and no others, have in common. Without it nothing is published. */
  constructor(run: string | undefined) {
    this.#lines =
      run === undefined
        ? undefined
        : new SharedLines({
            folder: "runs",
            prefix: `${hashOf(run)}.`,
            header: JSON.stringify(currentProcess()),
            isStale: ({ header }) => isOfEnded(header()),
          });
  }

  publish(line: string): void {
    this.#lines?.publish(line);
  }

  /** What the other processes have published. */
  get published(): string[] {
    return this.#lines?.published ?? [];
  }

  /** The run has ended, and this process goes on. */
  close(): void {
    this.#lines?.close();
  }
}

/** True for the file of a process that has ended, which its first line identifies. */
function isOfEnded(header: string | undefined): boolean {
  try {
    return header !== undefined && hasEnded(JSON.parse(header)) === true;
  } catch {
    return false;
  }
}
