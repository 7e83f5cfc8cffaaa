/** A stack without processes: a service, a folder and a state. What tests of failures do to it, and what must hold at the end. */
import type { Stage } from "../provider/handlers";
import type { Wanted } from "../provider/programs";
import { disagreements } from "./agreement";
import { Engine, type Kept } from "./engine";
import { hooksHere } from "./hooks";

/** `said`: the other messages that were shown. */
export interface Ran {
  failures: string[];
  steps: string[];
  said: string[];
}

/** What an `up` asks that has nothing to do: where there are companies, their keys are compared, in one list. */
export const idleRequests = (program: readonly Wanted[]): string[] =>
  program.some(({ kind }) => kind === "Company") ? ["GET companies.list"] : [];

export class Stack {
  readonly engine: Engine;

  constructor(
    readonly world: Stage,
    /** Steps at once. */
    width?: number,
  ) {
    this.engine = new Engine(width);
  }

  get service() {
    return this.world.service;
  }

  /** What the state has. */
  get objects(): Kept[] {
    return [...this.engine.state.values()];
  }

  get ids(): string[] {
    return this.objects.map(({ id }) => id);
  }

  async up(program: readonly Wanted[], settings?: Record<string, string>, deletes = true): Promise<Ran> {
    const hooks = hooksHere(this.world, settings);
    const { failures, steps } = await this.engine.up(program, hooks, undefined, { deletes });
    return { failures, steps, said: hooks.said };
  }

  async refresh(settings?: Record<string, string>): Promise<Ran> {
    const hooks = hooksHere(this.world, settings);
    return { ...(await this.engine.refresh(hooks)), said: hooks.said };
  }

  destroy(settings?: Record<string, string>): Promise<Ran> {
    return this.up([], settings);
  }

  /** Everything in which service and state differ. `theirs`: ids of other people's objects. */
  disagreements(theirs?: ReadonlySet<string>): string[] {
    return disagreements(this.service.data(), [...this.objects, ...this.engine.replaced], theirs);
  }

  /** What has been asked since the log was cleared. */
  asked(): string[] {
    return this.service.requests().map(({ method, operation }) => `${method} ${operation}`);
  }

  /** Whatever is wrong with a further `up`, which has nothing to do and asks for nothing. */
  async unsettled(program: readonly Wanted[]): Promise<string[]> {
    this.service.clearLog();
    const { steps, failures } = await this.up(program);
    const problems = [...steps, ...failures].map((step) => `not settled: ${step}`);
    const asked = this.asked().join();
    return asked === idleRequests(program).join() ? problems : [...problems, `asked for nothing: ${asked}`];
  }

  /** Whatever is wrong with the next run, which finishes, and with the one after it. */
  async finish(program: readonly Wanted[]): Promise<string[]> {
    const { failures } = await this.up(program);
    return [...failures, ...this.disagreements(), ...(await this.unsettled(program))];
  }
}
