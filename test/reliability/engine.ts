/**
 * What an engine does with hooks, and nothing else: it compares a program with a state, calls check, diff, create, update,
 * delete and read in the order in which Pulumi does, and keeps what comes of it. A run takes milliseconds, so that
 * thousands of objects and hundreds of faults can be tried. What real engines do is tried beside it, in fewer cases.
 */
import type { Properties } from "../../provider/core/pulumi-values";
import { type HandlerName, handlerOf } from "../../provider/resources/index";
import { wired } from "../provider/handlers";
import type { Wanted } from "../provider/programs";
import { HookFailure, type HookName, type Hooks } from "./hooks";

interface Resource {
  name: string;
  handler: HandlerName;
}

/** One object of the state. */
export interface Kept extends Resource {
  id: string;
  inputs: Properties;
  outs: Properties;
  /** The hook failed after the object was there: the next run must finish it. */
  unfinished?: boolean;
}

export interface Outcome {
  /** One message for each hook that failed. */
  failures: string[];
  /** Steps that were performed, `create hook-1`. */
  steps: string[];
}

/** What hooks answer: each of them some of it. */
interface Answer {
  id: string;
  outs: Properties;
  props?: Properties;
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
  failures: { reason: string }[];
}

/** A stack. */
export class Engine {
  /** The state, by the resources' names. */
  readonly state = new Map<string, Kept>();
  /** Old objects that wait for their deletion after they were replaced. */
  readonly replaced: Kept[] = [];

  constructor(
    /** Steps at once. */
    readonly width = 8,
  ) {}

  /** Carries a program out. The signal ends the run as a kill does: nothing more is begun, nothing more is kept. */
  async up(
    program: readonly Wanted[],
    hooks: Hooks,
    killed = new AbortController().signal,
    { deletes = true } = {},
  ): Promise<Outcome> {
    const run = new Run(this, hooks, killed);
    await run.register(program);
    if (deletes && !killed.aborted && run.outcome.failures.length === 0)
      await run.clear(new Set(program.map(({ name }) => name)));
    return run.outcome;
  }

  destroy(hooks: Hooks): Promise<Outcome> {
    return this.up([], hooks);
  }

  async refresh(hooks: Hooks): Promise<Outcome> {
    const run = new Run(this, hooks, new AbortController().signal);
    await run.read();
    return run.outcome;
  }
}

class Run {
  readonly outcome: Outcome = { failures: [], steps: [] };
  #free: number;
  readonly #queue: (() => void)[] = [];
  readonly #death: Promise<void>;

  constructor(
    readonly engine: Engine,
    readonly hooks: Hooks,
    readonly killed: AbortSignal,
  ) {
    this.#free = engine.width;
    this.#death = new Promise((resolve) => killed.addEventListener("abort", () => resolve(), { once: true }));
  }

  /** All resources are registered at once; what is in a company waits for it. */
  async register(program: readonly Wanted[]): Promise<void> {
    const ids = new Map<string, Promise<string | undefined>>();
    const bring = async (wanted: Wanted, parent: Promise<string | undefined> | undefined) => {
      const account = await parent;
      if (parent !== undefined && account === undefined) return undefined;
      return this.#bring(wanted, { ...wanted.args, ...(account !== undefined && { account }) });
    };
    for (const wanted of program) ids.set(wanted.name, bring(wanted, ids.get(wanted.args.account as string)));
    await Promise.all(ids.values());
  }

