/**
 * A service, a provider for it and programs, all in memory: for tests of the engine's decisions that need neither
 * processes nor files. What is not in memory is the engine itself, with its serializer: each state is written as text.
 */

import { expect } from "vitest";
import { replay } from "../backend/rollback/replay";
import { Deferred } from "../deferred";
import { DeploymentExecutor, type DeploymentResult } from "../deploy/deployment-executor";
import { EventSink } from "../deploy/event-sink";
import type { ResourceRegistrar } from "../deploy/resource-registrar";
import type { EngineEvent } from "../events";
import type { UpdatePlan } from "../plan/constraint/update-plan";
import { Targets } from "../plan/targets/targets";
import type { ProviderRegistry } from "../plugin/provider-registry";
import { newGoal } from "../resource/goal";
import { newestPlugin } from "../resource/plugin-request";
import type { PolicyPack } from "../resource/policy-interface";
import { annotateSecrets, toProviderInputs, type Value, type ValueMap } from "../resource/property-value";
import { DiffUnavailable, OutcomeUnknown, type Provider } from "../resource/provider-interface";
import type { ResourceState } from "../resource/resource-state";
import { UNKNOWN } from "../resource/signatures";
import { nameOf, STACK_TYPE } from "../resource/urn";
import type { Crypter } from "../secrets/crypter";
import { deserializeDeployment, serializeDeployment } from "../state/checkpoint";
import { assertIntegrity, newState } from "../state/damaged-state";
import { pendingOperationsByUrn } from "../state/pending-operations";
import { ResourceSerializer } from "../state/serializer";
import type { Snapshot as State } from "../state/snapshot";
import { SnapshotManager } from "../state/snapshot-manager";

const TYPE = "pulumi-nodejs:dynamic/test:Thing";
const COMPONENT = "test:index:Group";

/** One resource of a program. References are names of resources before it. */
export interface Wish {
  name: string;
  /** What the service knows it by, which a new name in the program does not change. Default: the name. */
  key?: string;
  /** The name that it had before, as an alias. */
  alias?: string;
  component?: boolean;
  parent?: string;
  /** A change of it is an update. */
  value?: number;
  /** A change of it is a replacement. */
  kind?: number;
  /** Takes the token of another resource, which every change of that one changes. */
  uses?: string;
  /** Takes the id of another resource; a change of it is a replacement. The service deletes it with that one. */
  belongsTo?: string;
  /** Declares that to the engine, too. */
  deletedWithOwner?: boolean;
  dependsOn?: string[];
  deleteBeforeReplace?: boolean;
  protect?: boolean;
  retainOnDelete?: boolean;
  ignoreChanges?: string[];
  additionalSecretOutputs?: string[];
}

/** Closes and opens by turning a text around: as good as any for what is tested here. */
const turned = (text: string): string => [...text].reverse().join("");
const serializer = new ResourceSerializer({ salt: "s", encrypt: turned, decrypt: turned } as unknown as Crypter);

export class World {
  /** What exists in the service, by id. */
  readonly objects = new Map<string, ValueMap>();
  /** Ids of objects that the engine had to leave behind. */
  readonly retained = new Set<string>();
  /** What the program of a destruction retains, which need not have been retained in the state before: names that the service knows. */
  #leaving = new Set<string>();
  /** Names of what the program has. */
  #declared = new Set<string>();
  /** The state as the file has it after a run. */
  #text = "{}";
  /** The state as it was written last. */
  #written: State = { resources: [], pendingOperations: [], unknownFields: {} };
  readonly calls: string[] = [];
  events: EngineEvent[] = [];
  writes = 0;
  #counter = 0;
  /** "op key" of calls that fail. */
  failing = new Set<string>();
  /** The same for calls that are complete, and whose answer is lost. */
  unanswered = new Set<string>();
  /** Which write of the next operation finds the disk full. */
  failingWrite = 0;
  /** It stays full from then on. */
  isFull = false;
  /** At which moment of the next operation its process dies: each call and each write has one before it and one after it. */
  dyingAt = 0;
  #moments = 0;
  /** At which of these moments Ctrl-C is pressed. */
  cancelledAt = 0;
  #cancel = new AbortController();
  #death: Deferred<undefined> = new Deferred();
  /** Objects that no state knows are adopted by a creation that wants the same: what a killed run has made. */
  adopts = false;
  /** What registrations have to comply with. */
  policyPacks: PolicyPack[] = [];
  /** The state that was put elsewhere. */
  rescued: State | undefined;
  /** Breaches of what must hold while a run is in progress: empty if all is well. */
  readonly breaches: string[] = [];

