/**
 * A service, a provider for it and programs, all in memory: for tests of the engine's decisions that need neither
 * processes nor files. What is not in memory is the engine itself.
 */
import { Deployment, type DeploymentResult } from "../../engine/deployment";
import type { EngineEvent, StepOp } from "../../engine/events";
import type { Goal } from "../../engine/goal";
import type { Provider } from "../../engine/host";
import { assertIntegrity } from "../../engine/integrity";
import type { Registrar } from "../../engine/monitor";
import { Planner } from "../../engine/planner";
import type { Providers } from "../../engine/providers";
import { Snapshot } from "../../engine/snapshot";
import type { Deployment as State } from "../../engine/state";
import { Targets } from "../../engine/targets";
import { nameOf } from "../../engine/urn";
import { UNKNOWN, type Value, type ValueMap } from "../../engine/values";

const TYPE = "pulumi-nodejs:dynamic/test:Thing";
const COMPONENT = "test:index:Group";

/** One resource of a program. References are names of resources before it. */
export interface Wish {
  name: string;
  component?: boolean;
  parent?: string;
  /** A change of it is an update. */
  value?: number;
  /** A change of it is a replacement. */
  kind?: number;
  /** Takes the token of another resource, which every change of that one changes. */
  uses?: string;
  /** Takes the id of another resource; a change of it is a replacement. */
  belongsTo?: string;
  dependsOn?: string[];
  deleteBeforeReplace?: boolean;
  protect?: boolean;
  retainOnDelete?: boolean;
  ignoreChanges?: string[];
}

export class World {
  /** What exists in the service, by id. */
  readonly objects = new Map<string, ValueMap>();
  state: State = { resources: [], pendingOperations: [], rest: {} };
  readonly calls: string[] = [];
  events: EngineEvent[] = [];
  writes = 0;
  private counter = 0;
  /** "op name" of calls that fail. */
  failing = new Set<string>();

  private call(op: string, inputs: ValueMap): void {
    const call = `${op} ${String(inputs.name)}`;
    this.calls.push(call);
    if (this.failing.has(call)) throw new Error(`${call} failed`);
  }

  private readonly provider: Provider = {
    configured: true,
    check: async (_urn, _olds, news) => ({ inputs: news, failures: [] }),
    diff: async (_urn, _id, _oldInputs, olds, news) => {
      const changed = [...new Set([...Object.keys(olds), ...Object.keys(news)])]
        .filter((k) => k !== "token")
        .filter((k) => JSON.stringify(olds[k]) !== JSON.stringify(news[k]));
      const replaces = changed.filter((k) => k === "kind" || k === "owner");
      return { changes: changed.length > 0 ? "some" : "none", replaces, deleteBeforeReplace: news.dbr === true };
    },
    create: async (_urn, news) => {
      this.call("create", news);
      const id = `${String(news.name)}-${++this.counter}`;
      this.objects.set(id, news);
      return { id, outputs: { ...news, token: `token ${++this.counter}` } };
    },
    read: async (_urn, id, _inputs, state) => {
      this.call("read", state);
      return this.objects.has(id)
        ? { id, outputs: state, inputs: undefined }
        : { id: "", outputs: {}, inputs: undefined };
    },
    update: async (_urn, id, _old, news) => {
      this.call("update", news);
      if (!this.objects.has(id)) throw new Error(`${id} does not exist`);
      this.objects.set(id, news);
      return { ...news, token: `token ${++this.counter}` };
    },
    delete: async (_urn, id, inputs) => {
      this.call("delete", inputs);
      // A replacement that was interrupted deletes dependents a second time, as the CLI does: that must not hurt.
      this.objects.delete(id);
    },
  };

  private readonly providers = {
    create: (s: { inputs?: ValueMap }) => ({ id: "the-provider", outputs: s.inputs ?? {} }),
    same: () => undefined,
    update: (s: { inputs?: ValueMap }) => s.inputs ?? {},
    get: () => this.provider,
  } as unknown as Providers;

  preview(program: Wish[], options: Options = {}): Promise<Ran> {
    return this.run("update", program, { ...options, dryRun: true });
  }
  up(program: Wish[], options: Options = {}): Promise<Ran> {
    return this.run("update", program, options);
  }
  refresh(options: Options = {}): Promise<Ran> {
    return this.run("refresh", undefined, options);
  }
  destroy(options: Options = {}): Promise<Ran> {
    return this.run("destroy", undefined, options);
  }