  async #bring({ name, kind }: Wanted, args: Properties): Promise<string | undefined> {
    const one = { name, handler: handlerOf(kind) };
    const old = this.engine.state.get(name);
    const inputs = wired(one.handler, args);
    if (!(await this.#check(one, old?.inputs ?? {}, inputs))) return undefined;
    if (old === undefined) return this.#create(one, inputs);
    const diff = await this.#call(one, "diff", [old.id, old.outs, inputs]);
    if (diff === undefined) return undefined;
    if (diff.replaces.length > 0) {
      // The new object has nothing of the old one.
      if (!(await this.#check(one, {}, inputs))) return undefined;
      if (!diff.deleteBeforeReplace) return this.#create(one, inputs, () => this.engine.replaced.push(old));
      return (await this.#delete(old)) ? this.#create(one, inputs) : undefined;
    }
    if (!diff.changes && old.unfinished !== true) {
      old.inputs = inputs;
      return old.id;
    }
    const updated = await this.#step(one, "update", [old.id, old.outs, inputs]);
    return updated && this.#keep(one, inputs, old.id, updated.outs);
  }

  #keep(
    { name, handler }: Resource,
    inputs: Properties,
    id: string,
    outs: Properties,
    more: Partial<Kept> = {},
  ): string {
    this.engine.state.set(name, { name, handler, id, inputs, outs: wired(handler, outs), ...more });
    return id;
  }

  async #check(one: Resource, olds: Properties, inputs: Properties): Promise<boolean> {
    const checked = await this.#call(one, "check", [olds, inputs]);
    this.outcome.failures.push(...(checked?.failures ?? []).map(({ reason }) => `${one.name}: ${reason}`));
    return checked?.failures.length === 0;
  }

  async #create(one: Resource, inputs: Properties, after?: () => void): Promise<string | undefined> {
    const made = await this.#step(one, "create", [inputs], after);
    if (made === undefined) return undefined;
    after?.();
    return this.#keep(one, inputs, made.id, made.outs);
  }

  async #delete(kept: Kept): Promise<boolean> {
    if ((await this.#step(kept, "delete", [kept.id, kept.outs])) === undefined) return false;
    const { state, replaced } = this.engine;
    if (state.get(kept.name) === kept) state.delete(kept.name);
    else replaced.splice(replaced.indexOf(kept), 1);
    return true;
  }

  /** Deletes what is no longer wanted: what was replaced, then the rest, companies last. */
  async clear(wanted: ReadonlySet<string>): Promise<void> {
    const { state, replaced } = this.engine;
    await Promise.all(replaced.map((old) => this.#delete(old)));
    const unwanted = [...state.values()].filter(({ name }) => !wanted.has(name));
    const companies = unwanted.filter(({ handler }) => handler === "company");
    // As with `deletedWith`: what is in a company goes with it.
    const insideOf = (company: Kept) => unwanted.filter(({ id }) => id.startsWith(`${company.id}/`));
    const later = new Set([...companies, ...companies.flatMap(insideOf)]);
    await Promise.all(unwanted.filter((kept) => !later.has(kept)).map((kept) => this.#delete(kept)));
    const remove = async (company: Kept) => {
      const inside = insideOf(company);
      if (await this.#delete(company)) for (const { name } of inside) state.delete(name);
    };
    await Promise.all(companies.map(remove));
  }

  async read(): Promise<void> {
    const read = async (kept: Kept) => {
      const found = await this.#step(kept, "read", [kept.id, kept.outs]);
      if (found?.id === "") this.engine.state.delete(kept.name);
      else if (found) Object.assign(kept, { outs: wired(kept.handler, found.props ?? {}), unfinished: false });
    };
    await Promise.all([...this.engine.state.values()].map(read));
  }

  /** A hook that changes something: only so many at once. */
  async #step(one: Resource, hook: HookName, args: unknown[], after?: () => void): Promise<Answer | undefined> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#queue.push(go));
    try {
      if (this.killed.aborted) return undefined;
      this.outcome.steps.push(`${hook} ${one.name}`);
      return await this.#call(one, hook, args, after);
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  /** Undefined when the hook failed, or when the run was killed before its end was known. */
  async #call(one: Resource, hook: HookName, args: unknown[], after?: () => void): Promise<Answer | undefined> {
    try {
      const result = await Promise.race([this.hooks.call(one.handler, hook, args), this.#death]);
      return this.killed.aborted ? undefined : ((result ?? {}) as Answer);
    } catch (error) {
      if (!(error instanceof HookFailure)) throw error;
      if (this.killed.aborted) return undefined;
      this.outcome.failures.push(`${one.name}: ${error.message}`);
      if (error.id !== undefined) {
        // Of an update that failed the old inputs stay.
        const inputs = hook === "create" ? (args[0] as Properties) : this.engine.state.get(one.name)!.inputs;
        after?.();
        this.#keep(one, inputs, error.id, error.properties ?? {}, { unfinished: true });
      }
      return undefined;
    }
  }
}
