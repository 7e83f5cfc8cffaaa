/**
 * Carries steps out side by side: announces each in the state, does it, records what came of it, and only then lets
 * anybody know.
 *
 * Serves: how many calls of ResourceProvider run at once, and what the state holds before and after each.
 */

import { messageOf, ShuttingDown } from "../errors";
import type { StepOp } from "../events";
import type { Step } from "../plan/step";
import type { StepGenerator } from "../plan/step-generator";
import { OutcomeUnknown } from "../plugin/provider";
import { isSecret, unwrapSecret, type ValueMap } from "../resource/property-value";
import type { PendingOperation, ResourceState } from "../resource/state";
import type { SnapshotManager, StateChange } from "../state/snapshot-manager";
import type { Lifecycle } from "./lifecycle";
import { PENDING_PER_CALL, Permit, Semaphore } from "./semaphore";
import { applyStep, callsProvider, type StepContext, type StepResult } from "./step-apply";
import type { StepEventEmitter } from "./step-events";

const PENDING: Partial<Record<StepOp, PendingOperation["type"]>> = {
  create: "creating",
  "create-replacement": "creating",
  update: "updating",
  delete: "deleting",
  "delete-replaced": "deleting",
  read: "reading",
};

export interface StepExecutorOptions {
  dryRun: boolean;
  parallel: number;
  planner: StepGenerator;
  snapshot: SnapshotManager;
  applier: StepContext;
  course: Lifecycle;
  telling: StepEventEmitter;
  /** To be told of values before anybody gets them: what is secret in them must not be printed. */
  hide: (values: ValueMap) => void;
  /** Called once before the first call that changes something: what could still be refused is refused there. */
  deriveKey: () => Promise<void>;
}

export class StepExecutor {
  private readonly pendingLimit: Semaphore;
  private readonly callLimit: Semaphore;
  private preparation: Promise<void> | undefined;
  /** Why the state could not be written the last time that it failed. To be told when it is known what became of it. */
  writeError: unknown;
  /** Number of calls that have begun and not ended. */
  inFlight = 0;

  constructor(private readonly o: StepExecutorOptions) {
    this.pendingLimit = new Semaphore(o.parallel * PENDING_PER_CALL);
    this.callLimit = new Semaphore(o.parallel);
  }

  /** True if another operation could be announced now. */
  get hasRoom(): boolean {
    return this.pendingLimit.available > 0;
  }

  /** A place among those that are announced, for a chain of steps. */
  permit(): Permit {
    return new Permit(this.pendingLimit);
  }

  /** Carries out a step and records it. Rejects when it failed; that was told already. */
  async execute(step: Step, slot: Permit = this.permit()): Promise<void> {
    const { planner, snapshot, course, telling, dryRun } = this.o;
    // A state that answers for itself (it was refreshed just now).
    if (step.op === "same" && step.old === step.new) {
      if (step.new) planner.done(step.new);
      return;
    }
    const calls = callsProvider(step, planner) && !dryRun;
    const operation = calls ? (step.new ?? step.old) : undefined;
    if (operation !== undefined) {
      if (operation.inputs !== undefined) this.o.hide(operation.inputs);
      await this.deriveKeyOnce();
      await slot.acquire();
      await this.awaitWrite(snapshot.beginMutation(operation, PENDING[step.op] as PendingOperation["type"]));
    }

    // Announced, but not begun: when the run stops now, it is taken back.
    const assertBegun = (): void => {
      if (operation === undefined || !course.isStopped) return;
      slot.release();
      snapshot.recordLazily({ operation });
      throw new ShuttingDown();
    };
    assertBegun();

    let applied: StepResult = {};
    let failure: Error | undefined;
    let began = 0;
    const work = async (): Promise<void> => {
      began = performance.now();
      if (!step.isHidden && step.op !== "same") telling.emitStep(step, dryRun ? "planned" : "started");
      try {
        applied = await applyStep(step, this.o.applier);
        this.o.hide(secretStrings(step.new?.outputs));
        failure = applied.partial;
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
      }
    };
    if (calls || (step.op === "refresh" && step.old?.custom)) {
      await this.callLimit.acquire();
      try {
        assertBegun();
        this.inFlight++;
        await work();
        this.inFlight--;
      } finally {
        this.callLimit.release();
        // The next one is announced by the write that records this one.
        slot.release();
      }
    } else await work();

    const happened = failure === undefined || applied.partial !== undefined;
    if (happened && step.new !== undefined && step.op !== "replace" && step.op !== "refresh") planner.done(step.new);
    // Without an answer it stays on record as begun, as after a kill.
    const saved = failure instanceof OutcomeUnknown ? Promise.resolve() : this.record(step, happened, operation);
    const elapsedMs = performance.now() - began;
    if (failure === undefined) telling.countChange(step, applied.refresh);
    await saved;
    if (failure === undefined) {
      if (!step.isHidden && !(dryRun && step.op !== "same" && step.op !== "refresh"))
        telling.emitStep(step, step.op === "same" && dryRun ? "planned" : "done", elapsedMs, applied.refresh);
      return;
    }
    if (!step.isHidden) telling.emitStep(step, "failed", elapsedMs);
    course.hasFailed = true;
    telling.diagnostic("error", failure.message || failure.name, step.isHidden ? "" : step.urn);
    throw failure;
  }

  private deriveKeyOnce(): Promise<void> {
    this.preparation ??= this.o.deriveKey().catch((error: unknown) => {
      this.o.course.fail(messageOf(error));
      throw new ShuttingDown();
    });
    return this.preparation;
  }

  /** Waits for a write of the state. One that fails ends the run: what is done from then on might not be known. */
  private async awaitWrite(write: Promise<void>): Promise<void> {
    try {
      await write;
    } catch (error) {
      this.writeError = error;
      this.o.course.fail("");
    }
  }

  /** Records what came of a step; the promise resolves when it is safe. */
  private async record(step: Step, happened: boolean, operation: ResourceState | undefined): Promise<void> {
    const { snapshot } = this.o;
    const change = happened ? this.changeOf(step) : {};
    if (change === undefined) return;
    if (operation === undefined) snapshot.recordLazily(change);
    else await this.awaitWrite(snapshot.endMutation({ ...change, operation }));
  }

  /** What a step that happened does to the state; undefined: nothing. */
  private changeOf(step: Step): StateChange | undefined {
    const { snapshot } = this.o;
    const { old, new: state } = step;
    switch (step.op) {
      case "same":
        if (step.isUntargeted) snapshot.allowUnordered();
        return step.isSkippedCreate ? {} : { done: old, added: state, isUntouched: step.isUntargeted };
      case "create":
      case "create-replacement":
        if (old !== undefined) snapshot.markChanged(old);
        return { added: state, done: old?.pendingReplacement ? old : undefined };
      case "update":
      case "read":
        // The object that gave up its name stays until it is deleted.
        if (step.isPartOfReplacement && old !== undefined) snapshot.markChanged(old);
        return { added: state, done: step.isPartOfReplacement ? undefined : old };
      case "delete":
      case "delete-replaced":
      case "discard":
        if (old !== undefined) snapshot.markChanged(old);
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

/** The secrets among values that are texts by themselves, such as keys; what is kept secret as a whole holds all kinds of words. */
const secretStrings = (values: ValueMap = {}): ValueMap =>
  Object.fromEntries(Object.entries(values).filter(([, v]) => isSecret(v) && typeof unwrapSecret(v) === "string"));
