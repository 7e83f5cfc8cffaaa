/**
 * Takes registrations, has them planned one after the other, and answers each when the step that completes it is done.
 * Its other steps, and those of other registrations, run in parallel.
 *
 * Used for: the order in which ResourceMonitor responds.
 */

import { Deferred } from "../deferred";
import { ShuttingDown } from "../errors";
import type { Registrar } from "../monitor/resource-monitor";
import { scheduleChain } from "../plan/deletion-schedule";
import type { Step } from "../plan/step";
import type { StepGenerator } from "../plan/step-generator";
import { defaultProviderGoal, type Goal, type ReadGoal } from "../resource/goal";
import { keyOf, type PluginRequest } from "../resource/plugin-request";
import type { ValueMap } from "../resource/property-value";
import type { Constructed, FunctionCall, InvokeResponse, RegisterResult } from "../resource/provider-interface";
import { type ResourceState, refersToAny } from "../resource/resource-state";
import type { DeploymentContext } from "./deployment-context";
import { InheritedOptions } from "./inherited-options";
import type { ResourceOutputs } from "./resource-outputs";
import type { Permit } from "./semaphore";
import { runHooksAfter } from "./steps/run-hooks";
import type { StepExecutor } from "./steps/step-executor";

export class ResourceRegistrar implements Registrar {
  readonly #defaults = new Map<string, Promise<string>>();
  readonly #inherited = new InheritedOptions((plugin) => this.defaultProvider(plugin));
  /** With continueOnError: the resources that must not change, because they refer to a failed one. */
  readonly #skipped = new Set<string>();
  /** Whether a deletion before a replacement succeeded, by old state, for the steps that wait for it. */
  readonly #deletions = new Map<ResourceState, Deferred<boolean>>();

  readonly #context: DeploymentContext;
  readonly #generator: StepGenerator;
  readonly #executor: StepExecutor;
  readonly #outputs: ResourceOutputs;

  constructor(context: DeploymentContext, generator: StepGenerator, executor: StepExecutor, outputs: ResourceOutputs) {
    this.#context = context;
    this.#generator = generator;
    this.#executor = executor;
    this.#outputs = outputs;
  }

  /** Lets registrations wait until the old state is ready. Call the returned function to resume. */
  pause(): () => Promise<void> {
    const { planning } = this.#context;
    let isPaused = true;
    const acquired = planning.acquire();
    return async () => {
      await acquired;
      if (isPaused) planning.release();
      isPaused = false;
    };
  }

  async register(declared: Goal): Promise<RegisterResult> {
    const goal = await this.#inherited.resolve(declared);
    const result = await this.registerResolved(goal);
    this.#inherited.remember(result.urn, goal);
    return result;
  }

  /** Registers a goal that inherits nothing. */
  registerResolved(goal: Goal): Promise<RegisterResult> {
    return this.#handle(goal, () => this.#generator.generateSteps(goal));
  }

  async read(declared: ReadGoal): Promise<RegisterResult> {
    const provider = await this.#inherited.providerOf(declared, declared.type);
    const goal = { ...declared, provider };
    const result = await this.#handle(goal, async () => this.#generator.generateReadSteps(goal));
    this.#inherited.remember(result.urn, { provider, providers: {} });
    return result;
  }

