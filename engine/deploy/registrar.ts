/**
 * Takes registrations, has them planned one after the other, and answers each when the step that carries out its wish
 * is done. Their other steps, and those of other registrations, run side by side.
 *
 * Serves: the order in which ResourceMonitor is answered.
 */

import { Deferred } from "../deferred";
import { messageOf, ShuttingDown } from "../errors";
import type { RegisterResult, Registrar } from "../monitor/resource-monitor";
import { type Ask, PlanFailure, type Step } from "../plan/step";
import type { StepGenerator } from "../plan/step-generator";
import { defaultProviderGoal, type Goal, type ReadGoal } from "../resource/goal";
import type { ValueMap } from "../resource/property-value";
import { type ResourceState, refersToAny } from "../resource/state";
import type { Lifecycle } from "./lifecycle";
import type { Questions } from "./query-runner";
import type { ResourceOutputs } from "./resource-outputs";
import { type Permit, Semaphore } from "./semaphore";
import { callsProvider } from "./step-apply";
import type { StepExecutor } from "./step-executor";

export interface RegistrarOptions {
  planner: StepGenerator;
  executor: StepExecutor;
  questions: Questions;
  outputs: ResourceOutputs;
  course: Lifecycle;
  continueOnError: boolean;
  /** Inputs of the default provider of a package. */
  defaultProviderInputs: (pkg: string) => ValueMap;
  /** To be told of values before anybody gets them: what is secret in them must not be printed. */
  hide: (values: ValueMap) => void;
}

export class ResourceRegistrar implements Registrar {
  /** Planning is one thing at a time, in the order of registration. */
  private readonly planning = new Semaphore(1);
  private readonly defaults = new Map<string, Promise<string>>();
  /** With continueOnError: what must not be touched since it refers to what failed. */
  private readonly skipped = new Set<string>();
  /** Whether a deletion that comes before a replacement took place, by old state, for those that wait for it. */
  private readonly deletions = new Map<ResourceState, Deferred<boolean>>();

  constructor(private readonly o: RegistrarOptions) {}

  /** True if registrations wait for their turn. */
  get hasWaiting(): boolean {
    return this.planning.queued > 0;
  }

  /** Has registrations wait until the old state is ready; the function that is returned lets them go on. */
  pause(): () => Promise<void> {
    let held = true;
    const taken = this.planning.acquire();
    return async () => {
      await taken;
      if (held) this.planning.release();
      held = false;
    };
  }

  register(goal: Goal): Promise<RegisterResult> {
    this.o.hide(goal.inputs);
    return this.o.course.track(this.handle(goal, () => this.o.planner.generateSteps(goal)));
  }

  read(goal: ReadGoal): Promise<RegisterResult> {
    this.o.hide(goal.inputs);
    return this.o.course.track(this.handle(goal, () => this.o.planner.generateReadSteps(goal)));
  }

  registerOutputs(urn: string, outputs: ValueMap): Promise<void> {
    return this.planning.run(async () => {
      this.o.course.throwIfStopped();
      // A component that was left out reports all the same: the SDK does not tell the program.
      if (!this.skipped.has(urn)) this.o.outputs.register(urn, outputs);
    });
  }

  defaultProvider(pkg: string): Promise<string> {
    let reference = this.defaults.get(pkg);
    if (reference === undefined) {
      const goal = defaultProviderGoal(pkg, this.o.defaultProviderInputs(pkg));
      reference = this.register(goal).then((r) => `${r.urn}::${r.id}`);
      reference.catch(() => undefined);
      this.defaults.set(pkg, reference);
    }
    return reference;
  }

  lookup(urn: string) {
    const state = this.o.planner.plan.news.get(urn);
    return state && { id: state.id ?? "", provider: state.provider ?? "", outputs: state.outputs ?? {} };
  }

