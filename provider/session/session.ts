/** What all hooks of a process share: the settings, the connection, the accounts, and the log. */
import { type Client, connect } from "../../sdk/client";
import type { Edition } from "../../sdk/edition";
import { Redactor } from "../../sdk/http/redact";
import type { ResponseEvent } from "../../sdk/options";
import { announceWaits } from "../../sdk/request/waits";
import { announcing, type Clock, systemClock } from "../core/clock";
import { Failure } from "../core/failure";
import { UNKNOWN } from "../core/pulumi-values";
import { EffectReporter, offlineVariable } from "../effects/report";
import { RequestCounter } from "../effects/request-counts";
import { WriteLog } from "../effects/write-log";
import { OriginalsJournal } from "../state/originals-journal";
import { PendingCreates } from "../state/pending-creates";
import { Account } from "./account";
import { Fleet, FleetCompanies, fleetIssue } from "./fleet";
import { Ownership } from "./ownership";
import { Pictures } from "./pictures";
import { Preview } from "./preview";
import { Registrations } from "./registrations";
import { RunRegistry } from "./run-registry";
import {
  allowsUnknownValues,
  type Configuration,
  configuredEdition,
  connectOptions,
  describeIssues,
  rawSettings,
  resolveSettings,
  type Settings,
  settingsIssue,
} from "./settings";
import { AccountVerifier } from "./verify-account";

/** Environment variable that has each request logged, if it is `debug`. */
export const logVariable = "ESIGN_LOG";

/** `GET /v1/webhooks: 200 in 31 ms`. Without values: not even the message of an error. */
export function describeResponse({ method, path, attempt, status, elapsed, waited, requestId }: ResponseEvent): string {
  const facts = [
    `${status ?? "no response"} in ${Math.round(elapsed)} ms`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(waited >= 1 ? [`waited ${Math.round(waited)} ms`] : []),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
  return `${method} ${path}: ${facts.join(", ")}`;
}

/** Registrations have settled when there was none for this long; and the longest wait for that. In milliseconds. */
const settleTime = 100;
const longestSettling = 2000;

export class Session {
  readonly clock: Clock;
  readonly journal: OriginalsJournal;
  readonly pendingCreates: PendingCreates;
  readonly accountVerifier = new AccountVerifier(this);
  readonly ownership: Ownership;
  readonly companies: FleetCompanies | undefined;
  readonly #fleet: Fleet | undefined;
  readonly reporter: EffectReporter;
  readonly writes: WriteLog;
  readonly registrations = new Registrations();
  readonly pictures = new Pictures(this);
  /** Name of the stack, once a resource that may need it has passed it. */
  stack = "";
  #preview: Preview | undefined;
  #configuration: Configuration | undefined;
  #settings: Settings | undefined;
  #root: Client | undefined;
  readonly #accounts = new Map<string, Account>();
  readonly #redactor = new Redactor();
  readonly #requests = new RequestCounter();
  readonly #isDebugging: boolean;
  #lastRegistration = Number.NEGATIVE_INFINITY;

  constructor(
    readonly options: {
      environment?: NodeJS.ProcessEnv;
      /** Folder of the program. Default: the current one. */
      directory?: string;
      /** Where notices go. Default: the engine's display. */
      log?: (notice: string) => void;
      /** What the processes of one run have in common: the engine's address. Default: there is one process. */
      run?: string;
      clock?: Clock;
    } = {},
  ) {
    this.clock = announcing(options.clock ?? systemClock, (line) => this.log(line));
    this.reporter = new EffectReporter(options.environment);
    const directory = options.directory ?? process.cwd();
    this.journal = new OriginalsJournal(directory, (notice) => this.log(notice));
    this.pendingCreates = new PendingCreates(directory, this.clock);
    const environment = options.environment ?? process.env;
    // Without an engine it is not a run.
    this.writes = new WriteLog(options.run && directory, environment, () => this.stack);
    this.#fleet = Fleet.of(environment);
    this.companies = this.#fleet && new FleetCompanies(this.#fleet, this);
    this.#isDebugging = environment[logVariable] === "debug";
    this.ownership = new Ownership(new RunRegistry(options.run && `${directory} ${options.run}`));
  }

  /** Stores the configuration. Synchronous: the SDK calls other hooks before a promise of this one is fulfilled. */
  configure(configuration: Configuration): void {
    const raw = () => JSON.stringify(rawSettings(this.#configuration, this.options.environment));
    const before = raw();
    this.#configuration = configuration;
    // Every handler gets the same: what they share is kept.
    if (before === raw()) return;
    this.#settings = undefined;
    this.#root = undefined;
    this.#accounts.clear();
  }

  /** What is wrong with the settings. */
  get settingsIssue(): string | undefined {
    const issues = [
      settingsIssue(this.#configuration, this.options.environment),
      fleetIssue(this.options.environment ?? process.env),
    ].filter((issue) => issue !== undefined);
    return issues.length === 0 ? undefined : issues.join("; ");
  }

  /** True in a preview while a setting has no value yet. */
  get hasUnknownSettings(): boolean {
    return Object.values(rawSettings(this.#configuration, this.options.environment)).includes(UNKNOWN);
  }

  /** False while settings are missing that may still come. */
  get isConfigured(): boolean {
    return (
      this.#settings !== undefined ||
      resolveSettings(this.#configuration, this.options.environment).issues === undefined
    );
  }

  /** @throws {Failure} if a setting is missing or malformed */
  get settings(): Settings {
    if (this.#settings === undefined) {
      const { settings, issues } = resolveSettings(this.#configuration, this.options.environment);
      if (issues !== undefined) throw new Failure("ESIGN1001", describeIssues(issues));
      this.#settings = settings;
      this.addSecret(settings.apiKey);
    }
    return this.#settings;
  }

  get allowUnknownValues(): boolean {
    return allowsUnknownValues(this.#configuration, this.options.environment);
  }

  get edition(): Edition {
    return configuredEdition(this.#configuration, this.options.environment) ?? "specification";
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
    const log = this.options.log ?? ((line: string) => console.log(`esign: ${line}`));
    log(this.redact(notice));
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
      ...connectOptions(this.settings),
      onResponse: (event) => this.#noteResponse(event),
      onWait: announceWaits((line) => this.log(line)),
      ...(this.#fleet && { waitForTurn: () => this.#fleet!.waitForTurn() }),
      ...(this.companies && { knownCompanies: async () => (await this.companies!.read())?.items }),
    });
    return this.#root;
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

  /** Fingerprint of the configured key: subaccounts are distinguished by their ids. */
  async fingerprint(): Promise<string> {
    return this.root.keyFingerprint();
  }

  /** Called by hooks that belong to the registration of a resource. */
  noteRegistration(): void {
    this.#lastRegistration = this.clock.now();
  }

  /** Resolves when no resource was registered for a moment: what the program declares is known then. */
  async registrationsSettled(): Promise<void> {
    const end = this.clock.now() + longestSettling;
    while (this.clock.now() < Math.min(end, this.#lastRegistration + settleTime)) {
      await this.clock.sleep(settleTime / 2);
    }
  }
}
