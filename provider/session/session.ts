/** What all calls of the provider in a process share, in parts: each function takes the parts that it needs. */
import type { Clock } from "../core/clock";
import { Ledger } from "../recovery/ledger";
import { Accounts } from "./accounts";
import { Connection } from "./connection";
import { Reporting } from "./reporting";
import { Run } from "./run";

export interface SessionOptions {
  environment?: NodeJS.ProcessEnv;
  /** Folder of the program. Default: the current one. */
  directory?: string;
  /** Where notices go. Default: the engine's display. */
  log?: (notice: string) => void;
  /** Where they go that are shown only while something is waited for; an empty one ends each. Default: with the others. */
  logWait?: (notice: string) => void;
  /** What the processes of one run have in common: the engine's address. Default: there is one process. */
  run?: string;
  clock?: Clock;
  /** Folder for what processes publish to one another. Default: the system's for temporary files. */
  temporary?: string;
}

export class Session {
  readonly reporting: Reporting;
  readonly run: Run;
  readonly connection: Connection;
  readonly accounts: Accounts;
  readonly ledger: Ledger;

  constructor(options: SessionOptions = {}) {
    const { environment = process.env, directory = process.cwd(), run: name, clock, temporary, log, logWait } = options;
    this.reporting = new Reporting({
      ...{ environment, log, logWait },
      // Without an engine it is not a run.
      directory: name && directory,
      stack: () => this.run.stack,
    });
    this.run = new Run({ environment, clock, temporary, name: name && `${directory} ${name}` }, this.reporting);
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

  /** The run has ended, and this process goes on. */
  close(): void {
    this.run.close();
  }
}
