/**
 * One operation from beginning to end: takes registrations, has them planned one after the other, carries the steps
 * out side by side, and records what came of them. Whatever goes wrong, what has begun is finished and recorded, and
 * nothing new is begun.
 *
 * Serves: the order in which ResourceMonitor is answered and ResourceProvider is called.
 */
import { type Applied, type Applier, apply, isCall, ProtectedError, type RefreshResult } from "./apply";
import { describe } from "./diff";
import { messageOf } from "./errors";
import type { EngineEvent, StepInfo, StepOp } from "./events";
import type { Goal, ReadGoal } from "./goal";
import { DiffUnavailable } from "./host";
import { type MonitorTarget, type Registered, type Severity, ShuttingDown } from "./monitor";
import { contains, parsePath } from "./paths";
import type { Planner } from "./planner";
import type { ProgramResult } from "./program";
import type { Providers } from "./providers";
import { Limit, LOOKAHEAD, Slot } from "./schedule";
import { type Snapshot, withoutDangling } from "./snapshot";
import type { PendingOperation, ResourceState } from "./state";
import { PlanFailure, type Question, type Step } from "./steps";
import { isProviderType, nameOf, providerType, STACK_TYPE, typeOf } from "./urn";
import { redactMap, type Value, type ValueMap } from "./values";

export interface DeploymentOptions {
  operation: "update" | "refresh" | "destroy";
  dryRun: boolean;
  parallel: number;
  /** Refresh the whole old state before anything else. */
  refreshFirst: boolean;
  /** Run the program, and how. Absent: the operation goes by the old state alone. */
  program?: (() => { result: Promise<ProgramResult>; kill: () => void }) | undefined;
  continueOnError: boolean;
  planner: Planner;
  snapshot: Snapshot;
  providers: Providers;
  /** The old state; replaced when it is refreshed. */
  resources: readonly ResourceState[];
  /** Inputs of the default provider of a package. */
  defaultProviderInputs: (pkg: string) => ValueMap;
  targets: { replaces: string[]; targets: string[]; excludes: string[] };
  showSecrets: boolean;
  signal: AbortSignal | undefined;
  emit: (event: EngineEvent) => void;
  /** To be told of inputs before a provider gets them: what is secret in them must not be printed. */
  hide: (values: ValueMap) => void;
  /** Called once before the first call that changes something: what could still be refused is refused there. */
  prepare: () => Promise<void>;
}

export interface DeploymentResult {
  ok: boolean;
  cancelled: boolean;
  changes: Partial<Record<StepOp, number>>;
  stackOutputs: { before: ValueMap; after: ValueMap };
}

const PENDING: Partial<Record<StepOp, PendingOperation["type"]>> = {
  create: "creating",
  "create-replacement": "creating",
  update: "updating",
  delete: "deleting",
  "delete-replaced": "deleting",
  read: "reading",
};

export class Deployment implements MonitorTarget {
  private readonly changes: Partial<Record<StepOp, number>> = {};
  private failed = false;
  /** Nothing new is begun. */
  private stopped = false;
  private cancelled = false;
  private readonly onStop: (() => void)[] = [];

  /** Planning is one thing at a time, in the order of registration. */
  private readonly planning = new Limit(1);
  private readonly announced: Limit;
  private readonly calls: Limit;
  private inFlight = 0;
  private readonly running = new Set<Promise<void>>();

  /** States of this run, for getResource and for outputs that come later. */
  private readonly news = new Map<string, ResourceState>();
  private readonly awaitingOutputs = new Map<string, Step>();
  private stackOutputs: { urn: string; outputs: ValueMap } | undefined;
  private readonly defaults = new Map<string, Promise<string>>();
  /** With continueOnError: what must not be touched since it refers to what failed. */
  private readonly skipped = new Set<string>();

  /** Deletions that come before a replacement, by old state, until they are done or given up. */
  private readonly deletions = new Map<ResourceState, { done: Promise<boolean>; settle: (ok: boolean) => void }>();

  private preparation: Promise<void> | undefined;

