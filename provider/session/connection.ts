/** The connection to the configured account: its settings, and the client made with them. */
import { type Client, connect } from "../../sdk/client";
import type { ConnectOptions } from "../../sdk/options";
import { announceWaits } from "../../sdk/request/waits";
import { offlineVariable } from "../reporting/effect-reporter";
import type { Reporting } from "../reporting/reporting";
import type { AccountName } from "../state/metadata";
import { ConfiguredSettings } from "./configured-settings";
import { Fleet, FleetCompanies, fleetIssue } from "./fleet";
import { PictureHashes } from "./picture-hashes";
import { type Configuration, connectOptions } from "./settings";

export interface ConnectionOptions extends Required<Pick<ConnectOptions, "refuseWrite" | "isListedLater">> {
  environment: NodeJS.ProcessEnv;
  /** True if an earlier run may have created objects that no list shows yet. */
  hasPendingCreates: () => boolean;
}

export class Connection {
  readonly settings: ConfiguredSettings;
  readonly pictures: PictureHashes;
  /** The partner's companies, where another process lists them for many. */
  readonly companies: FleetCompanies | undefined;
  readonly #fleet: Fleet | undefined;
  readonly #options: ConnectionOptions;
  readonly #reporting: Reporting;
  #client: Client | undefined;

  constructor(options: ConnectionOptions, reporting: Reporting) {
    this.#options = options;
    this.#reporting = reporting;
    this.settings = new ConfiguredSettings(options.environment, (apiKey) => reporting.addSecret(apiKey));
    this.pictures = new PictureHashes(this.settings, () => this.isOffline);
    this.#fleet = Fleet.of(this.#options.environment);
    this.companies =
      this.#fleet && new FleetCompanies(this.#fleet, this.settings, reporting, options.hasPendingCreates);
  }

  /** Stores the configuration. Synchronous: the SDK calls other handlers before a promise of this one is fulfilled. */
  configure(configuration: Configuration): void {
    this.settings.configure(configuration);
  }

  get environment(): NodeJS.ProcessEnv {
    return this.#options.environment;
  }

  /** What is wrong with the settings. */
  get settingsIssue(): string | undefined {
    const issues = [this.settings.issue, fleetIssue(this.environment)].filter((issue) => issue !== undefined);
    return issues.length === 0 ? undefined : issues.join("; ");
  }

  /** False while settings are missing that may still come. */
  get isConfigured(): boolean {
    return this.settings.isComplete;
  }

  /** True if the account can be reached: no setting is missing, nor without a value yet, as in a preview. */
  get isKnown(): boolean {
    return this.isConfigured && !this.settings.hasUnknown;
  }

  /** True if a preview reads nothing. */
  get isOffline(): boolean {
    return ["1", "true"].includes(this.environment[offlineVariable] ?? "");
  }

  /** The client of the configured account. */
  get client(): Client {
    const { refuseWrite, isListedLater } = this.#options;
    const fleet = this.#fleet;
    const { companies } = this;
    this.#client ??= connect({
      ...connectOptions(this.settings.values),
      ...{ refuseWrite, isListedLater },
      onResponse: (event) => this.#reporting.addResponse(event),
      onWait: announceWaits(
        (line) => this.#reporting.logWait(line),
        () => this.#reporting.logWait(""),
      ),
      ...(fleet && { waitForTurn: () => fleet.waitForTurn() }),
      ...(companies && { knownCompanies: async () => (await companies.read())?.items }),
    });
    return this.#client;
  }

  /** A client with another key: sends what this one does, and reports none of it. */
  clientWithKey(apiKey: string): Client {
    return connect({ ...connectOptions(this.settings.values), apiKey });
  }

  /** The configured account: subaccounts are distinguished by their ids. */
  async currentAccount(): Promise<AccountName> {
    return { keyFingerprint: await this.client.keyFingerprint(), address: this.client.baseUrl };
  }
}
