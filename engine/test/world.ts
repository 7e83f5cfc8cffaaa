/**
 * A service, a provider for it and programs, all in memory: for tests of the engine's decisions that need neither
 * processes nor files. The engine itself is the real one, with its serializer: each state is written as text.
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
  /** The object's key in the service, which a new name in the program does not change. Default: the name. */
  key?: string;
  /** The name that it had before, as an alias. */
  alias?: string;
  component?: boolean;
  parent?: string;
  /** A change of it is an update. */
  value?: number;
  /** A change of it is a replacement. */
  kind?: number;
  /** Has the token of another resource as an input. Every change of that resource changes its token. */
  uses?: string;
  /** Has the id of another resource as an input; a change of it is a replacement. The service deletes it with that one. */
  belongsTo?: string;
  /** Also declares that to the engine, as `deletedWith`. */
  deletedWithOwner?: boolean;
  dependsOn?: string[];
  deleteBeforeReplace?: boolean;
  protect?: boolean;
  retainOnDelete?: boolean;
  ignoreChanges?: string[];
  additionalSecretOutputs?: string[];
}

/** Encrypts and decrypts by reversing the text, which is enough for these tests. */
const turned = (text: string): string => [...text].reverse().join("");
const serializer = new ResourceSerializer({ salt: "s", encrypt: turned, decrypt: turned } as unknown as Crypter);

export class World {
  /** What exists in the service, by id. */
  readonly objects = new Map<string, ValueMap>();
  /** Ids of objects that the engine had to retain. */
  readonly retained = new Set<string>();
  /** Keys of the objects that the program of a destroy retains, even if the state does not say so. */
  #leaving = new Set<string>();
  /** Names of the program's resources. */
  #declared = new Set<string>();
  /** The state in the file after a run. */
  #text = "{}";
  /** The state as it was written last. */
  #written: State = { resources: [], pendingOperations: [], unknownFields: {} };
  readonly calls: string[] = [];
  events: EngineEvent[] = [];
  writes = 0;
  #counter = 0;
  /** "op key" of calls that fail. */
  failing = new Set<string>();
  /** The same for calls that succeed, but whose response is lost. */
  unanswered = new Set<string>();
  /** The number of the write of the next operation that fails because the disk is full. */
  failingWrite = 0;
  /** All later writes fail as well. */
  isFull = false;
  /** The moment at which the process of the next operation is killed, counted before and after each call and each write. */
  dyingAt = 0;
  #moments = 0;
  /** The moment at which Ctrl-C is pressed, counted in the same way. */
  cancelledAt = 0;
  #cancel = new AbortController();
  #death: Deferred<undefined> = new Deferred();
  /** A create adopts an object with the same inputs that is in no state, such as one that a killed run has created. */
  adopts = false;
  /** The policies that registrations have to comply with. */
  policyPacks: PolicyPack[] = [];
  /** The state that was saved to another place. */
  rescued: State | undefined;
  /** Violations of the invariants of a run in progress. */
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
  /** Leaves the state as after a kill during this operation. */
  interrupt(type: "creating" | "updating" | "deleting", name: string): void {
    this.edit((file) => {
      file.pending_operations = [{ type, resource: file.resources?.find((r) => nameOf(String(r.urn)) === name) }];
    });
  }
  resource(name: string): ResourceState | undefined {
    return this.state.resources.find((r) => nameOf(r.urn) === name && !r.delete);
  }
  /** The names of the objects that exist and were not retained. */
  get names(): string[] {
    const left = [...this.objects].filter(([id]) => !this.retained.has(id));
    return left.map(([, { name }]) => String(name)).sort();
  }
  /** The objects that exist, were not retained, and are not in the state. */
  get forgotten(): string[] {
    const ids = new Set(this.state.resources.map((r) => r.id));
    return [...this.objects.keys()].filter((id) => !ids.has(id) && !this.retained.has(id)).sort();
  }
  /** A call of the service; its operation must have been announced in the file. */
  #call(op: "create" | "update" | "delete" | "read", inputs: ValueMap): void {
    const call = `${op} ${String(inputs.name)}`;
    this.calls.push(call);
    // By the key in the service, since a renamed resource is recorded under its old URN until its step is complete.
    const announced = this.#written.pendingOperations.map((p) => `${p.type} ${String(p.resource.inputs?.name)}`);
    const type = { create: "creating", update: "updating", delete: "deleting", read: undefined }[op];
    if (type !== undefined && !announced.includes(`${type} ${String(inputs.name)}`))
      this.breaches.push(`${call} was not announced`);
    if (this.failing.has(call)) throw new Error(`${call} failed`);
  }

  /** Never continues after the process was killed. */
  async #moment(): Promise<void> {
    if (++this.#moments === this.cancelledAt) this.#cancel.abort();
    if (this.#moments === this.dyingAt) this.#death.resolve(undefined);
    if (this.dyingAt > 0 && this.#moments >= this.dyingAt) await new Promise(() => undefined);
  }

  /** A call that changes something. The service makes the change even if its response is lost. */
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

  /** A response that the program gets must be in the file; under the old name, if only the name changed. */
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
    // An interrupted replacement deletes dependents a second time, as in the CLI, which must succeed.
    delete: (_urn, id, inputs) => this.#change("delete", inputs, () => this.#remove(id)),
  };

  #outputs = (news: ValueMap, inputs: ValueMap): ValueMap =>
    annotateSecrets({ ...news, token: `token ${++this.#counter}` }, inputs);

  /** With an object, the service deletes its contents that were declared with `deletedWith`. */
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
  /** With a program, like --run-program. */
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

  /** A resource that is removed from the state while its object exists was retained, or else is lost. */
  #noteRetained(now: readonly ResourceState[]): void {
    const kept = new Set(now.map((r) => r.id));
    const gone = this.#written.resources.filter((r) => !kept.has(r.id));
    for (const { id, inputs, retainOnDelete } of [...gone, ...now.filter((r) => r.pendingReplacement)]) {
      const isLeft = retainOnDelete === true || this.#leaving.has(String(inputs?.name));
      if (isLeft && id !== undefined && this.objects.has(id)) this.retained.add(id);
    }
  }

  /** A child that the program does not declare keeps its parent as long as both are in the state. */
  #noteOrphans(now: readonly ResourceState[]): void {
    const parents = new Map(this.#written.resources.map((r) => [r.urn, r.parent]));
    // An old version that is still to be deleted is not a parent.
    const present = new Set(now.filter((r) => !r.delete).map((r) => r.urn));
    for (const { urn, parent } of now.filter((r) => !this.#declared.has(nameOf(r.urn)))) {
      const before = parents.get(urn);
      if (before !== undefined && parent === undefined && present.has(before))
        this.breaches.push(`${urn} lost its parent`);
    }
  }
}

/** The response of a dynamic provider that is not configured. */
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
  /** An earlier deployment, which is declared instead of running the program. */
  earlier?: readonly ResourceState[];
}
export interface Ran extends DeploymentResult {
  /** "<op> <name>", sorted. */
  steps: string[];
  said: string[];
}

/** Runs a program: registers each resource as soon as the resources that it refers to are registered. */
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
