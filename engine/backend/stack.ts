/**
 * A stack: everything one can do with it but run an operation (update.ts).
 */
import { rm } from "node:fs/promises";
import { writeDurably } from "../../fs/atomic-write";
import { readText } from "../../fs/files";
import type {
  ConfigValue,
  Consent,
  ExportedDeployment,
  HistoryEntry,
  LockInfo,
  OpenOptions,
  Project,
  ResourceView,
  RunOptions,
  Stack,
  StackSummary,
} from "../api";
import type { ProjectSettings } from "../config/project-settings";
import { StackConfig } from "../config/stack-config";
import { StackSettingsFile } from "../config/stack-settings";
import { EngineError } from "../errors";
import type { Operation, RunResult } from "../events";
import { toPrintableMap, type ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/state";
import { nameOf, STACK_TYPE, stackOf } from "../resource/urn";
import { PassphraseManager } from "../secrets/passphrase";
import {
  type Checkpoint,
  checkDeployment,
  checkVersion,
  deserializeDeployment,
  encryptedResources,
  serializeDeployment,
  versionOf,
} from "../state/checkpoint";
import { deleteFromState, renameInState, setFlag } from "../state/edit";
import { assertIntegrity, newState } from "../state/integrity";
import { hasCiphertext, type ResourceSerializer } from "../state/serializer";
import type { Snapshot } from "../state/snapshot";
import type { FileBackend } from "./file-backend";
import { openSecrets, saltOf } from "./stack-secrets";
import { runOperation } from "./update";
import type { UpdateTarget } from "./update-context";

/** The project that a stack belongs to. */
export interface StackOwner extends Project {
  openStack(name: string): Promise<FileStack>;
}

export class FileStack implements Stack, UpdateTarget {
  /** What its secrets are opened and closed with. */
  readonly passphrases: PassphraseManager;

  constructor(
    readonly name: string,
    readonly project: StackOwner,
    readonly settings: ProjectSettings,
    readonly backend: FileBackend,
    readonly env: NodeJS.ProcessEnv,
    askPassphrase: OpenOptions["passphrase"],
  ) {
    this.passphrases = new PassphraseManager(name, env, askPassphrase);
  }

  get configFile(): string {
    return this.configFileOf(this.name);
  }
  private configFileOf(stack: string): string {
    return this.settings.stackConfigFile(stack);
  }
  readSettingsFile(): Promise<StackSettingsFile> {
    return StackSettingsFile.read(this.configFile, this.settings.name);
  }

  // --------------------------------------------------------------------------------------------------------- state

  async create(): Promise<void> {
    const file = await this.readSettingsFile();
    const crypter =
      file.salt === undefined ? await this.passphrases.createCrypter() : await this.passphrases.openCrypter(file.salt);
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
      // A list of stacks is no place to fail for one of them.
      return {};
    }
  }

  private async load(
    writes = false,
  ): Promise<{ checkpoint: Checkpoint; deployment: Snapshot; serializer: ResourceSerializer }> {
    const checkpoint = await this.backend.load(this.name);
    const { serializer } = await openSecrets(this.passphrases, checkpoint, await this.readSettingsFile(), writes);
    return { checkpoint, deployment: deserializeDeployment(checkpoint.latest, serializer), serializer };
  }

  /** Changes the state under the lock. */
  private async withLockedState<T>(change: (d: Snapshot) => T | Promise<T>, confirm?: Consent["confirm"]): Promise<T> {
    const lock = await this.backend.locks(this.name).take(this.name);
    try {
      const { checkpoint, deployment, serializer } = await this.load(true);
      const result = await change(deployment);
      assertIntegrity(deployment.resources, newState("the state after this change"));
      await confirm?.();
      await this.backend.backup(this.name);
      await this.backend.writer(this.name, checkpoint, serializer).write(deployment);
      return result;
    } finally {
      await lock.release();
    }
  }

  run(operation: Operation, options: RunOptions = {}): Promise<RunResult> {
    return runOperation(this, operation, options);
  }

  /** What is in the state; without a look at its secrets, which needs no passphrase, those are closed. */
  private async readResources(showSecrets: boolean): Promise<ResourceState[]> {
    if (showSecrets) return (await this.load()).deployment.resources;
    return encryptedResources((await this.backend.load(this.name)).latest);
  }

  /** The stack's outputs, with their secrets open as references from other stacks need them, or closed. */
  async rawOutputs(showSecrets = true): Promise<ValueMap> {
    return (await this.readResources(showSecrets)).find((r) => r.type === STACK_TYPE && !r.delete)?.outputs ?? {};
  }

  async outputsOf(stack: string): Promise<ValueMap> {
    return (await this.project.openStack(stack)).rawOutputs();
  }

  async outputs({ showSecrets = false } = {}): Promise<Record<string, unknown>> {
    return toPrintableMap(await this.rawOutputs(showSecrets), showSecrets);
  }

  async resources({ showSecrets = false } = {}): Promise<ResourceView[]> {
    return (await this.readResources(showSecrets)).map((r) => ({
      urn: r.urn,
      type: r.type,
      name: nameOf(r.urn),
      ...(r.id !== undefined && { id: r.id }),
      ...(r.parent !== undefined && { parent: r.parent }),
      custom: r.custom,
      protect: r.protect === true,
      delete: r.delete === true,
      inputs: toPrintableMap(r.inputs ?? {}, showSecrets),
      outputs: toPrintableMap(r.outputs ?? {}, showSecrets),
    }));
  }

  async history(): Promise<HistoryEntry[]> {
    return (await this.backend.history(this.name)).map((e) => ({
      kind: String(e.kind),
      startTime: new Date(Number(e.startTime) * 1000).toISOString(),
      endTime: new Date(Number(e.endTime) * 1000).toISOString(),
      message: String(e.message ?? ""),
      result: e.result as HistoryEntry["result"],
      resourceChanges: (e.resourceChanges as Record<string, number> | undefined) ?? {},
      version: Number(e.version ?? 0),
    }));
  }

  async export({ showSecrets = false } = {}): Promise<ExportedDeployment> {
    if (!showSecrets) {
      const { latest } = await this.backend.load(this.name);
      return { ...versionOf(encryptedResources(latest)), deployment: latest ?? {} };
    }
    const { deployment, serializer } = await this.load();
    return { ...versionOf(deployment.resources), deployment: serializeDeployment(deployment, serializer, true) };
  }

  async import(given: unknown, { force = false, confirm }: Consent & { force?: boolean } = {}): Promise<void> {
    const fail = (what: string): never => {
      throw new EngineError(
        `this deployment ${what}, which the embedded engine does not know; import it with the Pulumi CLI`,
      );
    };
    const outer = given as { version?: unknown; features?: unknown[]; deployment?: Record<string, unknown> } | null;
    if (
      outer === null ||
      typeof outer !== "object" ||
      typeof outer.deployment !== "object" ||
      outer.deployment === null
    )
      throw new EngineError(
        'a deployment to import is an object {"version": 3, "deployment": {…}}, as exported',
        "invalid",
      );
    checkVersion(outer.version, outer.features, fail);
    const origin = {
      what: "what is to be imported",
      remedy: "Nothing was imported; export it again, or repair it there",
    };
    checkDeployment(outer.deployment, origin, fail);
    const lock = await this.backend.locks(this.name).take(this.name);
    try {
      const checkpoint = await this.backend.load(this.name);
      // With its secrets in clear it may come from a stack with another passphrase.
      const hasSecrets = hasCiphertext(JSON.stringify(outer.deployment));
      const from = { ...checkpoint, latest: hasSecrets ? outer.deployment : checkpoint.latest, hasSecrets };
      const { serializer } = await openSecrets(this.passphrases, from, await this.readSettingsFile(), true);
      const incoming = deserializeDeployment(structuredClone(outer.deployment), serializer, origin);
      const strangers = incoming.resources.filter((r) => stackOf(r.urn) !== this.name).map((r) => r.urn);
      if (strangers.length > 0 && !force)
        throw new EngineError(
          `${strangers.length} resources of this deployment belong to another stack, first ${strangers[0]}; force the import if that is meant`,
        );
      await confirm?.();
      await this.backend.backup(this.name);
      await this.backend.writer(this.name, checkpoint, serializer).write(incoming);
    } finally {
      await lock.release();
    }
  }

  async remove({
    force = false,
    preserveConfig = false,
    confirm,
  }: Consent & { force?: boolean; preserveConfig?: boolean } = {}): Promise<void> {
    const lock = await this.backend.locks(this.name).take(this.name);
    try {
      const { latest } = await this.backend.load(this.name);
      const count = (latest?.resources as unknown[] | undefined)?.length ?? 0;
      if (count > 0 && !force)
        throw new EngineError(
          `stack ${this.name} still has ${count} resources: destroy them first, or force the removal to forget them (they would go on existing)`,
        );
      await confirm?.();
      await this.backend.remove(this.name);
      if (!preserveConfig) await rm(this.configFile, { force: true });
    } finally {
      await lock.release();
    }
  }

  /**
   * At no moment is there less than the old stack or the new one, and the old one's state goes last: what was killed in
   * between can be repeated. `select` is called when the new one is complete.
   */
  async rename(name: string, select: () => Promise<void>): Promise<void> {
    if (name === this.name) throw new EngineError(`the stack is called ${name} already`);
    const lock = await this.backend.locks(this.name).take(this.name);
    try {
      const other = await this.backend.locks(name).take(name);
      try {
        const state = this.backend.renamed(this.name, name, await this.backend.load(this.name));
        // A stack with this state under the new name is what an earlier attempt has made.
        const begun = await this.backend.holds(name, state);
        if (!begun && (await this.backend.exists(name)))
          throw new EngineError(`there is a stack ${name} already in ${this.backend.folder}`);
        const [config, to] = [await readText(this.configFile), this.configFileOf(name)];
        const there = await readText(to);
        if (there !== undefined && there !== config && !(begun && config === undefined))
          throw new EngineError(`${to} is the configuration of another stack ${name}: move it away first`, "invalid");
        if (config !== undefined) await writeDurably(to, config);
        await this.backend.move(this.name, name, state);
        await select();
        await rm(this.configFile, { force: true });
        await this.backend.remove(this.name);
      } finally {
        await other.release();
      }
    } finally {
      await lock.release();
    }
  }

  // --------------------------------------------------------------------------------------------------------- locks

  locks(): Promise<LockInfo[]> {
    return this.backend.locks(this.name).list();
  }
  cancel(): Promise<number> {
    return this.backend.locks(this.name).clear();
  }

  // -------------------------------------------------------------------------------------------------------- config

  private async configuration(): Promise<StackConfig> {
    // Where the configuration alone is asked for, the state may be out of reach.
    const stateSalt = async () =>
      (await this.backend.exists(this.name)) ? saltOf(await this.backend.load(this.name)) : undefined;
    return new StackConfig(this.name, this.settings, this.passphrases, await this.readSettingsFile(), stateSalt);
  }
  async isConfigured(): Promise<boolean> {
    return (await readText(this.configFile)) !== undefined;
  }
  async config(options: { showSecrets?: boolean } = {}): Promise<Map<string, ConfigValue>> {
    return (await this.configuration()).show(options);
  }
  async getConfig(key: string, options: { path?: boolean } = {}): Promise<ConfigValue | undefined> {
    return (await this.configuration()).get(key, options);
  }
  async setConfig(key: string, value: string, options: { secret?: boolean; path?: boolean } = {}): Promise<void> {
    await (await this.configuration()).set(key, value, options);
  }
  async removeConfig(key: string, options: { path?: boolean } = {}): Promise<void> {
    await (await this.configuration()).remove(key, options);
  }

  // --------------------------------------------------------------------------------------------- edits of the state

  unprotect(urns: string[] | "all"): Promise<number> {
    return this.withLockedState((d) => setFlag(d, urns, "protect", false));
  }
  protect(urns: string[] | "all"): Promise<number> {
    return this.withLockedState((d) => setFlag(d, urns, "protect", true));
  }
  taint(urns: string[] | "all"): Promise<number> {
    return this.withLockedState((d) => setFlag(d, urns, "taint", true));
  }
  untaint(urns: string[] | "all"): Promise<number> {
    return this.withLockedState((d) => setFlag(d, urns, "taint", false));
  }
  renameResource(urn: string, name: string): Promise<void> {
    return this.withLockedState((d) => renameInState(d, urn, name));
  }
  deleteResource(
    urn: string,
    { confirm, ...options }: Consent & { force?: boolean; targetDependents?: boolean } = {},
  ): Promise<void> {
    return this.withLockedState((d) => deleteFromState(d, urn, options), confirm);
  }
}