  private async handle(
    goal: { type: string; name: string },
    plan: () => Ask<Step[]> | Step[],
  ): Promise<RegisterResult> {
    const { planner, executor, course } = this.o;
    await this.planning.acquire();
    const slot = executor.permit();
    const turn = this.planningTurn();
    try {
      course.throwIfStopped();
      const planned = plan();
      const steps = Array.isArray(planned)
        ? planned
        : await this.o.questions.answer(planned, async (step) => {
            // Others are planned while this one is read.
            turn.release();
            await executor.execute(step).catch(asReported).finally(turn.take);
            return step.new;
          });
      course.throwIfStopped();
      for (const step of steps) if (step.pendingReplacement && step.old) this.deletions.set(step.old, new Deferred());
      // Nothing is planned that could not be announced: so that what is asked of providers stays close to what is done.
      if (steps.some((s) => callsProvider(s, planner))) await slot.acquire();
      turn.release();
      return await this.runSteps(steps, slot);
    } catch (error) {
      turn.release();
      slot.release();
      if (error instanceof ShuttingDown) throw error;
      const urn = error instanceof PlanFailure ? error.urn : `${goal.type}::${goal.name}`;
      course.fail(messageOf(error), urn);
      throw new ShuttingDown();
    }
  }

  /** The turn to plan, which may be given to others for a while. */
  private planningTurn() {
    let held = true;
    return {
      release: () => {
        if (held) this.planning.release();
        held = false;
      },
      take: async () => {
        await this.planning.acquire();
        held = true;
      },
    };
  }

  /** Starts the steps; resolves when the one that answers is done, while the others go on. */
  private runSteps(steps: Step[], slot: Permit): Promise<RegisterResult> {
    return new Promise((resolve, reject) => {
      void this.o.course.track(
        this.runChain(steps, slot, resolve)
          // After the answer this has no effect.
          .then(() => reject(new ShuttingDown()), reject)
          .finally(() => {
            slot.release();
            for (const step of steps) this.deletionOf(step)?.resolve(false);
          }),
      );
    });
  }

  private async runChain(steps: Step[], slot: Permit, answer: (r: RegisterResult) => void): Promise<void> {
    const { executor, course, outputs } = this.o;
    const skip = (step: Step): void => {
      this.skipped.add(step.urn);
      if (step.completesRegistration) answer(toRegisterResult(step, "skipped"));
    };
    for (const step of steps) {
      if (course.isStopped) return;
      if (this.dependsOnFailed(step)) {
        skip(step);
        continue;
      }
      try {
        // A dependent of what is replaced may register again while its old object is still being deleted.
        const deletion = step.op === "create-replacement" ? this.deletionOf(step) : undefined;
        const own = steps.some((s) => s.pendingReplacement && s.old === step.old);
        if (deletion && !own) {
          // The deletion needs a place for itself.
          slot.release();
          if (!(await deletion.promise)) return skip(step);
        }
        await executor.execute(step, slot);
        if (step.pendingReplacement) this.deletionOf(step)?.resolve(true);
      } catch (error) {
        if (error instanceof ShuttingDown) return;
        if (!this.o.continueOnError) return course.stop();
        const answering = steps.find((s) => s.completesRegistration);
        // What failed may be a deletion under an old name, or that of a dependent.
        for (const { urn } of [step, ...(answering ? [answering] : [])]) this.skipped.add(urn);
        if (answering) answer(toRegisterResult(answering, "failed"));
        return;
      }
      if (!step.completesRegistration) continue;
      outputs.expectOutputs(step);
      answer(toRegisterResult(step, "done"));
    }
  }

  private deletionOf(step: Step): Deferred<boolean> | undefined {
    return step.old && this.deletions.get(step.old);
  }

  private dependsOnFailed(step: Step): boolean {
    if (this.skipped.size === 0) return false;
    const r = step.new ?? step.old;
    return r !== undefined && refersToAny(r, this.skipped);
  }
}

/** A failure that the executor has told already. */
function asReported(error: unknown): never {
  throw error instanceof ShuttingDown ? error : new PlanFailure("");
}

function toRegisterResult(step: Step, outcome: RegisterResult["outcome"]): RegisterResult {
  const state = (step.new ?? step.old) as ResourceState;
  return {
    urn: state.urn,
    id: state.id ?? "",
    outputs: state.outputs ?? {},
    outcome,
    ...(step.isSkippedCreate && { unknown: true }),
  };
}
