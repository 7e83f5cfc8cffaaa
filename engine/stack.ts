/**
 * A stack: everything one can do with it but run an operation (run.ts).
 */
import { rm } from "node:fs/promises";
import path from "node:path";
import type {
  ConfigValue,
  ExportedDeployment,
  HistoryEntry,
  LockInfo,
  OpenOptions,
  Project,
  ResourceView,
  RunOptions,
  Stack,
  StackSummary,
} from "./api";
import {
  type Backend,
  type Checkpoint,
  checkDeployment,
  checkVersion,
  closeDeployment,
  openDeployment,
  versionOf,
} from "./backend";
import { fullKey, hasSecure, type RawValue, resolve, StackFile, sortedJson, withPath } from "./config";
import { EngineError } from "./errors";
import type { Operation, RunResult } from "./events";
import { readText } from "./files";
import { assertIntegrity } from "./integrity";
import type { ProjectSettings } from "./project";
import { runOperation } from "./run";
import { Crypter } from "./secrets";
import { type Deployment, type ResourceState, referencesOf, StateCodec } from "./state";
import { isProviderType, nameOf, providerUrnOf, STACK_TYPE, stackOf } from "./urn";
import { redactMap, type ValueMap } from "./values";

export class StackHandle implements Stack {
  private readonly crypters = new Map<string, Promise<Crypter>>();
  private phrase: Promise<string> | undefined;

  constructor(
    readonly name: string,
    readonly project: Project,
    readonly settings: ProjectSettings,
    readonly store: Backend,
    readonly env: NodeJS.ProcessEnv,
    private readonly askPassphrase: OpenOptions["passphrase"],
  ) {}

  // ------------------------------------------------------------------------------------------------------- secrets

  get configFile(): string {
    return path.join(this.settings.stackConfigDirectory, `Pulumi.${this.name}.yaml`);
  }
  file(): Promise<StackFile> {
    return StackFile.read(this.configFile, this.settings.name);
  }

  private passphrase(purpose: "existing" | "new"): Promise<string> {
    this.phrase ??= (async () => {
      const { PULUMI_CONFIG_PASSPHRASE: given, PULUMI_CONFIG_PASSPHRASE_FILE: file } = this.env;
      if (given !== undefined) return given;
      if (file) {
        const text = await readText(file);
        if (text === undefined)
          throw new EngineError(`PULUMI_CONFIG_PASSPHRASE_FILE names ${file}, which does not exist`, "passphrase");
        return text.trim();
      }
      if (this.askPassphrase) return this.askPassphrase(purpose, this.name);
      throw new EngineError(
        `stack ${this.name} keeps its secrets encrypted with a passphrase: set PULUMI_CONFIG_PASSPHRASE (it may be empty) or PULUMI_CONFIG_PASSPHRASE_FILE`,
        "passphrase",
      );
    })();
    return this.phrase;
  }

  /** Opens a salt with the passphrase; the key is made once. */
  private async crypter(salt: string): Promise<Crypter> {
    const crypter = await this.crypterFor(salt);
    await crypter.ready();
    return crypter;
  }

  /** The same, without making the key yet. */
  private crypterFor(salt: string): Promise<Crypter> {
    let crypter = this.crypters.get(salt);
    if (crypter === undefined) {
      crypter = this.passphrase("existing").then((p) => Crypter.later(p, salt));
      crypter.catch(() => this.crypters.delete(salt));
      this.crypters.set(salt, crypter);
    }
    return crypter;
  }

  private async newCrypter(): Promise<Crypter> {
    const crypter = await Crypter.create(await this.passphrase("new"));
    this.crypters.set(crypter.salt, Promise.resolve(crypter));
    return crypter;
  }

