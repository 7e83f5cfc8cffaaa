/** What all hooks of a process share: the settings, the connection, the accounts, and the log. */
import { type Client, connect } from "../../sdk/client";
import { Redactor } from "../../sdk/http/redact";
import type { ResponseEvent } from "../../sdk/options";
import { announceWaits } from "../../sdk/request/waits";
import { announcing, type Clock, systemClock } from "../core/clock";
import { readPause } from "../core/time-limits";
import { EffectReporter, offlineVariable } from "../effects/report";
import { RequestCounter } from "../effects/request-counts";
import { WriteLog } from "../effects/write-log";
import { RecentWrites } from "../processes/recent-writes";
import { RunRegistry } from "../processes/run-registry";
import { Ledger } from "../recovery/ledger";
import type { AccountName } from "../state/metadata";
import { Account } from "./account";
import { ConfiguredSettings } from "./configured-settings";
import { CurrentOwners } from "./current-owners";
import { DeclaredObjects } from "./declared-objects";
import { describeResponse, logVariable } from "./describe-response";
import { Fleet, FleetCompanies, fleetIssue } from "./fleet";
import { EarlierKey, NewAccounts } from "./new-accounts";
import { PictureHashes } from "./picture-hashes";
import { Preview } from "./preview";
import { Registrations } from "./registrations";
import { type Configuration, connectOptions } from "./settings";
import { AccountVerifier } from "./verify-account";
import { WriteGate } from "./write-gate";

export const printNotice = (notice: string): void => console.log(prefixed(notice));
/** A notice among those of a whole program, as dynamic providers have no place of their own. */
export const prefixed = (notice: string): string => `esign: ${notice}`;

export class Session {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly recent: RecentWrites;
  readonly accountVerifier = new AccountVerifier(this);
  readonly owners: CurrentOwners;
  readonly declared: DeclaredObjects;
  readonly writeGate: WriteGate;
  readonly newAccounts: NewAccounts;
  readonly earlierKey = new EarlierKey(
    (apiKey) => connect({ ...connectOptions(this.settings.values), apiKey }).branding.get(),
    (apiKey) => this.addSecret(apiKey),
  );
  readonly companies: FleetCompanies | undefined;
  readonly #fleet: Fleet | undefined;
  readonly reporter: EffectReporter;
  readonly writes: WriteLog;
  readonly registrations: Registrations;
  readonly settings: ConfiguredSettings;
  readonly pictures = new PictureHashes(this);
  /** Kinds of which an object has what a service returns at its creation only: this service does. */
  readonly returnsOnce = new Set<string>();
  /** Name of the stack, once a resource that may need it has passed it. */
  stack = "";
  #preview: Preview | undefined;
  #root: Client | undefined;
  readonly #accounts = new Map<string, Account>();
  readonly #redactor = new Redactor();
  readonly #registry: RunRegistry;
  readonly #requests = new RequestCounter();
  readonly #isDebugging: boolean;

