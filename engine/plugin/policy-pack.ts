/**
 * A policy pack: one process (`cmd/run-policy-pack`), called by gRPC. Its folder has a PulumiPolicy.yaml and its own
 * @pulumi/policy.
 *
 * Used for: Analyzer, the client's side.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { readText } from "../../fs/optional-files";
import type { PolicyPackSource } from "../api";
import { mergePolicyConfig, type PolicyConfigs, type PolicyInfo, readPolicyConfigFile } from "../config/policy-config";
import type { ConfigMap } from "../config/resolve-config";
import { EngineError, messageOf } from "../errors";
import type {
  AnalyzedResource,
  EnforcementLevel,
  PolicyPack,
  PolicyViolation,
  Remediation,
} from "../resource/policy-interface";
import { isReference, mapDeep, unwrapOutputValues, type ValueMap } from "../resource/property-value";
import { nameOf } from "../resource/urn";
import { CHANNEL_OPTIONS, type Sdk } from "./node-sdk";
import { type PluginProcess, startNodePlugin } from "./plugin-process";
import { parsePluginSettings } from "./plugin-settings";

interface PolicyPackEnvironment {
  sdk: Sdk;
  project: { name: string; directory: string };
  stack: string;
  dryRun: boolean;
  config: ConfigMap;
  env: NodeJS.ProcessEnv;
  engineAddress: string;
  onLine: (line: string, stream: "stdout" | "stderr") => void;
}

// biome-ignore lint/suspicious/noExplicitAny: generated messages and clients, see node-sdk.ts
type Message = any;

const levels: readonly EnforcementLevel[] = ["advisory", "mandatory", "disabled", "remediate"];

/** Starts the process of a pack and configures its policies. @throws EngineError if something is missing or not valid */
export async function startPolicyPack(
  source: PolicyPackSource,
  environment: PolicyPackEnvironment,
): Promise<RunningPolicyPack> {
  const directory = path.resolve(source.directory);
  const version = await readVersion(directory);
  const fileConfig = source.configFile === undefined ? {} : await readPolicyConfigFile(source.configFile);
  const process = startNodePlugin(`the policy pack in ${source.directory}`, {
    // The preloads for speed are tested only with programs and providers.
    isTested: false,
    arguments: [findRunner(directory), environment.engineAddress, directory],
    cwd: directory,
    env: environmentOf(environment),
    onLine: environment.onLine,
  });
  const address = await process.address.catch((error: unknown) => {
    throw new EngineError(`${messageOf(error)}: see its output`, "invalid");
  });
  const pack = new RunningPolicyPack(environment.sdk, process, address);
  try {
    await pack.configure(environment, version, fileConfig);
  } catch (error) {
    await pack.close();
    throw error;
  }
  return pack;
}

/** The version in PulumiPolicy.yaml; if empty, the version in the pack's code applies. */
async function readVersion(directory: string): Promise<string> {
  const file = path.join(directory, "PulumiPolicy.yaml");
  const missing = (why: string) =>
    new EngineError(
      `there is no policy pack in ${directory}: ${why}. Name the folder of a pack, which has a PulumiPolicy.yaml`,
      "not-found",
    );
  const text = await readText(file).catch((error: NodeJS.ErrnoException) => {
    throw missing(error.code === "ENOTDIR" ? "it is a file" : `PulumiPolicy.yaml cannot be read (${error.code})`);
  });
  if (text === undefined) throw missing(existsSync(directory) ? "it has no PulumiPolicy.yaml" : "it does not exist");
  const { runtime, version } = parsePluginSettings(text, file);
  if (runtime !== "nodejs")
    throw new EngineError(
      `${file}: its runtime is ${JSON.stringify(runtime ?? null)}; the built-in engine runs "nodejs". Use the Pulumi CLI for this pack`,
    );
  return version === undefined ? "" : String(version);
}

function findRunner(directory: string): string {
  const require = createRequire(path.join(directory, "package.json"));
  try {
    require.resolve("@pulumi/policy");
    return require.resolve("@pulumi/pulumi/cmd/run-policy-pack");
  } catch (cause) {
    const what = existsSync(path.join(directory, "package.json")) ? "npm install" : "npm install @pulumi/policy";
    throw new EngineError(`@pulumi/policy is not installed for ${directory}: run \`${what}\` there`, "not-found", {
      cause,
    });
  }
}