  get state(): State {
    return deserializeDeployment(JSON.parse(this.#text), serializer);
  }
  /** Changes the file by hand. */
  edit(change: (file: { resources?: Record<string, unknown>[]; [rest: string]: unknown }) => void): void {
    const file = JSON.parse(this.#text);
    change(file);
    this.#text = JSON.stringify(file);
  }
  /** As after a kill in the middle of this. */
  interrupt(type: "creating" | "updating" | "deleting", name: string): void {
    this.edit((file) => {
      file.pending_operations = [{ type, resource: file.resources?.find((r) => nameOf(String(r.urn)) === name) }];
    });
  }
  resource(name: string): ResourceState | undefined {
    return this.state.resources.find((r) => nameOf(r.urn) === name && !r.delete);
  }
  /** The names of what exists and was not left behind. */
  get names(): string[] {
    const left = [...this.objects].filter(([id]) => !this.retained.has(id));
    return left.map(([, { name }]) => String(name)).sort();
  }
  /** What exists, was not left behind, and the state does not have. */
  get forgotten(): string[] {
    const ids = new Set(this.state.resources.map((r) => r.id));
    return [...this.objects.keys()].filter((id) => !ids.has(id) && !this.retained.has(id)).sort();
  }
  /** A call of the service; what it is about must have been announced in the file. */
  #call(op: "create" | "update" | "delete" | "read", inputs: ValueMap): void {
    const call = `${op} ${String(inputs.name)}`;
    this.calls.push(call);
    // By the name that the service knows: under an old URN what is renamed is on record until it is done.
    const announced = this.#written.pendingOperations.map((p) => `${p.type} ${String(p.resource.inputs?.name)}`);
    const type = { create: "creating", update: "updating", delete: "deleting", read: undefined }[op];
    if (type !== undefined && !announced.includes(`${type} ${String(inputs.name)}`))
      this.breaches.push(`${call} was not announced`);
    if (this.failing.has(call)) throw new Error(`${call} failed`);
  }

  /** Nothing goes on after the death of the process. */
  async #moment(): Promise<void> {
    if (++this.#moments === this.cancelledAt) this.#cancel.abort();
    if (this.#moments === this.dyingAt) this.#death.resolve(undefined);
    if (this.dyingAt > 0 && this.#moments >= this.dyingAt) await new Promise(() => undefined);
  }

  /** A call that changes something; what the service does is done also where its answer is lost. */
  async #change<T>(op: "create" | "update" | "delete", inputs: ValueMap, deed: (news: ValueMap) => T): Promise<T> {
    const news = toProviderInputs(inputs);
    await this.#moment();
    this.#call(op, news);
    const result = deed(news);
    const call = `${op} ${String(news.name)}`;
    if (this.unanswered.has(call)) throw new OutcomeUnknown(`${call} was not answered`);
    await this.#moment();
    return result;
  }

  /** What the program gets must be in the file; under an old name, if nothing but the name changed. */
  #answered(urn: string, id: string): void {
    if (!this.#written.resources.some((r) => r.id === id))
      this.breaches.push(`the program knows ${urn} as ${id}, the state does not`);
  }

  /** False: a preview in which the provider's own configuration is unknown. */
  configured = true;

  readonly #provider: Provider = {
    isConfigured: true,
    invoke: () => Promise.reject(new Error("it has no functions")),
    construct: () => Promise.reject(new Error("it has no components")),
    check: async (_urn, _olds, news) => ({ inputs: news, failures: [] }),
    diff: async (_urn, _id, _oldInputs, oldOutputs, newInputs) => {
      const [olds, news] = [toProviderInputs(oldOutputs), toProviderInputs(newInputs)];
      const changed = [...new Set([...Object.keys(olds), ...Object.keys(news)])]
        .filter((k) => k !== "token")
        .filter((k) => JSON.stringify(olds[k]) !== JSON.stringify(news[k]));
      const replaces = changed.filter((k) => k === "kind" || k === "owner");
      return { changes: changed.length > 0 ? "some" : "none", replaces, deleteBeforeReplace: news.dbr === true };
    },
    create: async (_urn, inputs, _timeout, preview) =>
      preview
        ? { id: "", outputs: inputs }
        : this.#change("create", inputs, (news) => {
            const ownIds = this.#written.resources.map((r) => r.id);
            const own = [...this.objects].find(
              ([other, o]) =>
                this.adopts && o.name === news.name && !ownIds.includes(other) && !this.retained.has(other),
            );
            const id = own?.[0] ?? `${String(news.name)}-${++this.#counter}`;
            this.objects.set(id, news);
            return { id, outputs: this.#outputs(news, inputs) };
          }),
    read: async (_urn, id, _inputs, state) => {
      const found = this.objects.get(id);
      const old = toProviderInputs(state);
      this.#call("read", old);
      if (found === undefined) return { id: "", outputs: {}, inputs: undefined };
      return { id, outputs: annotateSecrets({ ...found, token: old.token as Value }, state), inputs: undefined };
    },
    update: async (_urn, id, _old, inputs, _ignore, _timeout, preview) =>
      preview
        ? inputs
        : this.#change("update", inputs, (news) => {
            if (!this.objects.has(id)) throw new Error(`${id} does not exist`);
            this.objects.set(id, news);
            return this.#outputs(news, inputs);
          }),
    // A replacement that was interrupted deletes dependents a second time, as the CLI does: that must not hurt.
    delete: (_urn, id, inputs) => this.#change("delete", inputs, () => this.#remove(id)),
  };

  #outputs = (news: ValueMap, inputs: ValueMap): ValueMap =>
    annotateSecrets({ ...news, token: `token ${++this.#counter}` }, inputs);

  /** The service takes away with an object what belongs to it and was declared to go with it. */
  #remove(id: string): void {
    this.objects.delete(id);
    for (const [other, object] of this.objects) if (object.owner === id && object.goes === true) this.#remove(other);
  }

  readonly #providers = {
    create: (s: { inputs?: ValueMap }) => ({ id: "the-provider", outputs: s.inputs ?? {} }),
    same: () => undefined,
    update: (s: { inputs?: ValueMap }) => s.inputs ?? {},
    checkConfig: async (_urn: string, _olds: ValueMap, inputs: ValueMap) => ({ inputs, failures: [] }),
    diffConfig: async () => ({ changes: "unknown", replaces: [], deleteBeforeReplace: false }),
    get: () => (this.configured ? this.#provider : unconfigured),
  } as unknown as ProviderRegistry;

  preview(program: Wish[], options: Options = {}): Promise<Ran> {
    return this.#run("update", program, { ...options, dryRun: true });
  }
  up(program: Wish[], options: Options = {}): Promise<Ran> {
    return this.#run("update", program, options);
  }
  /** With a program: as with --run-program. */
  refresh(options: Options = {}, program?: Wish[]): Promise<Ran> {
    return this.#run("refresh", program, options);
  }
  destroy(options: Options = {}, program?: Wish[]): Promise<Ran> {
    return this.#run("destroy", program, options);
  }

  async #run(operation: "update" | "refresh" | "destroy", program: Wish[] | undefined, o: Options): Promise<Ran> {
    this.events = [];
    this.calls.length = 0;
    this.writes = 0;
    this.#moments = 0;
    this.#cancel = new AbortController();
    this.#death = new Deferred();
    const left = operation === "destroy" ? (program ?? []).filter((wish) => wish.retainOnDelete) : [];
    this.#leaving = new Set(left.map((wish) => wish.key ?? wish.name));
    this.#declared = new Set(program?.map((wish) => wish.name));
    const dryRun = o.dryRun === true;
    const loaded = this.state;
    this.#written = this.state;
    const writer = {
      writes: 0,
      file: "/state.json",
      writeEmergencyCopy: async (d: State) => {
        this.rescued = d;
        return "/elsewhere";
      },
      invalidate: () => undefined,
      write: async (d: State) => {
        await this.#moment();
        this.writes++;
        if (this.isFull ? this.writes >= this.failingWrite : this.writes === this.failingWrite)
          throw new Error("the disk is full");
        writer.writes++;
        assertIntegrity(d.resources, newState("a written state"));
        this.#noteRetained(d.resources);
        this.#noteOrphans(d.resources);
        this.#written = d;
        if (this.dyingAt > 0) this.#text = JSON.stringify(serializeDeployment(d, serializer));
        await this.#moment();
      },
    };
    const snapshot = new SnapshotManager(loaded, dryRun ? undefined : (writer as never));
    const answered = dryRun ? () => undefined : (urn: string, id: string) => this.#answered(urn, id);
    const deployment = new DeploymentExecutor({
      stack: "s",
      project: "p",
      dryRun,
      operation,
      refresh: operation === "refresh" && program !== undefined,
      interrupted: pendingOperationsByUrn(loaded),
      targets: new Targets(o.targets),
      targetDependents: o.targetDependents === true,
      excludes: new Targets(o.excludes),
      excludeDependents: false,
      replaces: new Targets(o.replaces),
      updatePlan: o.updatePlan,
      events: new EventSink({ onEvent: (e) => this.events.push(e), showSecrets: false, hint: () => "" }),
      parallel: o.parallel ?? 4,
      refreshFirst: (operation === "refresh" && program === undefined) || o.refresh === true,
      continueOnError: o.continueOnError === true,
      showSecrets: false,
      resources: loaded.resources,
      hooks: new Map(),
      policyPacks: this.policyPacks,
      snapshot,
      providers: this.#providers,
      defaultProviderInputs: () => ({}),
      signal: this.#cancel.signal,
      deriveKey: async () => undefined,
    });
    const start =
      program &&
      (() => ({
        result:
          o.earlier === undefined
            ? register(deployment.registrar, program, answered).then(() => ({ ok: true }))
            : replay({ registrar: deployment.registrar, earlier: o.earlier, current: loaded.resources, dryRun }),
        kill: () => undefined,
      }));
    const result = await Promise.race([deployment.run(start), this.#death.promise]);
    if (result === undefined) return killed;
    if (!dryRun) this.#text = JSON.stringify(serializeDeployment(this.#written, serializer));
    const steps = this.events.flatMap((e) =>
      e.type === "step" && e.step.op !== "same" && (dryRun ? e.status === "planned" : e.status === "done")
        ? [`${e.step.op} ${nameOf(e.step.urn)}`]
        : [],
    );
    return {
      ...result,
      steps: steps.sort(),
      said: this.events.flatMap((e) => (e.type === "diagnostic" ? [e.message] : [])),
    };
  }

  /** What leaves the state while its object exists was retained, or is lost. */
  #noteRetained(now: readonly ResourceState[]): void {
    const kept = new Set(now.map((r) => r.id));
    const gone = this.#written.resources.filter((r) => !kept.has(r.id));
    for (const { id, inputs, retainOnDelete } of [...gone, ...now.filter((r) => r.pendingReplacement)]) {
      const isLeft = retainOnDelete === true || this.#leaving.has(String(inputs?.name));
      if (isLeft && id !== undefined && this.objects.has(id)) this.retained.add(id);
    }
  }

  /** A child whose program does not know of it belongs to its parent as long as both are there. */
  #noteOrphans(now: readonly ResourceState[]): void {
    const parents = new Map(this.#written.resources.map((r) => [r.urn, r.parent]));
    // An old version that waits for its deletion is no parent.
    const present = new Set(now.filter((r) => !r.delete).map((r) => r.urn));
    for (const { urn, parent } of now.filter((r) => !this.#declared.has(nameOf(r.urn)))) {
      const before = parents.get(urn);
      if (before !== undefined && parent === undefined && present.has(before))
        this.breaches.push(`${urn} lost its parent`);
    }
  }
}

