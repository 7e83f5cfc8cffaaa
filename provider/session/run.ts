/** One run of an engine: what the program declares, what the run has written, and what its processes share. */
import { type Clock, systemClock } from "../core/clock";
import { ProcessWrites } from "../processes/process-writes";
import { RecentWrites } from "../processes/recent-writes";
import { RunRegistries } from "../processes/run-registries";
import type { RunMember } from "../processes/run-registry";
import type { Reporting } from "../reporting/reporting";
import { withWaitNotices } from "../reporting/wait-notices";
import { CurrentOwners } from "./current-owners";
import { DeclaredObjects } from "./declared-objects";
import { NewAccounts } from "./new-accounts";
import { Preview } from "./preview";
import { Registrations } from "./registrations";
import { WriteGate } from "./write-gate";

export interface RunOptions {
  environment: NodeJS.ProcessEnv;
  /** What the processes of the run have in common. Default: there is one process. */
  name?: string | undefined;
  clock?: Clock | undefined;
  /** Folder for what processes publish to one another. Default: the system's for temporary files. */
  temporary?: string | undefined;
}

export class Run {
  readonly clock: Clock;
  readonly recent: RecentWrites;
  readonly registrations: Registrations;
  readonly owners: CurrentOwners;
  readonly declared: DeclaredObjects;
  readonly newAccounts: NewAccounts;
  readonly writeGate: WriteGate;
  /** Kinds of which an object has what a service returns at its creation only: this service does. */
  readonly returnsOnce = new Set<string>();
  /** Name of the stack, once a resource that may need it has passed it. */
  stack = "";
  #preview: Preview | undefined;
  readonly #member: RunMember;
  readonly #reporting: Pick<Reporting, "log" | "logWait">;

  constructor(
    { environment, name, clock = systemClock, temporary }: RunOptions,
    reporting: Pick<Reporting, "log" | "logWait">,
  ) {
    this.#reporting = reporting;
    this.clock = withWaitNotices(
      clock,
      (line) => reporting.logWait(line),
      () => reporting.logWait(""),
    );
    this.#member = RunRegistries.in(temporary).join(name);
    this.recent = new RecentWrites(clock, ProcessWrites.in(temporary), this.#member);
    this.registrations = new Registrations(this.clock);
    this.writeGate = new WriteGate(this.clock, environment);
    this.owners = new CurrentOwners(this.#member);
    this.declared = new DeclaredObjects(this.#member);
    this.newAccounts = new NewAccounts(this.#member);
  }

  /** The preview that this process takes part in; undefined in the real run. */
  get preview(): Preview | undefined {
    return this.#preview;
  }

  /** Records that this process takes part in a preview. */
  startPreview(): Preview {
    this.#preview ??= new Preview(this.registrations, (line) => this.#reporting.log(line));
    return this.#preview;
  }

  /** The run has ended, and this process goes on. */
  close(): void {
    this.#member.close();
  }
}