  /**
   * What is needed to open and to write this stack's secrets. With `writes`, there is always something to write with;
   * without, only if there is something to open.
   */
  async open(
    checkpoint: Checkpoint,
    file: StackFile,
    writes: boolean,
  ): Promise<{ codec: StateCodec; config: Crypter | undefined }> {
    const stateSalt = (checkpoint.latest?.secrets_providers as { state?: { salt?: string } } | undefined)?.state?.salt;
    const stateHasSecrets = checkpoint.hasSecrets;
    const configHasSecrets = [...file.values().values()].some(hasSecure);
    const configSalt = file.salt ?? stateSalt;
    const reading = stateHasSecrets && stateSalt !== undefined ? await this.crypter(stateSalt) : undefined;
    let config: Crypter | undefined;
    if (writes || configHasSecrets) {
      if (configSalt !== undefined)
        // Where there is no secret yet, the key is made when one comes up.
        config = await (configHasSecrets ? this.crypter(configSalt) : this.crypterFor(configSalt));
      else if (writes) {
        config = await this.newCrypter();
        file.salt = config.salt;
        await file.save();
      }
    }
    return { codec: new StateCodec(reading, config ?? reading), config };
  }

  // --------------------------------------------------------------------------------------------------------- state

  async create(): Promise<void> {
    const file = await this.file();
    const crypter = file.salt === undefined ? await this.newCrypter() : await this.crypter(file.salt);
    if (file.salt === undefined) {
      file.salt = crypter.salt;
      await file.save();
    }
    await this.store.create(this.name, crypter);
  }

  async summary(): Promise<Pick<StackSummary, "lastUpdate" | "resourceCount">> {
    try {
      const { latest } = await this.store.load(this.name);
      const resources = latest?.resources as unknown[] | undefined;
      const time = (latest?.manifest as { time?: string } | undefined)?.time;
      return resources === undefined
        ? {}
        : { resourceCount: resources.length, ...(time !== undefined && { lastUpdate: time }) };
    } catch {
      // A list of stacks is no place to fail for one of them.
      return {};
    }
  }

  private async load(writes = false): Promise<{ checkpoint: Checkpoint; deployment: Deployment; codec: StateCodec }> {
    const checkpoint = await this.store.load(this.name);
    const { codec } = await this.open(checkpoint, await this.file(), writes);
    return { checkpoint, deployment: openDeployment(checkpoint.latest, codec), codec };
  }

  /** Changes the state under the lock. */
  private async edit<T>(change: (d: Deployment) => T | Promise<T>): Promise<T> {
    const lock = await this.store.locks(this.name).take(this.name);
    try {
      const { checkpoint, deployment, codec } = await this.load(true);
      await this.store.backup(this.name);
      const result = await change(deployment);
      assertIntegrity(deployment.resources, "the state after this change");
      await this.store.writer(this.name, checkpoint, codec).write(deployment);
      return result;
    } finally {
      await lock.release();
    }
  }

  run(operation: Operation, options: RunOptions = {}): Promise<RunResult> {
    return runOperation(this, operation, options);
  }

  /** The stack's outputs with their secrets open; for references from other stacks, too. */
  async rawOutputs(): Promise<ValueMap> {
    const { deployment } = await this.load();
    return deployment.resources.find((r) => r.type === STACK_TYPE && !r.delete)?.outputs ?? {};
  }

  async outputs({ showSecrets = false } = {}): Promise<Record<string, unknown>> {
    return redactMap(await this.rawOutputs(), showSecrets);
  }

  async resources({ showSecrets = false } = {}): Promise<ResourceView[]> {
    const { deployment } = await this.load();
    return deployment.resources.map((r) => ({
      urn: r.urn,
      type: r.type,
      name: nameOf(r.urn),
      ...(r.id !== undefined && { id: r.id }),
      ...(r.parent !== undefined && { parent: r.parent }),
      custom: r.custom,
      protect: r.protect === true,
      delete: r.delete === true,
      inputs: redactMap(r.inputs ?? {}, showSecrets),
      outputs: redactMap(r.outputs ?? {}, showSecrets),
    }));
  }