  private resources: readonly ResourceState[];
  private resolveProgram: () => void = () => undefined;
  private readonly programSignalled = new Promise<void>((resolve) => {
    this.resolveProgram = resolve;
  });
  private resolveFinished: () => void = () => undefined;
  private readonly finished = new Promise<void>((resolve) => {
    this.resolveFinished = resolve;
  });
  private readonly applier: Applier;

  constructor(private readonly o: DeploymentOptions) {
    this.resources = o.resources;
    this.announced = new Limit(o.parallel * LOOKAHEAD);
    this.calls = new Limit(o.parallel);
    this.applier = {
      dryRun: o.dryRun,
      providers: o.providers,
      planner: o.planner,
      provider: (reference) => o.providers.get(reference, this.resources),
      answer: (asking) => this.drive(asking as Generator<Question, never, unknown>),
      warn: (urn, message) => this.diagnose("warning", message, urn),
    };
  }

  /** Whether a write that is due soon will be wanted by others, too: used by the snapshot to gather them. */
  get busy(): boolean {
    return !this.stopped && (this.inFlight > 0 || (this.planning.queued > 0 && this.announced.available > 0));
  }

  // ----------------------------------------------------------------------------------------------------- operation

  async run(): Promise<DeploymentResult> {
    const { signal } = this.o;
    const cancel = (): void => {
      if (this.cancelled) return;
      this.cancelled = true;
      this.o.emit({ type: "cancelling", inFlight: this.inFlight });
      this.stop();
    };
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted) cancel();
    try {
      await this.operate();
    } catch (error) {
      // Told already where it happened, unless it is news.
      if (!(error instanceof ShuttingDown)) this.fail(messageOf(error), error instanceof PlanFailure ? error.urn : "");
    } finally {
      this.stopped = true;
      await this.settle();
      this.resolveFinished();
      signal?.removeEventListener("abort", cancel);
    }
    const outputs = this.finishStackOutputs();
    await this.o.snapshot.close();
    const ok = !this.failed && !this.cancelled && !this.o.planner.plan.sawError;
    return { ok, cancelled: this.cancelled, changes: this.changes, stackOutputs: outputs };
  }

  private async operate(): Promise<void> {
    const unlock = this.lockPlanning();
    const program = this.o.program?.();
    let ended = false;
    const result = program?.result.then((r) => {
      ended = true;
      return r;
    });
    try {
      if (this.o.refreshFirst) {
        await this.refreshAll();
        if (this.o.operation === "refresh") return;
      }
      this.checkTargets(this.o.targets.replaces);
      await unlock();
      if (result !== undefined) await this.awaitProgram(result);
      this.assertGoingOn();
      this.checkTargets([...this.o.targets.targets, ...this.o.targets.excludes]);
      if (this.o.operation === "refresh") await this.refreshRest();
      else await this.deleteRest();
    } finally {
      await unlock();
      await this.settle();
      this.resolveFinished();
      if (program !== undefined && result !== undefined) {
        // It ends by itself when all is well; otherwise there is nothing more to hear from it.
        if (!ended && this.stopped) program.kill();
        const patience = setTimeout(() => program.kill(), 10_000);
        const outcome = await result;
        clearTimeout(patience);
        if (!outcome.ok && !this.failed && !this.stopped) this.fail(outcome.message ?? "", "");
      }
    }
  }

  /** Until the old state is ready nothing is planned, though the program may register already. */
  private lockPlanning(): () => Promise<void> {
    let held = true;
    const taken = this.planning.take();
    return async () => {
      await taken;
      if (held) this.planning.give();
      held = false;
    };
  }

  private async awaitProgram(result: Promise<ProgramResult>): Promise<void> {
    const outcome = await Promise.race([result, this.programSignalled, this.whenStopped()]);
    if (outcome === undefined) return;
    if (!outcome.ok) {
      // What it registered is finished; but nothing is deleted for a program that did not get to its end.
      await this.settle();
      this.fail(outcome.message ?? "", "");
      throw new ShuttingDown();
    }
  }

  private whenStopped(): Promise<undefined> {
    return new Promise((resolve) => {
      if (this.stopped) resolve(undefined);
      else this.onStop.push(() => resolve(undefined));
    });
  }

  private checkTargets(urns: string[]): void {
    const missing = urns.filter((u) => !u.includes("*")).filter((u) => this.o.planner.plan.unknownUrn(u));
    if (missing.length === 0) return;
    throw new PlanFailure(
      `no such resource in the stack or the program: ${missing.join(", ")}. URNs are listed by \`stack --show-urns\` or \`stack export\``,
    );
  }

  private stop(): void {
    this.stopped = true;
    for (const f of this.onStop.splice(0)) f();
  }

  private assertGoingOn(): void {
    if (this.stopped) throw new ShuttingDown();
  }

  private diagnose(severity: Severity, message: string, urn = "", source: "engine" | "program" = "engine"): void {
    this.o.emit({ type: "diagnostic", severity, message, source, ...(urn !== "" && { urn }) });
  }

  private fail(message: string, urn: string): void {
    this.failed = true;
    if (message !== "") this.diagnose("error", message, urn);
    this.stop();
  }

  private async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled([...this.running]);
  }

  private track<T>(task: Promise<T>): Promise<T> {
    const settled = task.then(
      () => undefined,
      () => undefined,
    );
    this.running.add(settled);
    void settled.then(() => this.running.delete(settled));
    return task;
  }

  // ------------------------------------------------------------------------------------------------- registrations

  register(goal: Goal): Promise<Registered> {
    return this.track(this.serve(goal, () => this.o.planner.register(goal)));
  }

  read(goal: ReadGoal): Promise<Registered> {
    return this.track(this.serve(goal, () => this.o.planner.read(goal)));
  }

  private async serve(
    goal: { type: string; name: string },
    plan: () => Generator<Question, Step[], unknown> | Step[],
  ): Promise<Registered> {
    await this.planning.take();
    let answered: (r: Registered) => void = () => undefined;
    let unanswered: (error: unknown) => void = () => undefined;
    const answer = new Promise<Registered>((resolve, reject) => {
      answered = resolve;
      unanswered = reject;
    });
    const slot = new Slot(this.announced);
    let locked = true;
    const lock = {
      release: () => {
        if (locked) this.planning.give();
        locked = false;
      },
      take: async () => {
        await this.planning.take();
        locked = true;
      },
    };
    try {
      this.assertGoingOn();
      const planned = plan();
      const steps = Array.isArray(planned) ? planned : await this.drive(planned, lock);
      this.assertGoingOn();
      for (const step of steps) if (step.pendingReplacement && step.old) this.expectDeletion(step.old);
      // Nothing is planned that could not be announced: so that what is asked of providers stays close to what is done.
      if (steps.some((s) => isCall(s, this.o.planner))) await slot.take();
      lock.release();
      void this.track(
        this.chain(steps, answered, slot)
          // After the answer this has no effect.
          .then(() => unanswered(new ShuttingDown()), unanswered)
          .finally(() => {
            slot.give();
            for (const step of steps) if (step.old) this.deletions.get(step.old)?.settle(false);
          }),
      );
    } catch (error) {
      lock.release();
      slot.give();
      if (error instanceof ShuttingDown) throw error;
      const urn = error instanceof PlanFailure && error.urn !== "" ? error.urn : "";
      this.fail(messageOf(error), urn || (error instanceof PlanFailure ? "" : `${goal.type}::${goal.name}`));
      throw new ShuttingDown();
    }
    return answer;
  }

  /** Runs a generator of the planner's, answering its questions. */
  private async drive<T>(
    asking: Generator<Question, T, unknown>,
    lock?: { release(): void; take(): Promise<void> },
  ): Promise<T> {
    let next = asking.next();
    while (!next.done) {
      let reply: unknown;
      try {
        reply = await this.reply(next.value, lock);
      } catch (error) {
        next = asking.throw(error);
        continue;
      }
      next = asking.next(reply);
    }
    return next.value;
  }

  private async reply(q: Question, lock?: { release(): void; take(): Promise<void> }): Promise<unknown> {
    switch (q.ask) {
      case "check":
        return this.applier.provider(q.provider).check(q.urn, q.olds, q.news);
      case "diff":
        try {
          return await this.applier
            .provider(q.provider)
            .diff(q.urn, q.id, q.oldInputs, q.oldOutputs, q.news, q.ignoreChanges);
        } catch (error) {
          if (!(error instanceof DiffUnavailable)) throw error;
          return { changes: "some", replaces: [], deleteBeforeReplace: false, unavailable: error.message };
        }
      case "refresh": {
        // Others are planned while this one is read.
        lock?.release();
        try {
          await this.execute(q.step);
        } finally {
          await lock?.take();
        }
        return q.step.new;
      }
    }
  }

  private async chain(steps: Step[], answered: (r: Registered) => void, slot: Slot): Promise<void> {
    for (const step of steps) {
      if (this.stopped) return;
      if (this.dependsOnFailed(step)) {
        this.skipped.add(step.urn);
        if (step.answers) answered(this.registered(step, "skipped"));
        continue;
      }
      try {
        // A dependent of what is replaced may register again while its old object is still being deleted.
        const deletion = step.op === "create-replacement" && step.old ? this.deletions.get(step.old) : undefined;
        const own = steps.some((s) => s.pendingReplacement && s.old === step.old);
        if (deletion && !own && !(await deletion.done)) {
          this.skipped.add(step.urn);
          if (step.answers) answered(this.registered(step, "skipped"));
          return;
        }
        await this.execute(step, slot);
        if (step.pendingReplacement && step.old) this.deletions.get(step.old)?.settle(true);
      } catch (error) {
        if (error instanceof ShuttingDown) return;
        if (!this.o.continueOnError) {
          this.stop();
          return;
        }
        this.skipped.add(step.urn);
        const answering = steps.find((s) => s.answers);
        if (answering) answered(this.registered(answering, "failed"));
        return;
      }
      if (step.answers) answered(this.registered(step, "done"));
    }
  }

  private expectDeletion(old: ResourceState): void {
    let settle: (ok: boolean) => void = () => undefined;
    const done = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    this.deletions.set(old, { done, settle });
  }

  private dependsOnFailed(step: Step): boolean {
    if (this.skipped.size === 0) return false;
    const r = step.new ?? step.old;
    return r !== undefined && this.o.planner.plan.refersToAny(r, this.skipped);
  }

  private registered(step: Step, outcome: Registered["outcome"]): Registered {
    const state = (step.new ?? step.old) as ResourceState;
    return {
      urn: state.urn,
      id: state.id ?? "",
      outputs: state.outputs ?? {},
      outcome,
      ...(step.skippedCreate && { unknown: true }),
    };
  }

  // --------------------------------------------------------------------------------------------------------- steps

  /** Carries out a step and records it. Rejects when it failed; that was told already. */
  private async execute(step: Step, slot: Slot = new Slot(this.announced)): Promise<void> {
    // A state that answers for itself (it was refreshed just now).
    if (step.op === "same" && step.old === step.new) {
      if (step.new) this.news.set(step.urn, step.new);
      return;
    }
    const { snapshot, dryRun } = this.o;
    const calls = isCall(step, this.o.planner) && !dryRun;
    const operation = calls ? (step.new ?? step.old) : undefined;
    const started = performance.now();
    if (!step.internal && step.op !== "same") this.emitStep(step, dryRun ? "planned" : "started");
    if (operation?.inputs !== undefined) this.o.hide(operation.inputs);
    if (operation !== undefined) {
      await this.prepared();
      await slot.take();
    }
    if (operation !== undefined) await snapshot.begin(operation, PENDING[step.op] as PendingOperation["type"]);

    // Announced, but not begun: when the run stops now, it is taken back.
    const assertBegun = (): void => {
      if (operation === undefined || !this.stopped) return;
      slot.give();
      snapshot.note({ operation });
      throw new ShuttingDown();
    };
    assertBegun();

    let applied: Applied = {};
    let failure: Error | undefined;
    const work = async (): Promise<void> => {
      try {
        applied = await apply(step, this.applier);
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

    if (
      step.new !== undefined &&
      step.op !== "replace" &&
      step.op !== "refresh" &&
      (failure === undefined || applied.partial)
    ) {
      this.news.set(step.new.urn, step.new);
      this.o.planner.done(step.new);
    }
    const saved = this.record(step, applied, failure === undefined || applied.partial !== undefined, operation);
    const elapsedMs = performance.now() - started;
    if (failure === undefined) {
      this.count(step, applied.refresh);
      // Only components report outputs of their own.
      if (step.new?.custom === false && isLogical(step)) this.awaitingOutputs.set(step.urn, step);
    }
    await saved;
    if (failure === undefined) {
      if (!step.internal && !(dryRun && step.op !== "same" && step.op !== "refresh"))
        this.emitStep(step, step.op === "same" && dryRun ? "planned" : "done", elapsedMs, applied.refresh);
      return;
    }
    if (!step.internal) this.emitStep(step, "failed", elapsedMs);
    this.failed = true;
    this.diagnose("error", reasonOf(failure), step.internal ? "" : step.urn);
    throw failure;
  }

  private prepared(): Promise<void> {
    this.preparation ??= this.o.prepare().catch((error: unknown) => {
      this.fail(messageOf(error), "");
      throw new ShuttingDown();
    });
    return this.preparation;
  }

  /** Records what came of a step; the promise resolves when it is safe. */
  private async record(
    step: Step,
    applied: Applied,
    happened: boolean,
    operation: ResourceState | undefined,
  ): Promise<void> {
    const { snapshot } = this.o;
    const { old, new: state } = step;
    const change: Parameters<Snapshot["note"]>[0] = operation === undefined ? {} : { operation };
    if (happened)
      switch (step.op) {
        case "same":
          change.done = old;
          if (!step.skippedCreate) change.added = state;
          else if (old !== undefined) change.done = undefined;
          break;
        case "create":
        case "create-replacement":
          change.added = state;
          if (old?.pendingReplacement) change.done = old;
          if (old !== undefined) snapshot.changed(old);
          break;
        case "update":
        case "read":
          change.done = old;
          change.added = state;
          if (step.replacing) {
            // The object that gave up its name stays until it is deleted.
            change.done = undefined;
            if (old !== undefined) snapshot.changed(old);
          }
          break;
        case "delete":
        case "delete-replaced":
        case "discard":
          if (old !== undefined) snapshot.changed(old);
          if (!old?.pendingReplacement) change.done = old;
          break;
        case "remove-pending-replace":
          change.done = old;
          break;
        case "refresh":
          if (!step.persisted) return;
          change.done = old;
          change.added = state;
          if (state === undefined) snapshot.resourceVanished();
          break;
        default:
          return;
      }
    void applied;
    if (operation !== undefined) await snapshot.end(change);
    else snapshot.note(change);
  }

  private count(step: Step, refresh: RefreshResult | undefined): void {
    let op: StepOp = step.op;
    let counts = isLogical(step);
    if (step.op === "refresh") {
      counts = this.o.operation === "refresh";
      op = refresh?.op ?? "same";
    }
    // An object that is read every time is not news.
    if (step.op === "read")
      counts =
        !step.replacing && step.old?.outputs !== undefined && !sameValues(step.old.outputs, step.new?.outputs ?? {});
    if (step.internal || !counts || isDefaultProvider(step.urn)) return;
    this.changes[op] = (this.changes[op] ?? 0) + 1;
  }

  private emitStep(
    step: Step,
    status: "planned" | "started" | "done" | "failed",
    elapsedMs?: number,
    refresh?: RefreshResult,
  ): void {
    if (isDefaultProvider(step.urn)) return;
    const info = this.info(step, refresh);
    this.o.emit({ type: "step", status, step: info, ...(elapsedMs !== undefined && { elapsedMs }) });
  }

  private info(step: Step, refresh?: RefreshResult): StepInfo {
    const state = (step.new ?? step.old) as ResourceState;
    const keys = (step.replaceKeys ?? []).map(parsePath).filter((p) => p !== undefined);
    const changes = refresh?.changes ?? step.changes;
    const shown = ["create", "create-replacement", "delete", "delete-replaced"].includes(step.op)
      ? state.inputs
      : undefined;
    const reason =
      step.reason ??
      (step.replaceKeys?.length === 1 ? REASONS[step.replaceKeys[0] as string] : undefined) ??
      (step.pendingReplacement && step.new === undefined
        ? "something it depends on is replaced, or it is itself"
        : undefined);
    return {
      op: step.op,
      urn: state.urn,
      type: typeOf(state.urn),
      name: nameOf(state.urn),
      ...(state.parent !== undefined && { parent: state.parent }),
      ...(state.id !== undefined && state.id !== "" && { id: state.id }),
      custom: state.custom,
      ...(changes !== undefined && {
        diffs: describe(changes, (path) => keys.some((k) => contains(k, path)), this.o.showSecrets),
      }),
      ...(shown !== undefined && { inputs: redactMap(withoutCode(shown), this.o.showSecrets) }),
      ...(reason !== undefined && { reason }),
      ...(refresh !== undefined && { result: refresh.op }),
    };
  }

  // ------------------------------------------------------------------------------------------------------- outputs

  async registerOutputs(urn: string, outputs: ValueMap): Promise<void> {
    await this.planning.run(async () => {
      this.assertGoingOn();
      // The stack's own are settled at the end, when it is known whether all went well.
      if (typeOf(urn) === STACK_TYPE) {
        this.stackOutputs = { urn, outputs };
        return;
      }
      const step = this.awaitingOutputs.get(urn);
      if (step === undefined) throw new Error(`${urn} reports outputs but is not registered, or did so already`);
      this.awaitingOutputs.delete(urn);
      if (step.skippedCreate || step.new === undefined) return;
      step.new.outputs = outputs;
      this.o.snapshot.changed(step.new);
    });
  }

  private finishStackOutputs(): DeploymentResult["stackOutputs"] {
    const stack = this.resources.find((r) => r.type === STACK_TYPE && !r.delete);
    const before = stack?.outputs ?? {};
    if (this.stackOutputs === undefined) {
      const current = [...this.news.values()].find((r) => r.type === STACK_TYPE);
      const gone =
        this.o.operation === "destroy" &&
        !this.o.dryRun &&
        !this.o.snapshot.resources().some((r) => r.type === STACK_TYPE);
      return { before, after: gone ? {} : (current?.outputs ?? before) };
    }
    const { urn, outputs } = this.stackOutputs;
    const errored = this.failed || this.cancelled || this.o.planner.plan.sawError;
    // After a failure an output that is missing may just not have been reached.
    const after = errored ? { ...before, ...outputs } : outputs;
    const step = this.awaitingOutputs.get(urn);
    if (step?.new !== undefined) {
      step.new.outputs = after;
      this.o.snapshot.changed(step.new);
    }
    return { before, after };
  }

  lookup(urn: string) {
    const state = this.news.get(urn);
    return state && { id: state.id ?? "", provider: state.provider ?? "", outputs: state.outputs ?? {} };
  }

  // ----------------------------------------------------------------------------------------------------- providers

  defaultProvider(pkg: string): Promise<string> {
    let reference = this.defaults.get(pkg);
    if (reference === undefined) {
      reference = this.register({
        type: providerType(pkg),
        name: "default",
        custom: true,
        parent: undefined,
        inputs: this.o.defaultProviderInputs(pkg),
        dependencies: [],
        propertyDependencies: {},
        provider: "",
        protect: undefined,
        retainOnDelete: undefined,
        deletedWith: "",
        replaceWith: [],
        replacementTrigger: undefined,
        deleteBeforeReplace: undefined,
        ignoreChanges: [],
        replaceOnChanges: [],
        hideDiff: [],
        additionalSecretOutputs: [],
        aliases: [],
        customTimeouts: {},
        importId: "",
        sourcePosition: "",
        stackTrace: [],
      }).then((r) => `${r.urn}::${r.id}`);
      reference.catch(() => undefined);
      this.defaults.set(pkg, reference);
    }
    return reference;
  }

  // ----------------------------------------------------------------------------------------------- program's voice

  async programDone(): Promise<void> {
    this.resolveProgram();
    await this.finished;
  }

  refuse(error: Error, urn: string): void {
    this.fail(messageOf(error), urn);
  }

  log(severity: Severity, message: string, urn: string): void {
    // Debug messages of the SDK are about its own calls, with all values in clear.
    if (severity === "debug") return;
    this.diagnose(severity, message, urn, "program");
  }

  // ---------------------------------------------------------------------------------------- refreshes and deletions

  /** Reads everything in the old state; what is found becomes the old state. */
  private async refreshAll(): Promise<void> {
    const steps = this.o.planner.refreshesOfTheRest();
    const found = new Map<ResourceState, Step>();
    let failures = 0;
    await Promise.all(
      steps.map(async (step) => {
        if (this.stopped) return;
        try {
          // A failure does not keep the others from being read; it fails the operation at the end.
          await this.execute(step);
          found.set(step.old as ResourceState, step);
        } catch {
          failures++;
        }
      }),
    );
    const rebuilt: ResourceState[] = [];
    for (const r of this.resources) {
      const step = found.get(r);
      if (step === undefined) rebuilt.push(r);
      else if (step.new !== undefined) rebuilt.push(step.new);
    }
    this.resources = withoutDangling(rebuilt, true);
    this.o.snapshot.rebase(this.resources);
    this.o.planner.plan.forgetRefreshes(this.resources);
    if (failures > 0) this.fail("", "");
    this.assertGoingOn();
  }

  /** After a program that refreshed what it registered: the same for the rest. */
  private async refreshRest(): Promise<void> {
    const steps = this.o.planner.refreshesOfTheRest();
    for (const step of steps) step.persisted = true;
    await Promise.all(steps.map((step) => this.execute(step).catch(() => this.stop())));
    this.o.snapshot.resourceVanished();
  }

  private async deleteRest(): Promise<void> {
    const { planner } = this.o;
    const { sames, deletes } = await this.drive(planner.deletions.steps());
    for (const step of sames) await this.execute(step);
    const spared = new Set<ResourceState>();
    for (const group of planner.deletions.schedule(deletes)) {
      if (this.stopped) break;
      await Promise.all(
        group
          .filter((step) => !spared.has(step.old as ResourceState))
          .map(async (step) => {
            try {
              if (!this.stopped) await this.execute(step);
            } catch (error) {
              // What a resource needs that stays has to stay, too.
              if (this.o.continueOnError || error instanceof ProtectedError)
                for (const r of planner.plan.neededBy(step.old as ResourceState)) spared.add(r);
              else this.stop();
            }
          }),
      );
    }
    if (this.failed) this.stop();
  }
}

const REASONS: Record<string, string> = {
  id: "asked for",
  replaceWith: "a resource in its replaceWith is replaced",
  deletedWith: "the resource it is deleted with is replaced",
  provider: "its provider is another one",
  "#initerror": "its last creation or update did not finish",
};

/** Steps that stand for a resource; the others are parts of a replacement. */
const isLogical = (step: Step): boolean =>
  step.op !== "refresh" && step.op !== "remove-pending-replace" && (step.op === "replace" || !step.replacing);

const isDefaultProvider = (urn: string): boolean => isProviderType(typeOf(urn)) && nameOf(urn).startsWith("default");

const withoutCode = (inputs: ValueMap): ValueMap =>
  Object.fromEntries(Object.entries(inputs).filter(([k]) => k !== "__provider")) as Record<string, Value>;

const sameValues = (a: ValueMap, b: ValueMap): boolean => JSON.stringify(a) === JSON.stringify(b);

const reasonOf = (error: Error): string => error.message || error.name;