/** As a dynamic provider answers while it is not configured. */
const unconfigured = {
  isConfigured: false,
  check: async (_urn: string, _olds: ValueMap, inputs: ValueMap) => ({ inputs, failures: [] }),
  diff: () => Promise.reject(new DiffUnavailable()),
  read: async () => ({ id: "", outputs: {}, inputs: {} }),
};

export function expectOk(ran: Ran): Ran {
  expect(ran.ok, ran.said.join("\n")).toBe(true);
  return ran;
}

const nothing = { saved: false, cancelled: false, changes: {}, stackOutputs: { before: {}, after: {} }, steps: [] };
const killed: Ran = { ...nothing, ok: false, said: ["killed"] };

export interface Options {
  /** Default: 4. */
  parallel?: number;
  dryRun?: boolean;
  refresh?: boolean;
  continueOnError?: boolean;
  targets?: string[];
  targetDependents?: boolean;
  excludes?: string[];
  replaces?: string[];
  updatePlan?: UpdatePlan;
  /** What is declared in place of the program: an earlier deployment. */
  earlier?: readonly ResourceState[];
}
export interface Ran extends DeploymentResult {
  /** "<op> <name>", in order of the alphabet. */
  steps: string[];
  said: string[];
}

/** What a program does: registers each resource as soon as those that it refers to are there. */
async function register(
  registrar: ResourceRegistrar,
  program: Wish[],
  onCreated: (urn: string, id: string) => void,
): Promise<void> {
  const stack = await registrar.registerResolved(newGoal({ type: STACK_TYPE, name: "p-s", custom: false }));
  const registered = new Map<string, Promise<{ urn: string; id: string; token: Value }>>();
  const one = async (wish: Wish): Promise<{ urn: string; id: string; token: Value }> => {
    const needed = [wish.uses, wish.belongsTo, wish.parent, ...(wish.dependsOn ?? [])].filter((n) => n !== undefined);
    const others = new Map<string, Awaited<ReturnType<typeof one>>>();
    for (const name of needed) others.set(name, (await registered.get(name)) as Awaited<ReturnType<typeof one>>);
    const other = (name: string | undefined) => (name === undefined ? undefined : others.get(name));
    const inputs: ValueMap = {};
    const propertyDependencies: Record<string, string[]> = {};
    const put = (key: string, v: Value | undefined, from?: string): void => {
      if (v === undefined || wish.component) return;
      inputs[key] = v;
      propertyDependencies[key] = from === undefined ? [] : [other(from)?.urn as string];
    };
    put("name", wish.key ?? wish.name);
    put("value", wish.value);
    put("kind", wish.kind);
    put("dbr", wish.deleteBeforeReplace);
    put("goes", wish.deletedWithOwner);
    put("uses", other(wish.uses)?.token, wish.uses);
    if (wish.belongsTo !== undefined) put("owner", other(wish.belongsTo)?.id || UNKNOWN, wish.belongsTo);
    const all = [...(wish.dependsOn ?? []), wish.uses, wish.belongsTo].filter((n) => n !== undefined);
    const result = await registrar.registerResolved(
      newGoal({
        type: wish.component ? COMPONENT : TYPE,
        name: wish.name,
        custom: !wish.component,
        provider: wish.component ? "" : await registrar.defaultProvider(newestPlugin("pulumi-nodejs")),
        parent: (other(wish.parent) ?? stack).urn,
        inputs,
        dependencies: [...new Set(all.map((n) => other(n)?.urn as string))],
        propertyDependencies,
        protect: wish.protect,
        retainOnDelete: wish.retainOnDelete,
        deletedWith: wish.deletedWithOwner ? (other(wish.belongsTo)?.urn ?? "") : "",
        ignoreChanges: wish.ignoreChanges ?? [],
        additionalSecretOutputs: wish.additionalSecretOutputs ?? [],
        aliases: wish.alias === undefined ? [] : [{ name: wish.alias }],
      }),
    );
    if (wish.component) await registrar.registerOutputs(result.urn, {});
    else if (result.outcome === "done" && result.unknown !== true) onCreated(result.urn, result.id);
    return { urn: result.urn, id: result.id, token: result.outputs.token ?? UNKNOWN };
  };
  for (const wish of program) registered.set(wish.name, one(wish));
  await Promise.allSettled(registered.values());
  await registrar.registerOutputs(stack.urn, {});
}
