/**
 * Executes one operation: refreshes the state if required, runs the program, and deletes what the program no longer declares.
 *
 * Used for: `up`, `preview`, `refresh` and `destroy`.
 */

import { Deferred } from "../deferred";
import { messageOf, ShuttingDown } from "../errors";
import type { Changes } from "../events";
import type { ProgramListener, Severity } from "../monitor/resource-monitor";
import { deviationMessage } from "../plan/constraint/update-plan";
import type { ScheduledDelete } from "../plan/deletion-schedule";
import { Policies } from "../plan/policies";
import { ProtectedError } from "../plan/protection";
import { ProviderQueries } from "../plan/provider-queries";
import type { Step } from "../plan/step";
import { StepGenerator } from "../plan/step-generator";
import { rejectUnknownUrns } from "../plan/targets/unknown-urns";
import type { RunningProgram } from "../plugin/language-host";
import type { ResourceState } from "../resource/resource-state";
import { dropDanglingReferences } from "../state/snapshot-order";
import type { DeploymentContext, DeploymentOptions } from "./deployment-context";
import { Lifecycle } from "./operation-lifecycle";
import { awaitExit, awaitRegistrations } from "./program-exit";
import { ResourceOutputs, type StackOutputs } from "./resource-outputs";
import { ResourceRegistrar } from "./resource-registrar";
import { Semaphore } from "./semaphore";
import { settlePendingCreates } from "./settle-pending-creates";
import { rejectDeleteHooks } from "./steps/run-hooks";
import { StepEventEmitter } from "./steps/step-events";
import { StepExecutor } from "./steps/step-executor";
import { unsavedMessage, writeErrorMessage } from "./unsaved-state";

export interface DeploymentResult {
  ok: boolean;
  /** False when the last write of the state failed. */
  saved: boolean;
  cancelled: boolean;
  changes: Changes;
  stackOutputs: StackOutputs;
}

export class DeploymentExecutor implements ProgramListener {
  readonly registrar: ResourceRegistrar;
  readonly #context: DeploymentContext;
  readonly #generator: StepGenerator;
  readonly #executor: StepExecutor;
  readonly #outputs: ResourceOutputs;
  readonly #policies: Policies;
  readonly #programSignalled = new Deferred<undefined>();
  readonly #finished = new Deferred<void>();
  #lastMessage = 0;

