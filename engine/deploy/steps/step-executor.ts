/**
 * Executes steps in parallel: announces each in the state, applies it, records the result, and only then reports it.
 *
 * Used for: how many calls of ResourceProvider run at once, and what the state holds before and after each.
 */

import { AlreadyReported, messageOf, ShuttingDown } from "../../errors";
import type { StepOp } from "../../events";
import type { Step } from "../../plan/step";
import { reuseEqualFields } from "../../resource/interning";
import { isSecret, markSecretOutputs, unwrapSecret, type ValueMap } from "../../resource/property-value";
import { OutcomeUnknown } from "../../resource/provider-interface";
import type { PendingOperation, ResourceState } from "../../resource/resource-state";
import type { StateChange } from "../../state/snapshot-manager";
import type { DeploymentContext } from "../deployment-context";
import { PENDING_PER_CALL, Permit, Semaphore } from "../semaphore";
import { applyStep } from "./apply-step";
import { runHooksAfter, runHooksBefore } from "./run-hooks";
import type { Fields, StepResult } from "./step-result";

const PENDING: Partial<Record<StepOp, PendingOperation["type"]>> = {
  create: "creating",
  "create-replacement": "creating",
  update: "updating",
  delete: "deleting",
  "delete-replaced": "deleting",
  read: "reading",
};

interface Outcome {
  result: StepResult;
  failure: Error | undefined;
  elapsedMs: number;
}

export class StepExecutor {
  readonly #pendingLimit: Semaphore;
  readonly #callLimit: Semaphore;
  #keyDerivation: Promise<void> | undefined;
  /** By deletion, the deletions that it completes. */
  readonly #cascades = new Map<Step, readonly Step[]>();
  /** The error of the last failed write of the state. It is reported when it is clear whether a later write succeeded. */
  writeError: unknown;
  /** Number of calls in progress. */
  inFlight = 0;

  readonly #context: DeploymentContext;

  constructor(context: DeploymentContext) {
    this.#context = context;
    this.#pendingLimit = new Semaphore(context.parallel * PENDING_PER_CALL);
    this.#callLimit = new Semaphore(context.parallel);
  }

  /** A place among the announced operations, for a chain of steps. */
  permit(): Permit {
    return new Permit(this.#pendingLimit);
  }

  /** Executes a step and records it. Rejects with {@link AlreadyReported} when it failed. */
  async execute(step: Step, permit: Permit = this.permit()): Promise<void> {
    // The state was refreshed in this run, so it is the result.
    if (step.op === "same" && step.old === step.new) {
      if (step.new) this.#context.news.set(step.new.urn, step.new);
      return;
    }
    const operation = step.callsProvider && !this.#context.dryRun ? (step.new ?? step.old) : undefined;
    if (operation !== undefined) await this.#announce(step, operation, permit);
    const isLimited = operation !== undefined || (isLookup(step) && (step.old ?? step.new)?.custom === true);
    const outcome = isLimited ? await this.#performLimited(step, operation, permit) : await this.#perform(step);
    await this.#complete(step, operation, outcome);
  }

  /**
   * Executes a deletion that also deletes other resources: all are removed from the state in one write. If it fails, all remain in
   * the state, and it rejects with {@link AlreadyReported}.
   */
  async executeDelete(step: Step, cascade: readonly Step[], permit?: Permit): Promise<void> {
    if (cascade.length === 0 || this.#context.dryRun) {
      for (const other of cascade) await this.execute(other, permit);
      return this.execute(step, permit);
    }
    const { lifecycle, events } = this.#context;
    for (const other of cascade) {
      try {
        await runHooksBefore(other, this.#context);
      } catch (error) {
        lifecycle.hasFailed = true;
        events.diagnostic("error", messageOf(error), other.urn);
        throw new AlreadyReported(error);
      }
    }
    this.#cascades.set(step, cascade);
    await this.execute(step, permit);
    for (const other of cascade) await this.#completeWithAnother(other);
  }

  /** Reports a resource that was removed from the state together with another one. */
  async #completeWithAnother(step: Step): Promise<void> {
    const { stepEvents } = this.#context;
    stepEvents.countChange(step, undefined);
    if (!step.isHidden) for (const status of ["started", "done"] as const) stepEvents.emitStep(step, status, 0);
    await runHooksAfter(step, this.#context);
  }

  /** Records an operation as pending before it starts. */
  async #announce(step: Step, operation: ResourceState, permit: Permit): Promise<void> {
    this.#context.events.addSecrets(operation.inputs);
    await this.#deriveKeyOnce();
    await permit.acquire();
    const type = PENDING[step.op] as PendingOperation["type"];
    await this.#awaitWrite(this.#context.snapshot.beginMutation(operation, type, this.#expectsMoreWrites));
    this.#throwIfStopped(operation, permit);
  }

  /** Removes the announcement of an operation that did not start before the run stopped. */
  #throwIfStopped(operation: ResourceState | undefined, permit: Permit): void {
    if (operation === undefined || !this.#context.lifecycle.isStopped) return;
    permit.release();
    this.#context.snapshot.recordLazily({ operation });
    throw new ShuttingDown();
  }

  async #performLimited(step: Step, operation: ResourceState | undefined, permit: Permit): Promise<Outcome> {
    await this.#callLimit.acquire();
    try {
      this.#throwIfStopped(operation, permit);
      this.inFlight++;
      const outcome = await this.#perform(step);
      this.inFlight--;
      return outcome;
    } finally {
      this.#callLimit.release();
      // The write that records this operation announces the next one.
      permit.release();
    }
  }

