/** What all hooks of a process share: the settings, the connection, the accounts, and what is told to people. */
import { type Client, connect } from "../../sdk/client";
import { type Clock, systemClock } from "../core/clock";
import { Failure } from "../core/failure";
import { Journal } from "../state/originals-journal";
import { Creations } from "../state/pending-creates";
import { Account } from "./account";
import { Owners } from "./ownership";
import { Board } from "./run-registry";
import {
  type Configuration,
  connectOptions,
  describeFaults,
  givenSettings,
  isAnyValueAllowed,
  malformedSettings,
  resolveSettings,
  type Settings,
} from "./settings";
import { Assurance } from "./verify-account";

/** What all hooks of a process share. */
export class Session {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly creations: Creations;
  readonly assurance = new Assurance(this);
  readonly owners: Owners;
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
      say?: (notice: string) => void;
      /** What the processes of one run have in common: the engine's address. Default: there is one process. */
      run?: string;
      clock?: Clock;
    } = {},
  ) {
    this.clock = options.clock ?? systemClock;
    const directory = options.directory ?? process.cwd();
    this.journal = new Journal(directory);
    this.creations = new Creations(directory, this.clock);
    this.owners = new Owners(new Board(options.run && `${directory} ${options.run}`));
  }

  /** Stores the configuration. Synchronous: the SDK calls other hooks before a promise of this one is fulfilled. */
  configure(configuration: Configuration): void {
    const given = () => JSON.stringify(givenSettings(this.#configuration, this.options.environment));
    const before = given();
    this.#configuration = configuration;
    // Every handler is told the same: what they share is kept.
    if (before === given()) return;
    this.#settings = undefined;
    this.#root = undefined;
    this.#accounts.clear();
  }

  /** What is wrong with the settings that are given; missing ones may still come. */
  get settingsFault(): string | undefined {
    const faults = malformedSettings(this.#configuration, this.options.environment);
    return faults.length === 0 ? undefined : describeFaults(faults);
  }

  /** False while settings are missing that may still come. */
  get isConfigured(): boolean {
    return (
      this.#settings !== undefined ||
      resolveSettings(this.#configuration, this.options.environment).faults === undefined
    );
  }

  get settings(): Settings {
    if (this.#settings === undefined) {
      const { settings, faults } = resolveSettings(this.#configuration, this.options.environment);
      if (faults !== undefined) throw new Failure(describeFaults(faults));
      this.#settings = settings;
      this.hide(settings.apiKey);
    }
    return this.#settings;
  }

  get allowUnknownValues(): boolean {
    return isAnyValueAllowed(this.#configuration, this.options.environment);
  }

  /** Tells people what they should know. */
  say(notice: string): void {
    const say = this.options.say ?? ((line: string) => console.log(`esign: ${line}`));
    say(this.redact(notice));
  }

  /** Never shows this text in any message. */
  hide(text: string | null | undefined): void {
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
  registering(): void {
    this.#lastRegistration = this.clock.now();
  }

  /** Resolves when no resource was registered for a moment: what the program declares is known then. */
  async quiet(): Promise<void> {
    const pause = 100;
    const end = this.clock.now() + 2000;
    while (this.clock.now() < Math.min(end, this.#lastRegistration + pause)) await this.clock.sleep(pause / 2);
  }
}