const environmentOf = ({ env, project, stack, dryRun, config }: PolicyPackEnvironment): NodeJS.ProcessEnv => ({
  ...env,
  // The folder that a shell would have: packs find the project only by the current folder.
  PWD: project.directory,
  PULUMI_CONFIG: JSON.stringify(Object.fromEntries([...config].map(([key, { text }]) => [key, text]))),
  ...Object.fromEntries(
    ["PULUMI", "PULUMI_NODEJS"].flatMap((prefix) => [
      [`${prefix}_ORGANIZATION`, "organization"],
      [`${prefix}_PROJECT`, project.name],
      [`${prefix}_STACK`, stack],
      [`${prefix}_DRY_RUN`, String(dryRun)],
    ]),
  ),
});

export class RunningPolicyPack implements PolicyPack {
  label = "";
  readonly #client: Message;

  readonly #sdk: Sdk;
  readonly #process: PluginProcess;

  constructor(sdk: Sdk, process: PluginProcess, address: string) {
    this.#sdk = sdk;
    this.#process = process;
    const { AnalyzerClient } = sdk.analyzerClient();
    this.#client = new AnalyzerClient(address, sdk.grpc.credentials.createInsecure(), CHANNEL_OPTIONS);
  }

  async configure(environment: PolicyPackEnvironment, version: string, fileConfig: PolicyConfigs): Promise<void> {
    await this.#configureStack(environment);
    const info = await this.#call("getAnalyzerInfo", new this.#sdk.empty.Empty());
    this.label = `${info.getName()}@v${(version || info.getVersion()).replace(/^v/, "")}`;
    const policies: PolicyInfo[] = info.getPoliciesList().map((policy: Message) => ({
      name: policy.getName(),
      level: levels[policy.getEnforcementlevel()],
      properties: policy.getConfigschema()?.getProperties()?.toJavaScript() ?? {},
      required: policy.getConfigschema()?.getRequiredList() ?? [],
    }));
    const initial: PolicyConfigs = {};
    for (const [name, config] of info.getInitialconfigMap().entries())
      initial[name] = {
        level: levels[config.getEnforcementlevel()]!,
        properties: config.getProperties()?.toJavaScript() ?? {},
      };
    const request = new this.#message.ConfigureAnalyzerRequest();
    for (const [name, config] of Object.entries(mergePolicyConfig(this.label, policies, [initial, fileConfig]))) {
      const entry = new this.#message.PolicyConfig();
      entry.setEnforcementlevel(levels.indexOf(config.level));
      entry.setProperties(this.#struct(config.properties as ValueMap));
      request.getPolicyconfigMap().set(name, entry);
    }
    if (info.getSupportsconfig()) await this.#call("configure", request);
  }

  async #configureStack({ stack, project, dryRun, config }: PolicyPackEnvironment): Promise<void> {
    const request = new this.#message.AnalyzerStackConfigureRequest();
    request.setStack(stack);
    request.setProject(project.name);
    request.setOrganization("organization");
    request.setDryRun(dryRun);
    for (const [key, { text }] of config) request.getConfigMap().set(key, text);
    request.setConfigSecretKeysList([...config].flatMap(([key, { secret }]) => (secret ? [key] : [])));
    await this.#call("configureStack", request).catch((error: { code?: number }) => {
      // Older packs do not implement ConfigureStack.
      if (error.code !== this.#sdk.grpc.status.UNIMPLEMENTED) throw error;
    });
  }

  async remediate(resource: AnalyzedResource): Promise<Remediation[]> {
    const response = await this.#call("remediate", this.#describe("AnalyzeRequest", resource, true));
    return response.getRemediationsList().map((remediation: Message): Remediation => {
      const diagnostic: string = remediation.getDiagnostic();
      return {
        policy: remediation.getPolicyname(),
        pack: this.label,
        description: remediation.getDescription(),
        ...(diagnostic === ""
          ? { properties: (remediation.getProperties()?.toJavaScript() ?? {}) as ValueMap }
          : { diagnostic }),
      };
    });
  }

  async analyze(resource: AnalyzedResource): Promise<PolicyViolation[]> {
    return this.#violationsOf(await this.#call("analyze", this.#describe("AnalyzeRequest", resource)));
  }

  async analyzeStack(resources: readonly AnalyzedResource[]): Promise<PolicyViolation[]> {
    const request = new this.#message.AnalyzeStackRequest();
    request.setResourcesList(
      resources.map((resource) => {
        const { parent = "", dependencies = [], propertyDependencies = {} } = resource.state;
        const described = this.#describe("AnalyzerResource", resource);
        described.setParent(parent);
        described.setDependenciesList(dependencies);
        for (const [name, urns] of Object.entries(propertyDependencies)) {
          const list = new this.#message.AnalyzerPropertyDependencies();
          list.setUrnsList(urns);
          described.getPropertydependenciesMap().set(name, list);
        }
        return described;
      }),
    );
    return this.#violationsOf(await this.#call("analyzeStack", request));
  }

  /** @param isWhole with the internal properties, whose names begin with two underscores */
  #describe(message: string, resource: AnalyzedResource, isWhole = false): Message {
    const { state, properties, provider } = resource;
    const described = new this.#message[message]();
    described.setUrn(state.urn);
    described.setType(state.type);
    described.setName(nameOf(state.urn));
    described.setProperties(this.#struct(analyzedProperties(properties, isWhole)));
    described.setOptions(this.#options(resource));
    if (provider !== undefined) {
      const configured = new this.#message.AnalyzerProviderResource();
      configured.setUrn(provider.urn);
      configured.setType(provider.type);
      configured.setName(nameOf(provider.urn));
      configured.setProperties(this.#struct(analyzedProperties(provider.inputs ?? {}, false)));
      described.setProvider(configured);
    }
    return described;
  }

  #options({ state, deleteBeforeReplace, ignoreChanges }: AnalyzedResource): Message {
    const options = new this.#message.AnalyzerResourceOptions();
    options.setProtect(state.protect === true);
    options.setIgnorechangesList([...ignoreChanges]);
    options.setDeletebeforereplace(deleteBeforeReplace === true);
    options.setDeletebeforereplacedefined(deleteBeforeReplace !== undefined);
    options.setAdditionalsecretoutputsList(state.additionalSecretOutputs ?? []);
    options.setAliasesList(state.aliases ?? []);
    const timeouts = new this.#message.AnalyzerResourceOptions.CustomTimeouts();
    const { create = 0, update = 0, delete: remove = 0 } = state.customTimeouts ?? {};
    timeouts.setCreate(create);
    timeouts.setUpdate(update);
    timeouts.setDelete(remove);
    options.setCustomtimeouts(timeouts);
    options.setParent(state.parent ?? "");
    return options;
  }

  #violationsOf(response: Message): PolicyViolation[] {
    return response.getDiagnosticsList().map((diagnostic: Message): PolicyViolation => {
      const urn: string = diagnostic.getUrn();
      return {
        policy: diagnostic.getPolicyname(),
        pack: this.label,
        message: diagnostic.getMessage(),
        level: levels[diagnostic.getEnforcementlevel()] ?? "mandatory",
        ...(urn !== "" && { urn }),
      };
    });
  }

  get #message(): Message {
    return this.#sdk.analyzer();
  }

  #struct(values: ValueMap): Message {
    return this.#sdk.struct.Struct.fromJavaScript(values);
  }

  #call(method: string, request: Message): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.#client[method](request, (error: (Error & { details?: string }) | null, answer: Message) => {
        if (error === null) return resolve(answer);
        // Without gRPC's prefix, and without the stack frames of the pack's code.
        error.message = (error.details || error.message).replace(/^ +at .*$\n?/gm, "").trimEnd();
        reject(error);
      });
    });
  }

  async close(): Promise<void> {
    this.#client.close();
    this.#process.child.kill();
    await this.#process.child.ended.catch(() => undefined);
  }
}

/** Values as packs get them: with unknown values and secrets, and with a resource's id in place of a reference to it. */
function analyzedProperties(values: ValueMap, isWhole: boolean): ValueMap {
  const plain = mapDeep(unwrapOutputValues(values), (v) => (isReference(v) ? v.id || (v.urn as string) : v));
  if (isWhole) return plain;
  return Object.fromEntries(Object.entries(plain).filter(([name]) => !name.startsWith("__")));
}
