/**
 * A stack: everything one can do with it but run an operation (`update.ts`).
 */
import { rm } from "node:fs/promises";
import { writeDurably } from "../../fs/atomic-write";
import { readText } from "../../fs/optional-files";
import type {
  Consent,
  ExportedDeployment,
  HistoryEntry,
  LockInfo,
  Project,
  ResourceView,
  RunOptions,
  Stack,
  StackSummary,
} from "../api";
import type { ConfigNode } from "../config/file-values";
import type { ProjectSettings } from "../config/project-settings";
import { StackConfig } from "../config/stack-config";
import { StackSettingsFile } from "../config/stack-settings-file";
import { EngineError } from "../errors";
import type { Operation, RunResult } from "../events";
import { toPrintableMap, type ValueMap } from "../resource/property-value";
import type { PendingOperation } from "../resource/resource-state";
import { resourceView } from "../resource/resource-view";
import { STACK_TYPE } from "../resource/urn";
import { PassphraseManager, type PassphraseSources } from "../secrets/passphrase-sources";
import { deserializeDeployment, encryptedResources, serializeDeployment, versionOf } from "../state/checkpoint";
import { hasCiphertext } from "../state/serializer";
import type { FileBackend } from "./file-backend";
import { checkImport, importSource, rejectLoss } from "./import-state";
import { findVersion } from "./rollback/earlier-state";
import { PreparedServices } from "./services/prepared-services";
import type { ProviderOptions } from "./services/run-services";
import { openSecrets, saltOf } from "./stack-secrets";
import { StackState } from "./stack-state";
import { runOperation } from "./update";
import type { UpdateTarget } from "./update-context";

/** The configuration in an entry of the history. */
const configOf = ({ config }: Record<string, unknown>): Map<string, ConfigNode> =>
  new Map(Object.entries((config as Record<string, ConfigNode> | undefined) ?? {}));

/** The project that a stack belongs to. */
export interface StackOwner extends Project {
  openStack(name: string): Promise<FileStack>;
}

export class FileStack implements Stack, UpdateTarget {
  /** Decrypts and encrypts its secrets. */
  readonly passphrases: PassphraseManager;
  readonly config: StackConfig;
  readonly state: StackState;
  readonly #prepared: PreparedServices = new PreparedServices(this);
  readonly prepare = this.#prepared.start;
  readonly takeServices = this.#prepared.take;
  readonly close = this.#prepared.close;

  constructor(
    readonly name: string,
    readonly project: StackOwner,
    readonly settings: ProjectSettings,
    readonly backend: FileBackend,
    readonly env: NodeJS.ProcessEnv,
    readonly providers: ProviderOptions,
    passphrases: PassphraseSources,
  ) {
    this.passphrases = new PassphraseManager(name, env, passphrases);
    this.state = new StackState(name, backend, async (checkpoint, writes) => {
      const secrets = await openSecrets(this.passphrases, checkpoint, await this.readSettingsFile(), writes);
      return secrets.serializer;
    });
    // The state may be inaccessible, and is not needed for the configuration.
    const stateSalt = () => this.#stateSalt();
    const deployed = async () => {
      const [last] = await backend.history(name, 0, 1);
      return last && configOf(last);
    };
    this.config = new StackConfig(name, settings, this.passphrases, () => this.readSettingsFile(), stateSalt, deployed);
  }