  async #perform(step: Step): Promise<Outcome> {
    const { events, stepEvents, dryRun } = this.#context;
    const start = performance.now();
    // The changes of a refresh are known after the read.
    const isPlanned = dryRun && step.op !== "refresh";
    if (!step.isHidden && step.op !== "same") stepEvents.emitStep(step, isPlanned ? "planned" : "started");
    // The object keeps its id from the start of an update.
    if (step.op === "update" && step.new && step.old?.id !== undefined) step.new.id = step.old.id;
    try {
      await runHooksBefore(step, this.#context);
      const result = await applyStep(step, this.#context);
      this.#assign(step, result);
      events.addSecrets(secretStrings(step.new?.outputs));
      return { result, failure: result.initError, elapsedMs: Math.round(performance.now() - start) };
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      return { result: {}, failure, elapsedMs: Math.round(performance.now() - start) };
    }
  }

  /** Changes the states of a step to its result; nothing else does. */
  #assign(step: Step, result: StepResult): void {
    if ("refreshed" in result) {
      if (result.refreshed === undefined) delete step.new;
      else step.new = result.refreshed;
    }
    const { old, new: state } = step;
    if (old !== undefined && result.old !== undefined) {
      assignFields(old, result.old);
      this.#context.snapshot.markChanged(old);
    }
    if (state === undefined || step.op === "replace") return;
    if (result.state !== undefined) assignFields(state, result.state);
    if (step.op === "same" && old !== undefined) reuseEqualFields(state, old);
    if (state.outputs === undefined) return;
    state.outputs = markSecretOutputs(state.outputs, state.inputs, state.additionalSecretOutputs);
    if (state.inputs !== undefined) reuseEqualFields(state.outputs, state.inputs);
  }

  /** Records and reports the outcome. The order matters: it is counted before, and reported after it is saved. */
  async #complete(step: Step, operation: ResourceState | undefined, outcome: Outcome): Promise<void> {
    const { news, stepEvents, lifecycle, events, dryRun } = this.#context;
    const { result, failure, elapsedMs } = outcome;
    const hasHappened = failure === undefined || result.initError !== undefined;
    if (hasHappened && step.new !== undefined && step.op !== "replace" && !isLookup(step))
      news.set(step.new.urn, step.new);
    // Without a response the operation remains pending in the state, as after a kill.
    const saved = failure instanceof OutcomeUnknown ? undefined : this.#record(step, hasHappened, operation);
    if (failure === undefined) stepEvents.countChange(step, result.refresh);
    await saved;
    if (failure === undefined) {
      const isKnownNow = step.op === "same" || step.op === "refresh";
      if (!step.isHidden && (isKnownNow || !dryRun))
        stepEvents.emitStep(step, dryRun ? "planned" : "done", elapsedMs, result.refresh);
      // The hooks of a component run after it has registered its outputs.
      if (step.new === undefined || step.new.custom) await runHooksAfter(step, this.#context);
      return;
    }
    if (!step.isHidden) stepEvents.emitStep(step, "failed", elapsedMs);
    lifecycle.hasFailed = true;
    events.diagnostic("error", failure.message || failure.name, step.isHidden ? "" : step.urn);
    throw new AlreadyReported(failure);
  }

