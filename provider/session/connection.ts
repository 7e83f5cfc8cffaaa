/** The connection to the configured account: the provider's configuration, and the client made with it. */
import { type Client, connect } from "../../sdk/client";
import type { ConnectOptions } from "../../sdk/options";
import { announceWaits } from "../../sdk/request/announce-waits";
import type { Reporting } from "../reporting/reporting";
import type { AccountName } from "../state/metadata";
import { ConnectionConfig } from "./connection-config";
import { FleetClient, FleetCompanies, fleetIssue } from "./fleet-client";
import { isOffline } from "./offline";
import { PictureHashes } from "./picture-hashes";
import { type Configuration, connectOptions } from "./provider-config";

export interface ConnectionOptions extends Required<Pick<ConnectOptions, "refuseWrite" | "isListedLater">> {
  environment: NodeJS.ProcessEnv;
  /** True if an earlier run may have created objects that no list shows yet. */
  hasPendingCreates: () => boolean;
}

export class Connection {
  readonly config: ConnectionConfig;
  readonly pictures: PictureHashes;
  /** The partner's companies, where another process lists them for many. */
  readonly companies: FleetCompanies | undefined;
  readonly #fleet: FleetClient | undefined;
  readonly #options: ConnectionOptions;
  readonly #reporting: Reporting;
  #client: Client | undefined;

  constructor(options: ConnectionOptions, reporting: Reporting) {
    this.#options = options;
    this.#reporting = reporting;
    this.config = new ConnectionConfig(options.environment, (apiKey) => reporting.addSecret(apiKey));
    this.pictures = new PictureHashes(this.config, () => this.isOffline);
    this.#fleet = FleetClient.of(this.#options.environment);
    this.companies = this.#fleet && new FleetCompanies(this.#fleet, this.config, reporting, options.hasPendingCreates);
  }

  /** Stores the configuration. Synchronous: the SDK calls other handlers before a promise of this one is fulfilled. */
  configure(configuration: Configuration): void {
    this.config.configure(configuration);
  }

  get environment(): NodeJS.ProcessEnv {
    return this.#options.environment;
  }

  /** What is wrong with the settings. */
  get configIssue(): string | undefined {
    const issues = [this.config.issue, fleetIssue(this.environment)].filter((issue) => issue !== undefined);
    return issues.length === 0 ? undefined : issues.join("; ");
  }

  /** False while settings are missing that may still come. */
  get isConfigured(): boolean {
    return this.config.isComplete;
  }

  /** True if the account can be reached: no setting is missing, nor without a value yet, as in a preview. */
  get isKnown(): boolean {
    return this.isConfigured && !this.config.hasUnknown;
  }

  /** True if a preview reads nothing. */
  get isOffline(): boolean {
    return isOffline(this.environment);
  }

  /** The client of the configured account. */
  get client(): Client {
    const { refuseWrite, isListedLater } = this.#options;
    const fleet = this.#fleet;
    const { companies } = this;
    this.#client ??= connect({
      ...connectOptions(this.config.values),
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
    return connect({ ...connectOptions(this.config.values), apiKey });
  }

  /** The configured account: subaccounts are distinguished by their ids. */
  async currentAccount(): Promise<AccountName> {
    return { keyFingerprint: await this.client.keyFingerprint(), address: this.client.baseUrl };
  }
}
