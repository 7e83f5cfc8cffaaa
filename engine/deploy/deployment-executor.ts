/**
 * One operation from beginning to end: refreshes what it goes by, hears the program, and deletes what is left over.
 *
 * Serves: what `up`, `preview`, `refresh` and `destroy` consist of, and in which order.
 */

import { Deferred } from "../deferred";
import { messageOf, ShuttingDown } from "../errors";
import type { EngineEvent, StepOp } from "../events";
import type { ProgramListener, Severity } from "../monitor/resource-monitor";
import { PlanFailure, type Step } from "../plan/step";
import type { StepGenerator } from "../plan/step-generator";
import type { ProgramResult, RunningProgram } from "../plugin/language-host";
import type { ProviderRegistry } from "../plugin/provider-registry";
import type { ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/state";
import type { SnapshotManager, StateChange } from "../state/snapshot-manager";
import { dropDanglingReferences } from "../state/snapshot-order";
import { Lifecycle } from "./lifecycle";
import { Questions } from "./query-runner";
import { ResourceRegistrar } from "./registrar";
import { ResourceOutputs, type StackOutputs } from "./resource-outputs";
import { ProtectedError, type StepContext } from "./step-apply";
import { StepEventEmitter } from "./step-events";
import { StepExecutor } from "./step-executor";

export interface DeploymentOptions {
  operation: "update" | "refresh" | "destroy";
  dryRun: boolean;
  parallel: number;
  /** Refresh the whole old state before anything else. */
  refreshFirst: boolean;
  continueOnError: boolean;
  planner: StepGenerator;
  snapshot: SnapshotManager;
  providers: ProviderRegistry;
  /** Inputs of the default provider of a package. */
  defaultProviderInputs: (pkg: string) => ValueMap;
  targets: { replaces: string[]; targets: string[]; excludes: string[] };
  showSecrets: boolean;
  signal: AbortSignal | undefined;
  emit: (event: EngineEvent) => void;
  /** To be told of values before anybody gets them: what is secret in them must not be printed. */
  hide: (values: ValueMap) => void;
  /** Called once before the first call that changes something: what could still be refused is refused there. */
  deriveKey: () => Promise<void>;
}

export interface DeploymentResult {
  ok: boolean;
  /** False when the last write of the state failed. */
  saved: boolean;
  cancelled: boolean;
  changes: Partial<Record<StepOp, number>>;
  stackOutputs: StackOutputs;
}

/** How long a program that has registered everything may take to end, in milliseconds. */
const PROGRAM_EXIT_TIMEOUT = 10_000;

export class DeploymentExecutor implements ProgramListener {
  readonly registrations: ResourceRegistrar;
  private readonly telling: StepEventEmitter;
  private readonly course: Lifecycle;
  private readonly questions: Questions;
  private readonly executor: StepExecutor;
  private readonly outputs: ResourceOutputs;
  private readonly programSignalled = new Deferred<undefined>();
  private readonly finished = new Deferred<void>();

  constructor(private readonly o: DeploymentOptions) {
    const { dryRun, planner, snapshot, providers } = o;
    const provider = (reference: string) => providers.get(reference, planner.plan.resources);
    this.telling = new StepEventEmitter(o);
    this.course = new Lifecycle(this.telling);
    this.questions = new Questions(provider);
    this.outputs = new ResourceOutputs(planner.plan, snapshot);
    const { telling, course, questions, outputs } = this;
    const applier: StepContext = {
      dryRun,
      providers,
      planner,
      provider,
      answer: (asking) => questions.answer(asking),
      warn: (urn, message) => telling.diagnostic("warning", message, urn),
    };
    this.executor = new StepExecutor({ ...o, applier, course, telling });
    this.registrations = new ResourceRegistrar({ ...o, executor: this.executor, questions, outputs, course });
  }

  /** Whether a write that is due soon will be wanted by others, too: used by the snapshot to gather them. */
  get expectsMoreWrites(): boolean {
    const { executor, registrations } = this;
    return !this.course.isStopped && (executor.inFlight > 0 || (registrations.hasWaiting && executor.hasRoom));
  }

  /** @param start starts the program; without it the operation goes by the old state alone */
  async run(start: (() => RunningProgram) | undefined): Promise<DeploymentResult> {
    const { signal, planner } = this.o;
    const { course } = this;
    const cancel = (): void => {
      if (course.isCancelled) return;
      course.isCancelled = true;
      this.telling.cancelling(this.executor.inFlight);
      course.stop();
    };
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted) cancel();
    try {
      await this.execute(start);
    } catch (error) {
      // Told already where it happened, unless it is news.
      if (!(error instanceof ShuttingDown))
        course.fail(messageOf(error), error instanceof PlanFailure ? error.urn : "");
    } finally {
      course.stop();
      await course.drain();
      this.finished.resolve();
      signal?.removeEventListener("abort", cancel);
    }
    const ok = !course.hasFailed && !course.isCancelled && !planner.plan.sawError;
    const stackOutputs = this.outputs.finalizeStackOutputs(ok);
    const saved = await this.save();
    return { ok: ok && saved, saved, cancelled: course.isCancelled, changes: this.telling.changes, stackOutputs };
  }

  /** Writes the state for the last time; false when that failed. */
  private async save(): Promise<boolean> {
    try {
      await this.o.snapshot.close();
    } catch (error) {
      await this.reportUnsaved(error);
      return false;
    }
    const { writeError } = this.executor;
    if (writeError !== undefined)
      this.course.fail(
        `the state could not be written, so nothing more was begun: ${messageOf(writeError)}. It is written by now. When that is mended, run the same command again`,
      );
    return true;
  }

  /** Says what only this process knows, and puts it where there is room. */
  private async reportUnsaved(reason: unknown): Promise<void> {
    const { snapshot } = this.o;
    const lines = [`the state could not be written: ${messageOf(reason)}`];
    if (snapshot.unsaved.length === 0)
      lines.push("Nothing was done that it does not have. When that is mended, run the same command again");
    else {
      const copy = await snapshot.writeEmergencyCopy();
      lines.push("This was done, and the state on the disk does not have it:");
      lines.push(...snapshot.unsaved.map(describeChange));
      lines.push(
        copy === undefined
          ? "No copy of the state could be put elsewhere. Keep this message; when that is mended, run the same command again"
          : `The whole state is in ${copy}, encrypted where it is secret. When that is mended, put it in the place of ${snapshot.file}; then run the same command again`,
      );
    }
    this.course.fail(lines.join("\n"));
  }

  private async execute(start: (() => RunningProgram) | undefined): Promise<void> {
    const { operation, refreshFirst, targets } = this.o;
    const { course } = this;
    const chosen = [...targets.targets, ...targets.excludes];
    // Without a program nothing is to come: a slip of the pen would be a success that looked at nothing, or at too much.
    if (start === undefined) this.checkTargets(chosen);
    // Until the old state is ready nothing is planned, though the program may register already.
    const goOn = this.registrations.pause();
    const program = start?.();
    try {
      if (refreshFirst) {
        await this.refreshAll();
        if (operation === "refresh") return;
      }
      this.checkTargets(targets.replaces);
      await goOn();
      // What is refreshed may refer to what the program has by now and nobody has made.
      if (operation === "refresh") this.o.snapshot.allowDangling();
      if (program !== undefined) {
        await this.awaitProgram(program.result);
        this.checkTargets(chosen);
      }
      course.throwIfStopped();
      if (operation === "refresh") await this.refreshUnregistered();
      else await this.performDeletes();
    } finally {
      await goOn();
      await course.drain();
      this.finished.resolve();
      if (program !== undefined) await this.shutDownProgram(program);
    }
  }

  private checkTargets(urns: string[]): void {
    const missing = urns.filter((u) => !u.includes("*")).filter((u) => this.o.planner.plan.isUnknownUrn(u));
    if (missing.length === 0) return;
    throw new PlanFailure(
      `no such resource in the stack or the program: ${missing.join(", ")}. \`stack resources --json\` lists the URNs`,
    );
  }

  // ------------------------------------------------------------------------------------------------------- program

  /** Waits until the program has registered everything, has ended or has nothing to say any more. */
  private async awaitProgram(result: Promise<ProgramResult>): Promise<void> {
    const outcome = await Promise.race([result, this.programSignalled.promise, this.course.untilStopped()]);
    if (outcome === undefined || outcome.ok) return;
    // What it registered is finished; but nothing is deleted for a program that did not get to its end.
    await this.course.drain();
    this.course.fail(outcome.message ?? "");
    throw new ShuttingDown();
  }

  /** It ends by itself when all is well; otherwise there is nothing more to hear from it. */
  private async shutDownProgram({ result, kill }: RunningProgram): Promise<void> {
    const { course } = this;
    const patience = setTimeout(kill, course.isStopped ? 0 : PROGRAM_EXIT_TIMEOUT);
    const outcome = await result;
    clearTimeout(patience);
    if (!outcome.ok && !course.hasFailed && !course.isStopped) course.fail(outcome.message ?? "");
  }

  async programDone(): Promise<void> {
    this.programSignalled.resolve(undefined);
    await this.finished.promise;
  }

  rejectProgram(error: Error, urn: string): void {
    this.course.fail(messageOf(error), urn);
  }

  log(severity: Severity, message: string, urn: string): void {
    // Debug messages of the SDK are about its own calls, with all values in clear.
    if (severity === "debug") return;
    this.telling.diagnostic(severity, message, urn, "program");
  }

  // ------------------------------------------------------------------------------------ what was there before

  /** Reads everything in the old state; what is found becomes the old state. */
  private async refreshAll(): Promise<void> {
    const { planner, snapshot } = this.o;
    const steps = planner.generateRefreshes();
    const found = new Map<ResourceState, Step>();
    let failures = 0;
    await Promise.all(
      steps.map(async (step) => {
        if (this.course.isStopped) return;
        try {
          // A failure does not keep the others from being read; it fails the operation at the end.
          await this.executor.execute(step);
          found.set(step.old as ResourceState, step);
        } catch {
          failures++;
        }
      }),
    );
    const rebuilt: ResourceState[] = [];
    for (const r of planner.plan.resources) {
      const step = found.get(r);
      if (step === undefined) rebuilt.push(r);
      else if (step.new !== undefined) rebuilt.push(step.new);
    }
    const resources = dropDanglingReferences(rebuilt, true);
    snapshot.rebase(resources, found.keys());
    planner.plan.resetAfterRefresh(resources);
    if (failures > 0) this.course.fail("");
    this.course.throwIfStopped();
  }

  /** After a program that refreshed what it registered: the same for the rest. */
  private async refreshUnregistered(): Promise<void> {
    const steps = this.o.planner.generateRefreshes();
    for (const step of steps) step.recordAtOnce = true;
    await Promise.all(steps.map((step) => this.executor.execute(step).catch(() => this.course.stop())));
  }

  private async performDeletes(): Promise<void> {
    const { planner, continueOnError } = this.o;
    const { course, executor } = this;
    const { sames, deletes } = await this.questions.answer(planner.deletions.generateDeletes());
    for (const step of sames) await executor.execute(step);
    const spared = new Set<ResourceState>();
    const remove = async (step: Step): Promise<void> => {
      if (course.isStopped || spared.has(step.old as ResourceState)) return;
      try {
        await executor.execute(step);
      } catch (error) {
        // What a resource needs that stays has to stay, too.
        if (continueOnError || error instanceof ProtectedError)
          for (const r of planner.deletions.neededBy(step.old as ResourceState)) spared.add(r);
        else course.stop();
      }
    };
    for (const group of planner.deletions.scheduleDeletes(deletes)) await Promise.all(group.map(remove));
    if (course.hasFailed) course.stop();
  }
}

const describeChange = ({ added, done }: StateChange): string => {
  const { urn, id } = (added ?? done) as ResourceState;
  return `  ${urn} (id ${id}${added === undefined ? ", deleted" : ""})`;
};