  get configFile(): string {
    return this.#configFileOf(this.name);
  }
  #configFileOf(stack: string): string {
    return this.settings.stackConfigFile(stack);
  }
  readSettingsFile(): Promise<StackSettingsFile> {
    return StackSettingsFile.read(this.configFile, this.settings.name);
  }

  async #stateSalt(): Promise<string | undefined> {
    return (await this.backend.exists(this.name)) ? saltOf(await this.backend.load(this.name)) : undefined;
  }

  /** The salt of its encryption: of the configuration file, or else of the state. */
  async salt(): Promise<string | undefined> {
    return (await this.readSettingsFile()).salt ?? (await this.#stateSalt());
  }

  /** @param shared the salt of another stack, whose encryption key this one shares */
  async create(shared?: string): Promise<void> {
    const file = await this.readSettingsFile();
    const { passphrases } = this;
    const own = () => (shared === undefined ? passphrases.createCrypter() : passphrases.shareCrypter(shared));
    const crypter = await (file.salt === undefined ? own() : passphrases.openCrypter(file.salt));
    if (file.salt === undefined) {
      file.salt = crypter.salt;
      await file.save();
    }
    await this.backend.create(this.name, crypter);
  }

  async summary(): Promise<Pick<StackSummary, "lastUpdate" | "resourceCount">> {
    try {
      const { latest } = await this.backend.load(this.name);
      const { resources = [], manifest } = (latest ?? {}) as { resources?: unknown[]; manifest?: { time?: string } };
      return { resourceCount: resources.length, ...(manifest?.time && { lastUpdate: manifest.time }) };
    } catch {
      // A list of stacks does not fail because of one of them.
      return {};
    }
  }

  run(operation: Operation, options: RunOptions = {}): Promise<RunResult> {
    return runOperation(this, operation, options);
  }

  /** The stack's outputs, with secrets decrypted, as references from other stacks need them, or encrypted. */
  async rawOutputs(showSecrets = true): Promise<ValueMap> {
    return (await this.state.resources(showSecrets)).find((r) => r.type === STACK_TYPE && !r.delete)?.outputs ?? {};
  }

  async outputsOf(stack: string): Promise<ValueMap> {
    return (await this.project.openStack(stack)).rawOutputs();
  }

  async outputs({ showSecrets = false } = {}): Promise<Record<string, unknown>> {
    return toPrintableMap(await this.rawOutputs(showSecrets), showSecrets);
  }

  async resources({ showSecrets = false } = {}): Promise<ResourceView[]> {
    return (await this.state.resources(showSecrets)).map((resource) => resourceView(resource, showSecrets));
  }

  async history({ showSecrets = false, from = 0, count = Number.POSITIVE_INFINITY } = {}): Promise<HistoryEntry[]> {
    const entries = await this.backend.history(this.name, from, count);
    return Promise.all(entries.map((entry) => this.#describeEntry(entry, showSecrets)));
  }

  async findVersion(version: number | "previous"): Promise<number> {
    return findVersion(this.name, await this.backend.history(this.name), version).version;
  }

  async #describeEntry(e: Record<string, unknown> & { version: number }, showSecrets: boolean): Promise<HistoryEntry> {
    return {
      kind: String(e.kind),
      startTime: new Date((Number(e.startTime) || 0) * 1000).toISOString(),
      endTime: new Date((Number(e.endTime) || 0) * 1000).toISOString(),
      message: String(e.message ?? ""),
      result: e.result as HistoryEntry["result"],
      resourceChanges: (e.resourceChanges as Record<string, number> | undefined) ?? {},
      version: e.version,
      environment: (e.environment as Record<string, string> | undefined) ?? {},
      config: await this.config.describe(configOf(e), showSecrets),
    };
  }

  async export({ showSecrets = false } = {}): Promise<ExportedDeployment> {
    if (!showSecrets) {
      const { latest } = await this.backend.load(this.name);
      return { ...versionOf(encryptedResources(latest)), deployment: latest ?? {} };
    }
    const { snapshot, serializer } = await this.state.load();
    return { ...versionOf(snapshot.resources), deployment: serializeDeployment(snapshot, serializer, true) };
  }

  async import(exported: unknown, { force = false, confirm }: Consent & { force?: boolean } = {}): Promise<void> {
    const deployment = checkImport(exported);
    await this.backend.locks(this.name).run(async () => {
      const checkpoint = await this.backend.load(this.name);
      // If its secrets are in plain text, it may come from a stack with another passphrase.
      const hasSecrets = hasCiphertext(JSON.stringify(deployment));
      const from = { ...checkpoint, latest: hasSecrets ? deployment : checkpoint.latest, hasSecrets };
      const { serializer } = await openSecrets(this.passphrases, from, await this.readSettingsFile(), true);
      const snapshot = deserializeDeployment(structuredClone(deployment), serializer, importSource);
      if (!force) rejectLoss(this.name, checkpoint, snapshot);
      await confirm?.();
      await this.state.replace({ checkpoint, snapshot, serializer });
    });
  }

  async remove({
    force = false,
    preserveConfig = false,
    confirm,
  }: Consent & { force?: boolean; preserveConfig?: boolean } = {}): Promise<void> {
    await this.backend.locks(this.name).run(async () => {
      const { latest } = await this.backend.load(this.name);
      const count = (latest?.resources as unknown[] | undefined)?.length ?? 0;
      if (count > 0 && !force)
        throw new EngineError(
          `stack ${this.name} still has ${count} resources. Destroy them first, or use --force to remove the stack and leave them in the account`,
        );
      const { pending_operations: operations = [] } = (latest ?? {}) as { pending_operations?: PendingOperation[] };
      const pending = operations.map(({ resource, type }) => `${resource.urn} (${type})`);
      if (pending.length > 0 && !force)
        throw new EngineError(
          `stack ${this.name} was interrupted at ${pending.join(", ")}. Run up and destroy, or refresh --clear-pending-creates; or use --force to remove the stack and leave in the account what it may have created`,
        );
      await confirm?.();
      await this.backend.remove(this.name);
      if (!preserveConfig) await rm(this.configFile, { force: true });
    });
  }

  /**
   * Either the old stack or the new one is complete at any time, and the old state is removed last: after a kill, the rename
   * can be repeated. `select` is called when the new stack is complete.
   */
  async rename(name: string, select: () => Promise<void>): Promise<void> {
    if (name === this.name) throw new EngineError(`the stack is called ${name} already`);
    const locks = [this.backend.locks(this.name), this.backend.locks(name)] as const;
    await locks[0].run(() => locks[1].run(() => this.#moveTo(name, select)));
  }

  async #moveTo(name: string, select: () => Promise<void>): Promise<void> {
    const state = this.backend.renamed(this.name, name, await this.backend.load(this.name));
    // A stack with this state under the new name was written by an earlier attempt.
    const isRepeated = await this.backend.holds(name, state);
    if (!isRepeated && (await this.backend.exists(name)))
      throw new EngineError(`there is a stack ${name} already in ${this.backend.folder}`);
    const [config, to] = [await readText(this.configFile), this.#configFileOf(name)];
    const existing = await readText(to);
    if (existing !== undefined && existing !== config && !(isRepeated && config === undefined))
      throw new EngineError(`${to} is the configuration of another stack ${name}: move it away first`, "invalid");
    if (config !== undefined) await writeDurably(to, config);
    await this.backend.move(this.name, name, state);
    await select();
    await rm(this.configFile, { force: true });
    await this.backend.remove(this.name);
  }

  async tags(): Promise<Record<string, string>> {
    return this.backend.tags(this.name);
  }
  setTags(tags: Record<string, string>): Promise<void> {
    return this.backend.writeTags(this.name, tags);
  }

  locks(): Promise<LockInfo[]> {
    return this.backend.locks(this.name).list();
  }
  cancel(): Promise<number> {
    return this.backend.locks(this.name).clear();
  }

  async isConfigured(): Promise<boolean> {
    return (await readText(this.configFile)) !== undefined;
  }
}
