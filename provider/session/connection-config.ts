/** The configuration of this provider instance: the settings that the engine passes to `configure`, and those of the environment. */
import type { Edition } from "../../sdk/edition";
import { Failure } from "../core/failure";
import { UNKNOWN } from "../core/pulumi-values";
import { configIssue, describeIssues } from "./config-issues";
import {
  allowsUnknownValues,
  type Configuration,
  configuredEdition,
  type ProviderConfig,
  type RawConfig,
  rawConfig,
  resolveConfig,
} from "./provider-config";

export class ConnectionConfig {
  #configuration: Configuration | undefined;
  /** Once they are configured, what each resource asks for: they do not change any more. */
  #fixed: { raw: RawConfig; issue: string | undefined } | undefined;
  #values: ProviderConfig | undefined;

  constructor(
    readonly environment: NodeJS.ProcessEnv,
    /** Redacts the key in every message. */
    readonly addSecret: (apiKey: string) => void,
  ) {}

  /**
   * Stores the configuration, once: all that a process has read belongs to one account.
   * @throws {Failure} if it differs from that before
   */
  configure(configuration: Configuration): void {
    const raw = rawConfig(configuration, this.environment);
    if (this.#configuration !== undefined && JSON.stringify(raw) !== JSON.stringify(this.#raw)) {
      const problem = "this process is configured already, with other settings";
      throw new Failure("ESIGN1001", problem, "Start another provider process for each set of settings");
    }
    this.#configuration = configuration;
    this.#fixed = { raw, issue: configIssue(configuration, this.environment) };
  }

  /** @throws {Failure} if a setting is missing or malformed */
  get values(): ProviderConfig {
    if (this.#values !== undefined) return this.#values;
    const { config, issues } = resolveConfig(this.#configuration, this.environment);
    if (issues !== undefined) throw new Failure("ESIGN1001", describeIssues(issues), null);
    this.#values = config;
    this.addSecret(config.apiKey);
    return config;
  }

  /** What is wrong with them. */
  get issue(): string | undefined {
    return this.#fixed === undefined ? configIssue(this.#configuration, this.environment) : this.#fixed.issue;
  }

  /** False while settings are missing that may still come. */
  get isComplete(): boolean {
    return this.#values !== undefined || resolveConfig(this.#configuration, this.environment).issues === undefined;
  }

  /** True in a preview while a setting has no value yet. */
  get hasUnknown(): boolean {
    return Object.values(this.#raw).includes(UNKNOWN);
  }

  get allowUnknownValues(): boolean {
    return allowsUnknownValues(this.#configuration, this.environment);
  }

  get edition(): Edition {
    return configuredEdition(this.#configuration, this.environment) ?? "specification";
  }

  get #raw(): RawConfig {
    return this.#fixed?.raw ?? rawConfig(this.#configuration, this.environment);
  }
}
