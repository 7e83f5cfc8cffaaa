/**
 * Carries steps out side by side: announces each in the state, does it, records what came of it, and only then lets
 * anybody know.
 *
 * Serves: how many calls of ResourceProvider run at once, and what the state holds before and after each.
 */

import { messageOf, ShuttingDown } from "../errors";
import type { StepOp } from "../events";
import type { Step } from "../plan/step";
import type { Planner } from "../plan/step-generator";
import { Unanswered } from "../plugin/provider";
import { isSecret, unwrapSecret, type ValueMap } from "../resource/property-value";
import type { PendingOperation, ResourceState } from "../resource/state";
import type { Snapshot, StateChange } from "../state/snapshot-manager";
import type { Course } from "./lifecycle";
import { Limit, LOOKAHEAD, Slot } from "./semaphore";
import { type Applied, type Applier, apply, isCall } from "./step-apply";
import type { Telling } from "./step-events";

const PENDING: Partial<Record<StepOp, PendingOperation["type"]>> = {
  create: "creating",
  "create-replacement": "creating",
  update: "updating",
  delete: "deleting",
  "delete-replaced": "deleting",
  read: "reading",
};

export interface ExecutorOptions {
  dryRun: boolean;
  parallel: number;
  planner: Planner;
  snapshot: Snapshot;
  applier: Applier;
  course: Course;
  telling: Telling;
  /** To be told of values before anybody gets them: what is secret in them must not be printed. */
  hide: (values: ValueMap) => void;
  /** Called once before the first call that changes something: what could still be refused is refused there. */
  prepare: () => Promise<void>;
}

export class Executor {
  private readonly announced: Limit;
  private readonly calls: Limit;
  private preparation: Promise<void> | undefined;
  /** Why the state could not be written the last time that it failed. To be told when it is known what became of it. */
  unwritten: unknown;
  /** Number of calls that have begun and not ended. */
  inFlight = 0;

  constructor(private readonly o: ExecutorOptions) {
    this.announced = new Limit(o.parallel * LOOKAHEAD);
    this.calls = new Limit(o.parallel);
  }

  /** True if another operation could be announced now. */
  get hasRoom(): boolean {
    return this.announced.available > 0;
  }

  /** A place among those that are announced, for a chain of steps. */
  slot(): Slot {
    return new Slot(this.announced);
  }

  /** Carries out a step and records it. Rejects when it failed; that was told already. */
  async execute(step: Step, slot: Slot = this.slot()): Promise<void> {
    const { planner, snapshot, course, telling, dryRun } = this.o;
    // A state that answers for itself (it was refreshed just now).
    if (step.op === "same" && step.old === step.new) {
      if (step.new) planner.done(step.new);
      return;
    }
    const calls = isCall(step, planner) && !dryRun;
    const operation = calls ? (step.new ?? step.old) : undefined;
    if (operation !== undefined) {
      if (operation.inputs !== undefined) this.o.hide(operation.inputs);
      await this.prepared();
      await slot.take();
      await this.written(snapshot.begin(operation, PENDING[step.op] as PendingOperation["type"]));
    }

    // Announced, but not begun: when the run stops now, it is taken back.
    const assertBegun = (): void => {
      if (operation === undefined || !course.stopped) return;
      slot.give();
      snapshot.note({ operation });
      throw new ShuttingDown();
    };
    assertBegun();

    let applied: Applied = {};
    let failure: Error | undefined;
    let began = 0;
    const work = async (): Promise<void> => {
      began = performance.now();
      if (!step.internal && step.op !== "same") telling.step(step, dryRun ? "planned" : "started");
      try {
        applied = await apply(step, this.o.applier);
        this.o.hide(secretTexts(step.new?.outputs));
        failure = applied.partial;
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
      }
    };
    if (calls || (step.op === "refresh" && step.old?.custom)) {
      await this.calls.take();
      try {
        assertBegun();
        this.inFlight++;
        await work();
        this.inFlight--;
      } finally {
        this.calls.give();
        // The next one is announced by the write that records this one.
        slot.give();
      }
    } else await work();

    const happened = failure === undefined || applied.partial !== undefined;
    if (happened && step.new !== undefined && step.op !== "replace" && step.op !== "refresh") planner.done(step.new);
    // Without an answer it stays on record as begun, as after a kill.
    const saved = failure instanceof Unanswered ? Promise.resolve() : this.record(step, happened, operation);
    const elapsedMs = performance.now() - began;
    if (failure === undefined) telling.count(step, applied.refresh);
    await saved;
    if (failure === undefined) {
      if (!step.internal && !(dryRun && step.op !== "same" && step.op !== "refresh"))
        telling.step(step, step.op === "same" && dryRun ? "planned" : "done", elapsedMs, applied.refresh);
      return;
    }
    if (!step.internal) telling.step(step, "failed", elapsedMs);
    course.failed = true;
    telling.diagnose("error", failure.message || failure.name, step.internal ? "" : step.urn);
    throw failure;
  }

  private prepared(): Promise<void> {
    this.preparation ??= this.o.prepare().catch((error: unknown) => {
      this.o.course.fail(messageOf(error));
      throw new ShuttingDown();
    });
    return this.preparation;
  }

  /** Waits for a write of the state. One that fails ends the run: what is done from then on might not be known. */
  private async written(write: Promise<void>): Promise<void> {
    try {
      await write;
    } catch (error) {
      this.unwritten = error;
      this.o.course.fail("");
    }
  }

  /** Records what came of a step; the promise resolves when it is safe. */
  private async record(step: Step, happened: boolean, operation: ResourceState | undefined): Promise<void> {
    const { snapshot } = this.o;
    const change = happened ? this.changeOf(step) : {};
    if (change === undefined) return;
    if (operation === undefined) snapshot.note(change);
    else await this.written(snapshot.end({ ...change, operation }));
  }

  /** What a step that happened does to the state; undefined: nothing. */
  private changeOf(step: Step): StateChange | undefined {
    const { snapshot } = this.o;
    const { old, new: state } = step;
    switch (step.op) {
      case "same":
        if (step.untargeted) snapshot.keptAhead();
        return step.skippedCreate ? {} : { done: old, added: state, untouched: step.untargeted };
      case "create":
      case "create-replacement":
        if (old !== undefined) snapshot.changed(old);
        return { added: state, done: old?.pendingReplacement ? old : undefined };
      case "update":
      case "read":
        // The object that gave up its name stays until it is deleted.
        if (step.replacing && old !== undefined) snapshot.changed(old);
        return { added: state, done: step.replacing ? undefined : old };
      case "delete":
      case "delete-replaced":
      case "discard":
        if (old !== undefined) snapshot.changed(old);
        return { done: old?.pendingReplacement ? undefined : old };
      case "remove-pending-replace":
        return { done: old };
      case "refresh":
        if (!step.persisted) return undefined;
        if (state === undefined) snapshot.resourceVanished();
        else snapshot.keptAhead();
        return { done: old, added: state };
      case "replace":
        return undefined;
    }
  }
}

/** The secrets among values that are texts by themselves, such as keys; what is kept secret as a whole holds all kinds of words. */
const secretTexts = (values: ValueMap = {}): ValueMap =>
  Object.fromEntries(Object.entries(values).filter(([, v]) => isSecret(v) && typeof unwrapSecret(v) === "string"));