  registerOutputs(urn: string, outputs: ValueMap): Promise<void> {
    const { planning, lifecycle } = this.#context;
    const register = async () => {
      lifecycle.throwIfStopped();
      // A component that was skipped registers its outputs all the same: the SDK does not tell the program.
      return this.#skipped.has(urn) ? undefined : this.#outputs.register(urn, outputs);
    };
    const complete = async () => {
      const step = await planning.run(register);
      if (step !== undefined) await runHooksAfter(step, this.#context);
    };
    return lifecycle.track(complete());
  }

  async construct(declared: Goal): Promise<Constructed> {
    const { lifecycle, events, provider } = this.#context;
    try {
      lifecycle.throwIfStopped();
      const goal = await this.#inherited.resolve(declared);
      events.addSecrets(goal.inputs);
      // When the operation stops, the plugin's registrations get no response.
      const constructed = await Promise.race([provider(goal.provider).construct(goal, this), lifecycle.untilStopped()]);
      if (constructed === undefined) throw new ShuttingDown();
      return constructed;
    } catch (error) {
      if (!(error instanceof ShuttingDown)) lifecycle.failWith(error, `${declared.type}::${declared.name}`);
      throw new ShuttingDown();
    }
  }

  async invoke(call: FunctionCall): Promise<InvokeResponse> {
    const { token, args } = call;
    const { lifecycle } = this.#context;
    lifecycle.throwIfStopped();
    const reference = await this.#inherited.providerOf(call, token);
    // A function changes nothing: a run that stops does not wait for it.
    const answer = await Promise.race([
      this.#context.provider(reference).invoke(token, args),
      lifecycle.untilStopped(),
    ]);
    if (answer === undefined) throw new ShuttingDown();
    return answer;
  }

  lookup(urn: string) {
    const state = this.#context.news.get(urn);
    return state && { id: state.id ?? "", provider: state.provider ?? "", outputs: state.outputs ?? {} };
  }

  /** Executes a refresh or an import that planning needs; others are planned meanwhile. */
  async readNow(step: Step): Promise<ResourceState | undefined> {
    this.#context.planning.release();
    try {
      await this.#executor.execute(step);
    } finally {
      await this.#context.planning.acquire();
    }
    return step.new;
  }

  /** The reference to the default provider of a plugin, which is created if necessary. */
  defaultProvider(plugin: PluginRequest): Promise<string> {
    const key = keyOf(plugin);
    let reference = this.#defaults.get(key);
    if (reference === undefined) {
      const goal = defaultProviderGoal(plugin, this.#context.defaultProviderInputs(plugin));
      reference = this.registerResolved(goal).then((r) => `${r.urn}::${r.id}`);
      reference.catch(() => undefined);
      this.#defaults.set(key, reference);
    }
    return reference;
  }

  #handle(goal: Goal | ReadGoal, plan: () => Promise<Step[]>): Promise<RegisterResult> {
    this.#context.events.addSecrets(goal.inputs);
    return this.#context.lifecycle.track(this.#planAndRun(goal, plan));
  }

  async #planAndRun(goal: Goal | ReadGoal, plan: () => Promise<Step[]>): Promise<RegisterResult> {
    const { planning, lifecycle } = this.#context;
    const permit = this.#executor.permit();
    try {
      const steps = await planning.run(() => this.#planSteps(plan, permit));
      return await this.#runSteps(steps, permit);
    } catch (error) {
      permit.release();
      if (!(error instanceof ShuttingDown)) lifecycle.failWith(error, `${goal.type}::${goal.name}`);
      throw new ShuttingDown();
    }
  }

  async #planSteps(plan: () => Promise<Step[]>, permit: Permit): Promise<Step[]> {
    const { lifecycle } = this.#context;
    lifecycle.throwIfStopped();
    const steps = await plan();
    lifecycle.throwIfStopped();
    for (const step of steps) if (step.pendingReplacement && step.old) this.#deletions.set(step.old, new Deferred());
    // Plans only what can be announced in the state, so that little time passes between a provider's diff and the call that follows.
    if (steps.some((step) => step.callsProvider)) await permit.acquire();
    return steps;
  }

  /** Starts the steps; resolves when the one that completes the registration is done, while the others continue. */
  #runSteps(steps: Step[], permit: Permit): Promise<RegisterResult> {
    return new Promise((resolve, reject) => {
      void this.#context.lifecycle.track(
        this.#runChain(steps, permit, resolve)
          // This has no effect after the response.
          .then(() => reject(new ShuttingDown()), reject)
          .finally(() => {
            permit.release();
            for (const step of steps) this.#deletionOf(step)?.resolve(false);
          }),
      );
    });
  }

  async #runChain(steps: Step[], permit: Permit, respond: (r: RegisterResult) => void): Promise<void> {
    for (const { step, cascade } of scheduleChain(steps)) {
      if (this.#context.lifecycle.isStopped) return;
      if (this.#dependsOnFailed(step)) {
        this.#skip(step, respond);
        continue;
      }
      try {
        if (!(await this.#isDeletedFirst(step, steps, permit))) return this.#skip(step, respond);
        await this.#executor.executeDelete(step, cascade, permit);
        for (const each of [step, ...cascade]) if (each.pendingReplacement) this.#deletionOf(each)?.resolve(true);
      } catch (error) {
        this.#failChain(error, step, steps, respond);
        return;
      }
      if (!step.completesRegistration) continue;
      this.#outputs.expectOutputs(step);
      respond(toRegisterResult(step, "done"));
    }
  }

  /**
   * Waits for the deletion of the old object, if a dependent of a replaced resource registers again during it. False if the
   * deletion failed.
   */
  async #isDeletedFirst(step: Step, steps: Step[], permit: Permit): Promise<boolean> {
    const deletion = step.op === "create-replacement" ? this.#deletionOf(step) : undefined;
    if (deletion === undefined || steps.some((s) => s.pendingReplacement && s.old === step.old)) return true;
    // The deletion needs a permit for itself.
    permit.release();
    return deletion.promise;
  }

  #skip(step: Step, respond: (r: RegisterResult) => void): void {
    this.#skipped.add(step.urn);
    if (step.completesRegistration) respond(toRegisterResult(step, "skipped"));
  }

  #failChain(error: unknown, step: Step, steps: Step[], respond: (r: RegisterResult) => void): void {
    if (error instanceof ShuttingDown) return;
    if (!this.#context.continueOnError) {
      this.#context.lifecycle.stop();
      return;
    }
    // The failed step may be a deletion under an old name, or that of a dependent. What would have been deleted with it still exists.
    this.#skipped.add(step.urn);
    this.#context.plan.deletes.delete(step.urn);
    const completing = steps.find((s) => s.completesRegistration);
    if (completing === undefined) return;
    this.#skipped.add(completing.urn);
    respond(toRegisterResult(completing, "failed"));
  }

  #deletionOf(step: Step): Deferred<boolean> | undefined {
    return step.old && this.#deletions.get(step.old);
  }

  #dependsOnFailed(step: Step): boolean {
    if (this.#skipped.size === 0) return false;
    const r = step.new ?? step.old;
    return r !== undefined && refersToAny(r, this.#skipped);
  }
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
