/** What all hooks of a process share: the settings, the connection, the accounts, and what is told to people. */
import { type Client, connect } from "../../sdk/client";
import { type Clock, systemClock } from "../core/clock";
import { Failure } from "../core/failure";
import { OriginalsJournal } from "../state/originals-journal";
import { PendingCreates } from "../state/pending-creates";
import { Account } from "./account";
import { Ownership } from "./ownership";
import { RunRegistry } from "./run-registry";
import {
  allowsUnknownValues,
  type Configuration,
  connectOptions,
  describeIssues,
  malformedSettings,
  rawSettings,
  resolveSettings,
  type Settings,
} from "./settings";
import { AccountVerifier } from "./verify-account";

/** What all hooks of a process share. */
export class Session {
  readonly clock: Clock;
  readonly journal: OriginalsJournal;
  readonly pendingCreates: PendingCreates;
  readonly accountVerifier = new AccountVerifier(this);
  readonly ownership: Ownership;
  /** Name of the stack, once a resource has told it that may need it. */
  stack = "";
  #configuration: Configuration | undefined;
  #settings: Settings | undefined;
  #root: Client | undefined;
  readonly #accounts = new Map<string, Account>();
  readonly #secrets = new Set<string>();
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
    this.clock = options.clock ?? systemClock;
    const directory = options.directory ?? process.cwd();
    this.journal = new OriginalsJournal(directory);
    this.pendingCreates = new PendingCreates(directory, this.clock);
    this.ownership = new Ownership(new RunRegistry(options.run && `${directory} ${options.run}`));
  }

  /** Stores the configuration. Synchronous: the SDK calls other hooks before a promise of this one is fulfilled. */
  configure(configuration: Configuration): void {
    const given = () => JSON.stringify(rawSettings(this.#configuration, this.options.environment));
    const before = given();
    this.#configuration = configuration;
    // Every handler is told the same: what they share is kept.
    if (before === given()) return;
    this.#settings = undefined;
    this.#root = undefined;
    this.#accounts.clear();
  }

  /** What is wrong with the settings that are given; missing ones may still come. */
  get settingsIssue(): string | undefined {
    const faults = malformedSettings(this.#configuration, this.options.environment);
    return faults.length === 0 ? undefined : describeIssues(faults);
  }

  /** False while settings are missing that may still come. */
  get isConfigured(): boolean {
    return (
      this.#settings !== undefined ||
      resolveSettings(this.#configuration, this.options.environment).issues === undefined
    );
  }

  get settings(): Settings {
    if (this.#settings === undefined) {
      const { settings, issues } = resolveSettings(this.#configuration, this.options.environment);
      if (issues !== undefined) throw new Failure(describeIssues(issues));
      this.#settings = settings;
      this.addSecret(settings.apiKey);
    }
    return this.#settings;
  }

  get allowUnknownValues(): boolean {
    return allowsUnknownValues(this.#configuration, this.options.environment);
  }

  /** Tells people what they should know. */
  log(notice: string): void {
    const log = this.options.log ?? ((line: string) => console.log(`esign: ${line}`));
    log(this.redact(notice));
  }

  /** Never shows this text in any message. */
  addSecret(text: string | null | undefined): void {
    if (text) this.#secrets.add(text);
  }

  redact(text: string): string {
    let result = text;
    for (const key of this.#secrets) {
      const bytes = Buffer.from(key);
      for (const notation of [key, encodeURIComponent(key), bytes.toString("base64"), bytes.toString("hex")]) {
        result = result.replaceAll(notation, "[secret]");
      }
    }
    return result;
  }

  /** The configured account, or a sub account of it. */
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
    this.#root ??= connect(connectOptions(this.settings));
    return this.#root;
  }

  /** Fingerprint of the configured key: a sub account is told apart by its id. */
  async fingerprint(): Promise<string> {
    return this.root.keyFingerprint();
  }

  /** Called by hooks that belong to the registration of a resource. */
  noteRegistration(): void {
    this.#lastRegistration = this.clock.now();
  }

  /** Resolves when no resource was registered for a moment: what the program declares is known then. */
  async registrationsSettled(): Promise<void> {
    const pause = 100;
    const end = this.clock.now() + 2000;
    while (this.clock.now() < Math.min(end, this.#lastRegistration + pause)) await this.clock.sleep(pause / 2);
  }
}
