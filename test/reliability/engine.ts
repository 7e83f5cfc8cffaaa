/**
 * What an engine does with hooks, and nothing else: it compares a program with a state, calls check, diff, create, update,
 * delete and read in the order in which Pulumi does, and keeps what comes of it. A run takes milliseconds, so that
 * thousands of objects and hundreds of faults can be tried. What real engines do is tried beside it, in fewer cases.
 */

import type { Properties } from "../../provider/core/pulumi-values";
import { type HandlerName, handlerOf } from "../../provider/resources/index";
import { wired } from "../provider/handlers";
import type { Wanted } from "../provider/programs";
import { HookFailure, type Hooks } from "./hooks";

/** One object of the state. */
export interface Kept {
  name: string;
  handler: HandlerName;
  id: string;
  inputs: Properties;
  outs: Properties;
  /** The hook failed after the object was there: the next run must finish it. */
  unfinished?: boolean;
}

export interface Outcome {
  /** One message for each hook that failed. */
  failures: string[];
  /** Steps that were carried out, `create hook-1`. */
  steps: string[];
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
    for (const wanted of program) {
      const parent = ids.get(wanted.args.account as string);
      const made = (async () => {
        const account = parent === undefined ? undefined : await parent;
        if (parent !== undefined && account === undefined) return undefined;
        return this.#bring(wanted, { ...wanted.args, ...(account !== undefined && { account }) });
      })();
      ids.set(wanted.name, made);
    }
    await Promise.all(ids.values());
  }

  async #bring({ name, kind }: Wanted, args: Properties): Promise<string | undefined> {
    const handler = handlerOf(kind);
    const { state } = this.engine;
    const old = state.get(name);
    const inputs = wired(handler, args);
    if (!(await this.#check(name, handler, old?.inputs ?? {}, inputs))) return undefined;
    const keep = (id: string, outs: Properties) => state.set(name, { name, handler, id, inputs, outs });
    if (old === undefined) return this.#create(name, handler, inputs);
    const diff = (await this.#call(name, handler, "diff", [old.id, old.outs, inputs])) as
      | { changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }
      | undefined;
    if (diff === undefined) return undefined;
    if (diff.replaces.length > 0) {
      // The new object has nothing of the old one.
      if (!(await this.#check(name, handler, {}, inputs))) return undefined;
      if (diff.deleteBeforeReplace) {
        if (!(await this.#delete(old, () => state.delete(name)))) return undefined;
        return this.#create(name, handler, inputs);
      }
      return this.#create(name, handler, inputs, () => this.engine.replaced.push(old));
    }
    if (!diff.changes && old.unfinished !== true) {
      old.inputs = inputs;
      return old.id;
    }
    const updated = (await this.#step(name, handler, "update", [old.id, old.outs, inputs])) as
      | { outs: Properties }
      | undefined;
    if (updated !== undefined) keep(old.id, wired(handler, updated.outs));
    return updated && old.id;
  }

  async #check(name: string, handler: HandlerName, olds: Properties, inputs: Properties): Promise<boolean> {
    const checked = (await this.#call(name, handler, "check", [olds, inputs])) as
      | { failures: { reason: string }[] }
      | undefined;
    this.outcome.failures.push(...(checked?.failures ?? []).map(({ reason }) => `${name}: ${reason}`));
    return checked?.failures.length === 0;
  }

  async #create(name: string, handler: HandlerName, inputs: Properties, after?: () => void) {
    const made = (await this.#step(name, handler, "create", [inputs], after)) as
      | { id: string; outs: Properties }
      | undefined;
    if (made === undefined) return undefined;
    after?.();
    this.engine.state.set(name, { name, handler, id: made.id, inputs, outs: wired(handler, made.outs) });
    return made.id;
  }

  /** Deletes what is no longer wanted: what was replaced, then the rest, companies last. */
  async clear(wanted: ReadonlySet<string>): Promise<void> {
    const { state, replaced } = this.engine;
    await Promise.all(replaced.map((old) => this.#delete(old, () => replaced.splice(replaced.indexOf(old), 1))));
    const unwanted = [...state.values()].filter(({ name }) => !wanted.has(name));
    const companies = unwanted.filter(({ handler }) => handler === "company");
    // As with `deletedWith`: what is in a company goes with it.
    const isInside = ({ id }: Kept) => companies.some((company) => id.startsWith(`${company.id}/`));
    const others = unwanted.filter((kept) => kept.handler !== "company");
    await Promise.all(
      others.filter((kept) => !isInside(kept)).map((kept) => this.#delete(kept, () => state.delete(kept.name))),
    );
    await Promise.all(
      companies.map((company) =>
        this.#delete(company, () => {
          state.delete(company.name);
          for (const kept of others) if (kept.id.startsWith(`${company.id}/`)) state.delete(kept.name);
        }),
      ),
    );
  }

  async read(): Promise<void> {
    await Promise.all(
      [...this.engine.state.values()].map(async (kept) => {
        const found = (await this.#step(kept.name, kept.handler, "read", [kept.id, kept.outs])) as
          | { id: string; props?: Properties }
          | undefined;
        if (found === undefined) return;
        if (found.id === "") this.engine.state.delete(kept.name);
        else Object.assign(kept, { outs: wired(kept.handler, found.props ?? {}), unfinished: false });
      }),
    );
  }

  async #delete(kept: Kept, done: () => void): Promise<boolean> {
    const gone = await this.#step(kept.name, kept.handler, "delete", [kept.id, kept.outs]);
    if (gone === undefined) return false;
    done();
    return true;
  }

  /** A hook that changes something: only so many at once. */
  async #step(
    name: string,
    handler: HandlerName,
    hook: "create" | "update" | "delete" | "read",
    args: unknown[],
    after?: () => void,
  ) {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#queue.push(go));
    try {
      if (this.killed.aborted) return undefined;
      this.outcome.steps.push(`${hook} ${name}`);
      return await this.#call(name, handler, hook, args, after);
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  /** Undefined when the hook failed, or when the run was killed before its end was known. */
  async #call(
    name: string,
    handler: HandlerName,
    hook: "check" | "diff" | "create" | "update" | "delete" | "read",
    args: unknown[],
    after?: () => void,
  ): Promise<unknown> {
    try {
      const result = await Promise.race([this.hooks.call(handler, hook, args), this.#death]);
      return this.killed.aborted ? undefined : (result ?? {});
    } catch (error) {
      if (!(error instanceof HookFailure)) throw error;
      if (this.killed.aborted) return undefined;
      this.outcome.failures.push(`${name}: ${error.message}`);
      if (error.id !== undefined) {
        // Of an update that failed the old inputs stay.
        const inputs = hook === "create" ? (args[0] as Properties) : this.engine.state.get(name)!.inputs;
        after?.();
        const outs = wired(handler, error.properties ?? {});
        this.engine.state.set(name, { name, handler, id: error.id, inputs, outs, unfinished: true });
      }
      return undefined;
    }
  }
}