  constructor(
    readonly options: {
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
    } = {},
  ) {
    this.clock = announcing(
      options.clock ?? systemClock,
      (line) => this.logWait(line),
      () => this.logWait(""),
    );
    this.recent = new RecentWrites(this.clock, options.temporary);
    this.writeGate = new WriteGate(this.clock, options.environment);
    this.registrations = new Registrations(this.clock);
    this.settings = new ConfiguredSettings(options.environment, this.#redactor);
    this.reporter = new EffectReporter(options.environment);
    const directory = options.directory ?? process.cwd();
    this.ledger = new Ledger(directory, this);
    const environment = options.environment ?? process.env;
    // Without an engine it is not a run.
    this.writes = new WriteLog(options.run && directory, environment, () => this.stack);
    this.#fleet = Fleet.of(environment);
    this.companies = this.#fleet && new FleetCompanies(this.#fleet, this);
    this.#isDebugging = environment[logVariable] === "debug";
    this.#registry = new RunRegistry(options.run && `${directory} ${options.run}`);
    this.owners = new CurrentOwners(this.#registry);
    this.declared = new DeclaredObjects(this.#registry);
    this.newAccounts = new NewAccounts(this.#registry);
  }

  /** The run has ended, and this process goes on. */
  close(): void {
    this.#registry.close();
  }

  /** Stores the configuration. Synchronous: the SDK calls other hooks before a promise of this one is fulfilled. */
  configure(configuration: Configuration): void {
    this.settings.configure(configuration);
  }

  /** What is wrong with the settings. */
  get settingsIssue(): string | undefined {
    const { environment = process.env } = this.options;
    const issues = [this.settings.issue, fleetIssue(environment)].filter((issue) => issue !== undefined);
    return issues.length === 0 ? undefined : issues.join("; ");
  }

  /** False while settings are missing that may still come. */
  get isConfigured(): boolean {
    return this.settings.isComplete;
  }

  /** The preview that this process takes part in; undefined in the real run. */
  get preview(): Preview | undefined {
    return this.#preview;
  }

  /** Records that this process takes part in a preview. */
  startPreview(): Preview {
    this.#preview ??= new Preview(this.registrations, (line) => this.log(line));
    return this.#preview;
  }

  /** True if a preview reads nothing. */
  get isOffline(): boolean {
    return ["1", "true"].includes((this.options.environment ?? process.env)[offlineVariable] ?? "");
  }

  /** Shows the user a notice. */
  log(notice: string): void {
    const { log = printNotice } = this.options;
    log(this.redact(notice));
  }

  /** Shows the user what is waited for, as long as it is; an empty text ends one of them. */
  logWait(notice: string): void {
    const { logWait } = this.options;
    if (logWait !== undefined) logWait(this.redact(notice));
    else if (notice !== "") this.log(notice);
  }

  /** Redacts this string in every message. */
  addSecret(text: string | null | undefined): void {
    if (text) this.#redactor.add(text);
  }

  redact(text: string): string {
    return this.#redactor.redact(text);
  }

  /** The configured account, or a subaccount of it. */
  account(companyId?: string): Account {
    const name = companyId ?? "";
    let account = this.#accounts.get(name);
    if (account === undefined) {
      account = new Account(this, companyId);
      this.#accounts.set(name, account);
    }
    return account;
  }

  /** The client of the configured account. */
  get root(): Client {
    this.#root ??= connect({
      ...connectOptions(this.settings.values),
      onResponse: (event) => this.#noteResponse(event),
      onWait: announceWaits(
        (line) => this.logWait(line),
        () => this.logWait(""),
      ),
      refuseWrite: () => this.writeGate.refusal,
      ...(this.#fleet && { waitForTurn: () => this.#fleet!.waitForTurn() }),
      isListedLater: (companyId) => this.#isListedLater(companyId),
      ...(this.companies && { knownCompanies: async () => (await this.companies!.read())?.items }),
    });
    return this.#root;
  }

  /** Waits for a company that was made a moment ago. */
  async #isListedLater(companyId: string): Promise<boolean> {
    const left = (await this.recent.of(this.account(), "companies").made()).get(companyId) ?? 0;
    const what = "the partner's list, which does not have a company yet that was made a moment ago";
    if (left > 0) await this.clock.sleep(Math.min(readPause.longest, left), what, left);
    return left > 0;
  }

  #noteResponse(event: ResponseEvent): void {
    this.writes.add(event);
    this.#requests.add(event);
    if (this.#isDebugging) this.log(describeResponse(event));
  }

  /** Does something for a resource of a kind; then reports how many requests were sent. */
  async during<T>(kind: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.writes.during(kind, work);
    } finally {
      const record = this.#requests.takeRecord();
      if (record !== undefined) this.reporter.reportRequests(record);
    }
  }

  /** The configured account: subaccounts are distinguished by their ids. */
  async currentAccount(): Promise<AccountName> {
    return { keyFingerprint: await this.root.keyFingerprint(), address: this.root.baseUrl };
  }
}
