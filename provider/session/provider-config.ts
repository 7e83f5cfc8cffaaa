/**
 * The provider's configuration, and where each of its settings comes from: an explicit `Provider` or the stack's configuration, which the
 * engine passes to `configure` as `esign:<name>`; then environment variables.
 */
import { z } from "zod";
import { validateApiKey, validateBaseUrl } from "../../sdk/auth/validate-key-and-url";
import { type Edition, editions } from "../../sdk/edition";
import type { ConnectOptions } from "../../sdk/options";
import { withoutUndefined } from "../core/pulumi-values";
import { environmentName } from "../core/setting-names";

const text = (faultOf: (value: string) => string | undefined) =>
  z.string().superRefine((value, ctx) => {
    const message = faultOf(value);
    if (message !== undefined) ctx.addIssue({ code: "custom", message });
  });
const boolean = z.union(
  [z.boolean(), z.enum(["true", "false", "1", "0"]).transform((word) => word === "true" || word === "1")],
  "must be true or false",
);
const number = (schema: z.ZodNumber) => z.coerce.number("must be a number").pipe(schema);
const integerFrom = (least: number, unit = "") =>
  z.number().int(`must be a whole number${unit}`).min(least, `must be at least ${least}${unit}`);

/** How to use a value that this version does not know. */
export const allowUnknownHint = "esign:allowUnknownValues accepts others";

/** What each means is said at the arguments of an explicit provider: `provider/pulumi/explicit-provider.ts`. */
export const providerConfigSchema = z.object({
  apiKey: text(validateApiKey),
  baseUrl: text(validateBaseUrl),
  maxConcurrency: number(integerFrom(1)).optional(),
  requestsPerSecond: number(z.number().positive("must be greater than 0")).optional(),
  timeout: number(integerFrom(1, " (milliseconds)")).optional(),
  pageSize: number(integerFrom(1)).optional(),
  retries: number(integerFrom(0)).optional(),
  expectAccount: z
    .string("must be a string")
    // A list in a stack's file is JSON here.
    .transform((list) => list.split(/[\s,"[\]]+/).filter(Boolean))
    .refine((list) => list.length > 0, "is empty: set the fingerprints of the keys that may write, or remove it")
    .optional(),
  edition: z.enum(editions, "must be specification or current").optional(),
  allowUnknownValues: boolean.optional(),
  onConflict: z.enum(["fail", "overwrite"], "must be fail or overwrite").optional(),
  onUnreadable: z.enum(["fail", "delete"], "must be fail or delete").optional(),
  comparePictures: boolean.optional(),
});

export type ProviderConfig = z.output<typeof providerConfigSchema>;
export type ConfigName = keyof ProviderConfig & string;

export const configNames = Object.keys(providerConfigSchema.shape) as ConfigName[];

/** The client's options for these settings. The provider reports test keys and new enum values itself, so the client does not. */
export function connectOptions(config: ProviderConfig): ConnectOptions & { apiKey: string } {
  const { expectAccount: _, onConflict: __, onUnreadable: ___, comparePictures: ____, ...options } = config;
  const set = withoutUndefined(options) as unknown as ConnectOptions & { apiKey: string };
  return { ...set, onTestKey: () => {}, onNewValue: () => {} };
}

/** Configuration by full key, `esign:apiKey`: what `configure` receives. */
export interface Configuration {
  get(key: string): string | undefined;
}

/** A setting that cannot be used. */
export interface ConfigIssue {
  name: ConfigName;
  /** What is wrong and how to fix it. Never holds the value. */
  message: string;
}

/**
 * The value of a setting from any source, not validated. An empty value counts as absent, except for `expectAccount`: an empty CI
 * variable must not switch off the protection of an account.
 */
function rawSetting(name: ConfigName, configuration?: Configuration, environment: NodeJS.ProcessEnv = process.env) {
  const values = [configuration?.get(`esign:${name}`), environment[environmentName(name)]];
  return values.find((each) => each !== undefined && (each !== "" || name === "expectAccount"));
}

export type RawConfig = Partial<Record<ConfigName, string>>;

/** All settings, not validated. */
export function rawConfig(configuration?: Configuration, environment?: NodeJS.ProcessEnv): RawConfig {
  const raw: RawConfig = {};
  for (const name of configNames) {
    const value = rawSetting(name, configuration, environment);
    if (value !== undefined) raw[name] = value;
  }
  return raw;
}

/** The setting `allowUnknownValues`, even if other settings are missing. */
export function allowsUnknownValues(configuration?: Configuration, environment?: NodeJS.ProcessEnv): boolean {
  const value = rawSetting("allowUnknownValues", configuration, environment);
  return value === "true" || value === "1";
}

/** The setting `edition`, even if other settings are missing. */
export function configuredEdition(configuration?: Configuration, environment?: NodeJS.ProcessEnv): Edition | undefined {
  return providerConfigSchema.shape.edition.safeParse(rawSetting("edition", configuration, environment)).data;
}

/** Validates the settings. Returns all issues at once, including those about missing settings. */
export function resolveConfig(
  configuration?: Configuration,
  environment: NodeJS.ProcessEnv = process.env,
): { config: ProviderConfig; issues?: undefined } | { config?: undefined; issues: ConfigIssue[] } {
  const raw = rawConfig(configuration, environment);
  const parsed = providerConfigSchema.safeParse(raw);
  if (parsed.success) return { config: parsed.data };
  return {
    issues: parsed.error.issues.map((issue) => {
      const name = issue.path[0] as ConfigName;
      return { name, message: raw[name] === undefined ? missing(name) : issue.message };
    }),
  };
}

function missing(name: ConfigName): string {
  const command = name === "apiKey" ? `config set --secret esign:${name}` : `config set esign:${name} https://…`;
  return `is not set: \`${command}\`, an explicit esign.Provider, or the environment variable ${environmentName(name)}`;
}
