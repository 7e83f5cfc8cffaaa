/** What all calls to the provider in a process share, in five parts. A function takes only the parts that it needs. */
import type { Clock } from "../core/clock";
import { Ledger } from "../recovery/ledger";
import { Reporting } from "../reporting/reporting";
import { Accounts } from "./accounts";
import { Connection } from "./connection";
import { Run } from "./run";

interface SessionOptions {
  environment?: NodeJS.ProcessEnv;
  /** Folder of the program. Default: the current folder. */
  directory?: string;
  /** Receives notices for the user. Default: the engine's display. */
  log?: (notice: string) => void;
  /** Receives notices that are shown only during a wait; an empty one ends the wait. Default: `log`. */
  logWait?: (notice: string) => void;
  /** The engine's address, by which the processes of one run recognize each other. Default: this is the only process. */
  engine?: string;
  clock?: Clock;
  /** Whether it has the configuration of now in every operation. An engine passes that of the last `up` where no program runs. */
  hasCurrentConfiguration?: boolean;
  /** Folder for files that the processes of this machine share. Default: the system's folder for temporary files. */
  temporary?: string;
}

export class Session {
  readonly reporting: Reporting;
  readonly run: Run;
  readonly connection: Connection;
  readonly accounts: Accounts;
  readonly ledger: Ledger;
  readonly hasCurrentConfiguration: boolean;

  constructor(options: SessionOptions = {}) {
    const { environment = process.env, directory = process.cwd(), engine, clock, temporary, log, logWait } = options;
    this.hasCurrentConfiguration = options.hasCurrentConfiguration ?? false;
    this.reporting = new Reporting({
      ...{ environment, log, logWait },
      // Without an engine there is no run to record.
      directory: engine && directory,
      stack: () => this.run.stack,
    });
    this.run = new Run({ environment, clock, temporary, name: engine && `${directory} ${engine}` }, this.reporting);
    this.connection = new Connection(
      {
        environment,
        refuseWrite: () => this.run.writeGate.refusal,
        isListedLater: (companyId) => this.accounts.isListedLater(companyId),
        hasPendingCreates: () => this.ledger.hasPendingCreates,
      },
      this.reporting,
    );
    this.accounts = new Accounts(this, this.connection, this.run);
    this.ledger = new Ledger(directory, this.run, this.connection, (notice) => this.reporting.log(notice));
  }

  /** Ends the run, if the process continues after it. */
  close(): void {
    this.run.close();
  }
}
