/** The settings of a provider instance: how they are checked, compared and used. */
import { Failure } from "../core/failure";
import { mapValues, type Properties, secret, unwrap } from "../core/pulumi-values";
import { configIssue, describeIssues, malformedConfig } from "../session/config-issues";
import type { Connection } from "../session/connection";
import { type Configuration, providerConfigSchema } from "../session/provider-config";
import { unknownConfigIssue } from "../session/unknown-settings";

/** The settings as an engine passes them: each is a text, as in a stack's configuration. */
function configOf(properties: Properties): Record<string, string> {
  const { version: _, pluginDownloadURL: __, __internal: ___, ...config } = unwrap(properties) as Properties;
  const texts = mapValues(config, (value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined && value !== "null"));
}

const configurationOf = (config: Record<string, string>): Configuration => ({
  get: (key) => config[key.replace(/^esign:/, "")],
});

/** Settings of the stack, without the namespace. */
export type StackConfig = Readonly<Record<string, string>>;

/** Those that the Pulumi CLI puts into a plugin's environment. */
function stackConfigIn({ PULUMI_CONFIG: json = "{}" }: NodeJS.ProcessEnv): StackConfig {
  try {
    return configOf(JSON.parse(json) as Properties);
  } catch {
    return {};
  }
}

/** An empty setting is one that is missing, but not what protects an account: nothing takes its place. */
const isMissing = (own: Readonly<Record<string, string>>, name: string) =>
  own[name] === undefined || (own[name] === "" && name !== "apiKey" && name !== "expectAccount");

/** What an explicit provider takes from its stack. Which keys are allowed goes with the key. */
function inherited(own: Readonly<Record<string, string>>, stack: StackConfig): Record<string, string> {
  const names = Object.keys(stack).filter((name) => name in providerConfigSchema.shape && isMissing(own, name));
  const isOwnKey = own.apiKey !== undefined && own.apiKey !== stack.apiKey;
  return Object.fromEntries(
    names.flatMap((name) => (isOwnKey && name === "expectAccount" ? [] : [[name, stack[name]!]])),
  );
}

/**
 * The settings with those of the stack that an explicit provider lacks, which the engine does not pass to it, and with an envelope around
 * the key; and what is wrong with them. `project`: that of the stack, whose own configuration may be called `esign`.
 */
export function checkConfiguration(
  properties: Properties,
  project: string,
  environment: NodeJS.ProcessEnv = process.env,
  stack: StackConfig = stackConfigIn(environment),
): { inputs: Properties; issues: string[] } {
  const own = configOf(properties);
  const rest = inherited(own, stack);
  const config = { ...own, ...rest };
  const names = Object.keys(config).filter((name) => name in providerConfigSchema.shape);
  // An output without a value, such as a company's key: the environment's key would be used instead, which is another account's.
  const isKeyEmpty = (own.apiKey === "" || unwrap(properties.apiKey) === null) && stack.apiKey !== "";
  const issues = [
    unknownConfigIssue(
      Object.keys(config).map((name) => `esign:${name}`),
      project,
    ),
    isKeyEmpty ? emptyKey : configIssue(configurationOf(config), environment),
  ].filter((issue) => issue !== undefined);
  const inputs = Object.fromEntries(
    names.map((name) => [name, isKey(name) ? secret(config[name]) : (rest[name] ?? properties[name])]),
  );
  return { inputs, issues };
}

const emptyKey = "esign:apiKey is empty: set the key of the provider's account, or omit it for the stack's own";

/** Without it no request can be made. */
const isKey = (name: string) => name === "apiKey";

/** The settings that differ. What is managed with other settings is not replaced: another account is noticed before a write. */
export function changedConfig(olds: Properties, news: Properties): string[] {
  const [before, after] = [configOf(olds), configOf(news)];
  return Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
}

/** The key that a provider instance had until now, if it has another one: whether its account still exists says what became of its objects. */
export function earlierKey(olds: Properties, news: Properties): string | undefined {
  const { apiKey } = configOf(olds);
  return apiKey === configOf(news).apiKey ? undefined : apiKey;
}

/** @throws {Failure} if the process has other settings already, or one is malformed: a missing one may be needed by no resource */
export function configure(connection: Connection, properties: Properties): void {
  const configuration = configurationOf(configOf(properties));
  const malformed = malformedConfig(configuration, connection.environment);
  if (malformed.length > 0) throw new Failure("ESIGN1001", describeIssues(malformed), null);
  connection.configure(configuration);
}