  private async run(
    operation: "update" | "refresh" | "destroy",
    program: Wish[] | undefined,
    o: Options,
  ): Promise<Ran> {
    this.events = [];
    this.calls.length = 0;
    this.writes = 0;
    const dryRun = o.dryRun === true;
    const loaded = structuredClone(this.state);
    const planner = new Planner(
      {
        stack: "s",
        project: "p",
        dryRun,
        mode: operation,
        refresh: false,
        interrupted: new Set(),
        targets: new Targets(o.targets),
        targetDependents: o.targetDependents === true,
        excludes: new Targets(o.excludes),
        excludeDependents: false,
        replaces: new Targets(o.replaces),
        report: (severity, urn, message) =>
          this.events.push({ type: "diagnostic", severity, message, urn, source: "engine" }),
      },
      loaded.resources,
    );
    const writer = {
      writes: 0,
      changed: () => undefined,
      write: async (d: State) => {
        this.writes++;
        writer.writes++;
        assertIntegrity(d.resources, "a written state");
        this.state = { ...d };
      },
    };
    const snapshot: Snapshot = new Snapshot(loaded, dryRun ? undefined : (writer as never), () => deployment.busy);
    const deployment: Deployment = new Deployment({
      operation,
      dryRun,
      parallel: 4,
      refreshFirst: operation === "refresh" || o.refresh === true,
      program:
        program &&
        (() => ({
          result: register(deployment.registrations, program).then(() => ({ ok: true })),
          kill: () => undefined,
        })),
      continueOnError: o.continueOnError === true,
      planner,
      snapshot,
      providers: this.providers,
      defaultProviderInputs: () => ({}),
      targets: { replaces: o.replaces ?? [], targets: o.targets ?? [], excludes: o.excludes ?? [] },
      showSecrets: false,
      signal: undefined,
      emit: (e) => this.events.push(e),
      hide: () => undefined,
      prepare: async () => undefined,
    });
    const result = await deployment.run();
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
}

interface Options {
  dryRun?: boolean;
  refresh?: boolean;
  continueOnError?: boolean;
  targets?: string[];
  targetDependents?: boolean;
  excludes?: string[];
  replaces?: string[];
}
export interface Ran extends DeploymentResult {
  /** "<op> <name>", in order of the alphabet. */
  steps: string[];
  said: string[];
}
export type Ops = Partial<Record<StepOp, number>>;

/** What a program does: registers each resource as soon as those that it refers to are there. */
async function register(registrar: Registrar, program: Wish[]): Promise<void> {
  const stack = await registrar.register(
    goal({ name: "p-s", component: true }, "pulumi:pulumi:Stack", "", undefined, {}, []),
  );
  const registered = new Map<string, Promise<{ urn: string; id: string; token: Value }>>();
  for (const wish of program)
    registered.set(
      wish.name,
      (async () => {
        const needed = [wish.uses, wish.belongsTo, wish.parent, ...(wish.dependsOn ?? [])].filter(
          (n) => n !== undefined,
        );
        const others = new Map<string, Awaited<ReturnType<typeof registered.get>>>();
        for (const name of needed) others.set(name, await registered.get(name));
        const provider = wish.component ? "" : await registrar.defaultProvider("pulumi-nodejs");
        const inputs: ValueMap = {};
        const dependencies: Record<string, string[]> = {};
        const put = (key: string, v: Value | undefined, from?: string): void => {
          if (v === undefined) return;
          inputs[key] = v;
          dependencies[key] = from === undefined ? [] : [others.get(from)?.urn as string];
        };
        put("name", wish.name);
        put("value", wish.value);
        put("kind", wish.kind);
        put("dbr", wish.deleteBeforeReplace);
        if (wish.uses !== undefined) put("uses", others.get(wish.uses)?.token, wish.uses);
        if (wish.belongsTo !== undefined) put("owner", others.get(wish.belongsTo)?.id || UNKNOWN, wish.belongsTo);
        const parent = wish.parent === undefined ? stack.urn : others.get(wish.parent)?.urn;
        const all = [...(wish.dependsOn ?? []), wish.uses, wish.belongsTo].filter((n) => n !== undefined);
        const urns = [...new Set(all.map((n) => others.get(n)?.urn as string))];
        const result = await registrar.register(
          goal(
            wish,
            wish.component ? COMPONENT : TYPE,
            provider,
            parent,
            wish.component ? {} : inputs,
            urns,
            wish.component ? {} : dependencies,
          ),
        );
        if (wish.component) await registrar.registerOutputs(result.urn, {});
        return { urn: result.urn, id: result.id, token: result.outputs.token ?? UNKNOWN };
      })(),
    );
  await Promise.allSettled(registered.values());
  await registrar.registerOutputs(stack.urn, {});
}

function goal(
  wish: Wish,
  type: string,
  provider: string,
  parent: string | undefined,
  inputs: ValueMap,
  dependencies: string[],
  propertyDependencies: Record<string, string[]> = {},
): Goal {
  return {
    type,
    name: wish.name,
    custom: !wish.component,
    parent,
    inputs,
    dependencies,
    propertyDependencies,
    provider,
    protect: wish.protect,
    retainOnDelete: wish.retainOnDelete,
    deletedWith: "",
    replaceWith: [],
    replacementTrigger: undefined,
    deleteBeforeReplace: undefined,
    ignoreChanges: wish.ignoreChanges ?? [],
    replaceOnChanges: [],
    hideDiff: [],
    additionalSecretOutputs: [],
    aliases: [],
    customTimeouts: {},
    importId: "",
    sourcePosition: "",
    stackTrace: [],
  };
}