  constructor(options: DeploymentOptions) {
    const news = new Map<string, ResourceState>();
    const provider = (reference: string) => options.providers.get(reference, this.#generator.plan.resources);
    const queries = new ProviderQueries(provider, options.providers, options.events);
    this.#policies = new Policies(options.policyPacks ?? []);
    this.#generator = new StepGenerator(options, options.resources, {
      queries,
      policies: this.#policies,
      news,
      read: (step) => this.registrar.readNow(step),
    });
    this.#context = {
      ...options,
      lifecycle: new Lifecycle(options.events),
      stepEvents: new StepEventEmitter({
        ...options,
        resourceOf: (urn) => news.get(urn) ?? this.#generator.plan.olds.get(urn),
      }),
      plan: this.#generator.plan,
      planning: new Semaphore(1),
      news,
      provider,
      queries,
    };
    this.#executor = new StepExecutor(this.#context);
    this.#outputs = new ResourceOutputs(this.#context);
    this.registrar = new ResourceRegistrar(this.#context, this.#generator, this.#executor, this.#outputs);
  }

  /** @param start starts the program; without it the operation uses the old state alone */
  async run(start: (() => RunningProgram) | undefined): Promise<DeploymentResult> {
    const { signal, lifecycle, plan, events, stepEvents } = this.#context;
    const cancel = (): void => {
      if (lifecycle.isCancelled) return;
      lifecycle.isCancelled = true;
      events.emit({ type: "cancelling", inFlight: this.#executor.inFlight });
      lifecycle.stop();
    };
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted) cancel();
    try {
      await this.#execute(start);
    } catch (error) {
      if (!(error instanceof ShuttingDown)) lifecycle.failWith(error);
    } finally {
      lifecycle.stop();
      await lifecycle.drain();
      this.#finished.resolve();
      signal?.removeEventListener("abort", cancel);
    }
    const ok = !lifecycle.hasFailed && !lifecycle.isCancelled && !plan.hasErrors;
    const stackOutputs = this.#outputs.finalizeStackOutputs(ok);
    const saved = await this.#save();
    return { ok: ok && saved, saved, cancelled: lifecycle.isCancelled, changes: stepEvents.changes, stackOutputs };
  }

  /** Writes the state for the last time; false when that failed. */
  async #save(): Promise<boolean> {
    const { snapshot, lifecycle } = this.#context;
    try {
      await snapshot.close();
    } catch (error) {
      lifecycle.fail(await unsavedMessage(snapshot, error));
      return false;
    }
    const { writeError } = this.#executor;
    if (writeError !== undefined) lifecycle.fail(writeErrorMessage(writeError));
    return true;
  }

  async #execute(start: (() => RunningProgram) | undefined): Promise<void> {
    const { operation, refreshFirst, lifecycle, snapshot, plan, targets, excludes, replaces } = this.#context;
    const selected = [...targets.urns, ...excludes.urns];
    // Without a program no resource will appear: with a typo the operation would succeed without the intended resource.
    if (start === undefined) rejectUnknownUrns(plan, selected);
    if (start === undefined && operation === "destroy") rejectDeleteHooks(plan.resources);
    // Nothing is planned until the old state is ready, though the program may register already.
    const resume = this.registrar.pause();
    const program = start?.();
    try {
      if (refreshFirst) {
        await this.#refreshAll();
        if (operation === "refresh") return await settlePendingCreates(this.#context);
      }
      rejectUnknownUrns(plan, replaces.urns);
      await resume();
      // A refreshed resource may refer to one that the program declares and that does not exist yet.
      if (operation === "refresh") snapshot.allowDangling();
      if (program !== undefined) {
        await awaitRegistrations(program, this.#programSignalled.promise, lifecycle);
        rejectUnknownUrns(plan, selected);
      }
      lifecycle.throwIfStopped();
      if (operation === "refresh") await this.#refreshUnregistered();
      await settlePendingCreates(this.#context);
      if (operation !== "refresh") await this.#performDeletes();
      this.#rejectMissingSteps();
      await lifecycle.drain();
      if (!lifecycle.isStopped && !lifecycle.hasFailed) await this.#policies.analyzeStack(this.#context.plan);
    } finally {
      await resume();
      await lifecycle.drain();
      this.#finished.resolve();
      if (program !== undefined) await awaitExit(program, lifecycle, () => this.#lastMessage);
    }
  }

  async programDone(): Promise<void> {
    this.#programSignalled.resolve(undefined);
    await this.#finished.promise;
  }

  rejectProgram(error: Error, urn: string): void {
    this.#context.lifecycle.fail(messageOf(error), urn);
  }

  log(severity: Severity, message: string, urn: string, ephemeral: boolean): void {
    this.#lastMessage = performance.now();
    // Debug messages of the SDK describe its own calls, with all values in clear text.
    if (severity !== "debug") this.#context.events.log(severity, message, urn, ephemeral);
  }

  /** Reads all resources of the old state, and replaces the old state with the result. */
  async #refreshAll(): Promise<void> {
    const { lifecycle, snapshot, plan } = this.#context;
    const refreshed = new Map<ResourceState, Step>();
    let hasFailures = false;
    const refresh = async (step: Step): Promise<void> => {
      if (lifecycle.isStopped) return;
      try {
        // A failure does not stop the others; it fails the operation at the end.
        await this.#executor.execute(step);
        refreshed.set(step.old as ResourceState, step);
      } catch {
        hasFailures = true;
      }
    };
    await Promise.all(this.#generator.generateRefreshes().map(refresh));
    const list = plan.resources.flatMap((r) => {
      const step = refreshed.get(r);
      return step === undefined ? [r] : step.new === undefined ? [] : [step.new];
    });
    const resources = dropDanglingReferences(list, true);
    snapshot.rebase(resources, refreshed.keys());
    plan.resetAfterRefresh(resources);
    if (hasFailures) lifecycle.fail();
    lifecycle.throwIfStopped();
  }

  /** Refreshes the resources that the program did not register, and so did not refresh. */
  async #refreshUnregistered(): Promise<void> {
    const steps = this.#generator.generateRefreshes().map((step): Step => ({ ...step, recordAtOnce: true }));
    const { lifecycle } = this.#context;
    await Promise.all(steps.map((step) => this.#executor.execute(step).catch(() => lifecycle.stop())));
  }

  /** Fails if a planned step did not occur, unless the run has failed and so has reported the reason. */
  #rejectMissingSteps(): void {
    const { plan, lifecycle, updatePlan } = this.#context;
    if (updatePlan === undefined || lifecycle.hasFailed || lifecycle.isStopped || plan.hasErrors) return;
    for (const [urn, what] of updatePlan.missing(plan.olds)) plan.reportError(urn, deviationMessage(what));
  }

  async #performDeletes(): Promise<void> {
    const { lifecycle, continueOnError } = this.#context;
    const { deletions } = this.#generator;
    const { sames, deletes } = await deletions.generateDeletes();
    for (const step of sames) await this.#executor.execute(step);
    const undeletable = new Set<ResourceState>();
    const remove = async ({ step, cascade }: ScheduledDelete): Promise<void> => {
      const resources = [step, ...cascade].map(({ old }) => old as ResourceState);
      if (lifecycle.isStopped || resources.some((r) => undeletable.has(r))) return;
      try {
        await this.#executor.executeDelete(step, cascade);
      } catch (error) {
        // The dependencies of a remaining resource have to remain, too.
        if (continueOnError || (error as Error).cause instanceof ProtectedError)
          for (const r of resources.flatMap((each) => [...deletions.neededBy(each)])) undeletable.add(r);
        else lifecycle.stop();
      }
    };
    const { groups, mayDangle } = deletions.scheduleDeletes(deletes);
    if (mayDangle) this.#context.snapshot.allowDangling();
    for (const group of groups) await Promise.all(group.map(remove));
    if (lifecycle.hasFailed) lifecycle.stop();
  }
}