  async history(): Promise<HistoryEntry[]> {
    return (await this.store.history(this.name)).map((e) => ({
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
    const { checkpoint, deployment, codec } = await this.load();
    const version = versionOf(deployment.resources);
    if (!showSecrets) return { ...version, deployment: checkpoint.latest ?? {} };
    return { ...version, deployment: closeDeployment(deployment, codec, true) };
  }

  async import(given: unknown, { force = false } = {}): Promise<void> {
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
    checkDeployment(outer.deployment, fail);
    const lock = await this.store.locks(this.name).take(this.name);
    try {
      const checkpoint = await this.store.load(this.name);
      const { codec } = await this.open(
        { ...checkpoint, latest: outer.deployment, hasSecrets: true },
        await this.file(),
        true,
      );
      const incoming = openDeployment(outer.deployment, codec);
      const strangers = incoming.resources.filter((r) => stackOf(r.urn) !== this.name).map((r) => r.urn);
      if (strangers.length > 0 && !force)
        throw new EngineError(
          `${strangers.length} resources of this deployment belong to another stack, first ${strangers[0]}; force the import if that is meant`,
        );
      await this.store.backup(this.name);
      await this.store.writer(this.name, checkpoint, codec).write(incoming);
    } finally {
      await lock.release();
    }
  }

  async remove({ force = false, preserveConfig = false } = {}): Promise<void> {
    const lock = await this.store.locks(this.name).take(this.name);
    try {
      const { latest } = await this.store.load(this.name);
      const count = (latest?.resources as unknown[] | undefined)?.length ?? 0;
      if (count > 0 && !force)
        throw new EngineError(
          `stack ${this.name} still has ${count} resources: destroy them first, or force the removal to forget them (they would go on existing)`,
        );
      await this.store.remove(this.name);
      if (!preserveConfig) await rm(this.configFile, { force: true });
    } finally {
      await lock.release();
    }
  }

  // --------------------------------------------------------------------------------------------------------- locks

  locks(): Promise<LockInfo[]> {
    return this.store.locks(this.name).list();
  }
  cancel(): Promise<number> {
    return this.store.locks(this.name).clear();
  }

  // -------------------------------------------------------------------------------------------------------- config

  async config({ showSecrets = false } = {}): Promise<Map<string, ConfigValue>> {
    const file = await this.file();
    const values = file.values();
    const salt = file.salt;
    const crypter =
      showSecrets && salt !== undefined && [...values.values()].some(hasSecure) ? await this.crypter(salt) : undefined;
    // Values that Pulumi.yaml asks for but nobody set are simply not there: this only looks.
    const declared = new Map(
      [...this.settings.declarations].filter(([k, d]) => values.has(k) || (d.default ?? d.value) !== undefined),
    );
    const hidden = new Map<string, RawValue>();
    if (crypter === undefined) for (const [k, v] of values) if (hasSecure(v)) hidden.set(k, v);
    const open = new Map([...values].filter(([k]) => !hidden.has(k)));
    for (const k of hidden.keys()) declared.delete(k);
    const resolved = resolve({
      project: this.settings.name,
      stack: this.name,
      values: open,
      declarations: declared,
      crypter,
    });
    const result = new Map<string, ConfigValue>();
    for (const key of [...resolved.keys(), ...hidden.keys()].sort()) {
      const setting = resolved.get(key);
      result.set(
        key,
        setting === undefined ? { value: "[secret]", secret: true } : { value: setting.text, secret: setting.secret },
      );
    }
    return result;
  }

  async setConfig(given: string, value: string, { secret = false, path: isPath = false } = {}): Promise<void> {
    const file = await this.file();
    const [key, inner] = splitPath(fullKey(this.settings.name, given), isPath);
    let raw: RawValue = isPath && !secret ? typed(value) : value;
    if (secret) {
      const crypter = file.salt === undefined ? await this.newCrypter() : await this.crypter(file.salt);
      file.salt = crypter.salt;
      raw = { secure: crypter.encrypt(value) };
    }
    file.set(key, inner === "" ? raw : (withPath(key, file.values().get(key), inner, raw) as RawValue));
    await file.save();
  }

  async removeConfig(given: string, { path: isPath = false } = {}): Promise<void> {
    const file = await this.file();
    const [key, inner] = splitPath(fullKey(this.settings.name, given), isPath);
    const current = file.values().get(key);
    if (current === undefined) throw new EngineError(`stack ${this.name} has no configuration ${key}`, "not-found");
    const left = inner === "" ? undefined : withPath(key, current, inner, undefined);
    if (left === undefined) file.delete(key);
    else file.set(key, left);
    await file.save();
  }

  // --------------------------------------------------------------------------------------------- edits of the state

  private mark(urns: string[] | "all", change: (r: ResourceState) => boolean): Promise<number> {
    return this.edit((d) => {
      if (urns !== "all")
        for (const urn of urns)
          if (!d.resources.some((r) => r.urn === urn))
            throw new EngineError(`there is no resource ${urn} in stack ${this.name}`, "not-found");
      return d.resources.filter((r) => (urns === "all" || urns.includes(r.urn)) && change(r)).length;
    });
  }
  private flag(urns: string[] | "all", field: "protect" | "taint", on: boolean): Promise<number> {
    return this.mark(urns, (r) => {
      if ((r[field] === true) === on || (field === "taint" && (!r.custom || isProviderType(r.type)) && urns === "all"))
        return false;
      if (on) r[field] = true;
      else delete r[field];
      return true;
    });
  }
  unprotect(urns: string[] | "all"): Promise<number> {
    return this.flag(urns, "protect", false);
  }
  protect(urns: string[] | "all"): Promise<number> {
    return this.flag(urns, "protect", true);
  }
  taint(urns: string[] | "all"): Promise<number> {
    return this.flag(urns, "taint", true);
  }
  untaint(urns: string[] | "all"): Promise<number> {
    return this.flag(urns, "taint", false);
  }

  deleteResource(urn: string, { force = false, targetDependents = false } = {}): Promise<void> {
    return this.edit((d) => {
      const found = d.resources.filter((r) => r.urn === urn);
      if (found.length === 0) throw new EngineError(`there is no resource ${urn} in stack ${this.name}`, "not-found");
      if (found.length > 1)
        throw new EngineError(
          `there are ${found.length} resources ${urn}, old versions among them: run an update, which deletes those, first`,
        );
      const gone = new Set([urn]);
      for (const r of d.resources)
        if (
          referencesOf(r).some((ref) => gone.has(ref.urn)) ||
          (r.provider !== undefined && gone.has(providerUrnOf(r.provider)))
        ) {
          if (!targetDependents)
            throw new EngineError(
              `${r.urn} depends on ${urn}: forget it first, or forget what depends on it, too (--target-dependents)`,
            );
          gone.add(r.urn);
        }
      const guarded = d.resources.find((r) => gone.has(r.urn) && r.protect);
      if (guarded !== undefined && !force)
        throw new EngineError(`${guarded.urn} is protected: unprotect it first, or force its removal from the state`);
      d.resources = d.resources.filter((r) => !gone.has(r.urn));
    });
  }
}

/** `ns:name.part[0]` as the key and the path below it. */
function splitPath(key: string, isPath: boolean): [key: string, inner: string] {
  if (!isPath) return [key, ""];
  const match = /^([^:]+:[^.[\]]+)(?:\.?(.*))$/s.exec(key);
  return match ? [match[1] as string, match[2] as string] : [key, ""];
}

/** In an object a value has a type: true, 12 and "text". */
function typed(text: string): RawValue {
  if (text === "true" || text === "false") return text === "true";
  if (/^(0|-?[1-9]\d*)$/.test(text)) return BigInt(text);
  return text;
}

/** Configuration for the history: as it stands in the file. */
export const historyConfig = (values: Map<string, RawValue>): Record<string, unknown> =>
  Object.fromEntries([...values].map(([k, v]) => [k, JSON.parse(sortedJson(v)) as unknown]));