  #deriveKeyOnce(): Promise<void> {
    this.#keyDerivation ??= this.#context.deriveKey().catch((error: unknown) => {
      this.#context.lifecycle.fail(messageOf(error));
      throw new ShuttingDown();
    });
    return this.#keyDerivation;
  }

  /** Whether other operations are likely to need a write soon. */
  get #expectsMoreWrites(): boolean {
    const { lifecycle, planning } = this.#context;
    const isPlanning = planning.queued > 0 && this.#pendingLimit.available > 0;
    return !lifecycle.isStopped && (this.inFlight > 0 || isPlanning);
  }

  /** Waits for a write of the state. A failed one stops the run: results from then on might be lost. */
  async #awaitWrite(write: Promise<void>): Promise<void> {
    try {
      await write;
    } catch (error) {
      this.writeError = error;
      this.#context.lifecycle.fail();
    }
  }

  /** Records the result of a step; resolves when it is saved. */
  async #record(step: Step, hasHappened: boolean, operation: ResourceState | undefined): Promise<void> {
    const { snapshot } = this.#context;
    const change = hasHappened ? this.#changeOf(step) : {};
    if (change === undefined) return;
    if (hasHappened) for (const other of this.#cascades.get(step) ?? []) this.#recordWithAnother(other);
    if (operation === undefined) snapshot.recordLazily(change);
    else await this.#awaitWrite(snapshot.endMutation({ ...change, operation }, this.#expectsMoreWrites));
  }

  #recordWithAnother(step: Step): void {
    if (step.pendingReplacement) this.#assign(step, { old: { pendingReplacement: true } });
    const change = this.#changeOf(step);
    if (change !== undefined) this.#context.snapshot.recordLazily(change);
  }

  /** What a successful step changes in the list of resources; undefined if nothing. */
  #changeOf(step: Step): StateChange | undefined {
    const { snapshot } = this.#context;
    const { old, new: state } = step;
    switch (step.op) {
      case "same":
        if (step.isUntargeted) snapshot.allowUnordered();
        return step.isSkippedCreate ? {} : { done: old, added: state, isUntouched: step.isUntargeted };
      case "import":
        return { added: state };
      case "create":
      case "create-replacement":
        return { added: state, done: old?.pendingReplacement ? old : undefined };
      case "update":
      case "read":
        // A replaced object remains in the state until it is deleted.
        return { added: state, done: step.isPartOfReplacement ? undefined : old };
      case "delete":
      case "delete-replaced":
      case "discard":
        return { done: old?.pendingReplacement ? undefined : old };
      case "remove-pending-replace":
        return { done: old };
      case "refresh":
        if (!step.recordAtOnce) return undefined;
        if (state === undefined) snapshot.allowDangling();
        else snapshot.allowUnordered();
        return { done: old, added: state };
      case "replace":
        return undefined;
    }
  }
}

/** True for a step that only reads, and whose result later planning uses. */
const isLookup = ({ op }: Step): boolean => op === "refresh" || op === "import";

function assignFields(state: ResourceState, fields: Fields): void {
  for (const [name, value] of Object.entries(fields))
    if (value === undefined) delete state[name];
    else state[name] = value;
}

/** The secrets among values that are strings by themselves, such as keys; an object that is secret contains ordinary words. */
const secretStrings = (values: ValueMap = {}): ValueMap =>
  Object.fromEntries(Object.entries(values).filter(([, v]) => isSecret(v) && typeof unwrapSecret(v) === "string"));
