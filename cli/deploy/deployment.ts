/**
 * An operation on a stack: preview, question, run, with a display and an orderly end on Ctrl-C. It is the one way to an engine, also of a
 * fleet, so that no deployment goes without a check that another one has.
 */
import { hasChanges } from "../../engine/events";
import type {
  DeploymentPlan,
  EngineEvent,
  Operation,
  RollbackOptions,
  RunOptions,
  RunResult,
} from "../../engine/index";
import { effectsFileVariable } from "../../provider/reporting/effect-reporter";
import { isOffline } from "../../provider/session/offline";
import type { Display } from "../display/display";
import { type AccountSummary, isUnchanged } from "../display/shown-step";
import type { DeployableStack } from "../engine/deployable-stack";
import { Interrupt } from "../output/interrupt";
import { errorColours, note } from "../output/terminal";
import { projectFolder } from "../project/project-files";
import {
  forgetPendingCreates,
  hasPendingCreates,
  recoverCreate,
  rejectPendingCreates,
} from "../project/stack-pending-creates";
import { setConfigOptions } from "./config-option";
import { assertCanAsk, confirmPlan } from "./confirm-plan";
import { type DeploymentAccount, hintAtAccount } from "./deployment-account";
import { DeploymentEffects } from "./deployment-effects";
import { EffectsFile } from "./effects-file";
import { openDisplay } from "./open-display";
import type { OpenedStack } from "./open-stack";
import { type PlanFile, rejectOtherAccount, rejectOtherEffects, writePlan } from "./plan-file";
import { type DeployOptions, type DeployVerb, isPreviewOnly, runOptions } from "./run-options";

const operations: Record<DeployVerb, Operation> = {
  up: "update",
  preview: "preview",
  refresh: "refresh",
  destroy: "destroy",
};

/** What is to be done with a stack. */
export interface DeploymentRequest {
  verb: DeployVerb;
  options: DeployOptions;
  /** For the engine, the program and the providers, besides the environment of this process. */
  env: Record<string, string>;
  /** That the preview must agree with, of the file in the options. */
  plan?: PlanFile;
  /** What a program adds that runs deployments. */
  run?: Pick<RunOptions, "languageRuntime" | "historyEnvironment" | "withStates">;
  /** Gets every event, before it is shown. */
  onEvent?: (event: EngineEvent) => void;
  /** Of one of several deployments of this process: nothing is printed, and no signal is heard. Default: that of the command. */
  display?: Display;
}

/** How a deployment ended. All of it has been shown, except for `unexpected`. */
export interface DeploymentResult {
  /** Of the last run. `ok` is false also where a preview has found what the run after it would refuse. */
  run: RunResult;
  /** What that does to the account. */
  account: AccountSummary;
  /** What the run after the preview would refuse, as the errors that it would report. */
  refusals: DiagnosticEvent[];
  /** What an option excludes, and was found, as a sentence. */
  unexpected?: string;
}

type DiagnosticEvent = Extract<EngineEvent, { type: "diagnostic" }>;

/** Rejects with what it has not shown, before the first run or after it. */
export async function runDeployment(opened: OpenedStack, request: DeploymentRequest): Promise<DeploymentResult> {
  const { stack } = opened;
  const { verb, options, env, plan } = request;
  await setConfigOptions(stack, options.config ?? []);
  const all = { ...process.env, ...env };
  const file = new EffectsFile(all[effectsFileVariable], options.offline ?? isOffline(all));
  const first = { ...env, ...file.environment(isPreviewOnly(verb, options) || !options.skipPreview) };
  try {
    // Before the account is known: services begin while the key of the secrets is made.
    await stack.prepare(operations[verb], { ...runOptions(options), ...request.run, env: first });
    const account = await opened.account();
    if (plan !== undefined) rejectOtherAccount(plan, options.plan!, account.fingerprint);
    if (account.label === undefined && request.display === undefined) await hintAtAccount(projectFolder(), stack.name);
    if (!isPreviewOnly(verb, options) && !options.yes) assertCanAsk();
    const display = request.display ?? (await openDisplay(options, stack.engine, account.label));
    const deployment = new Deployment(opened, request, account, file, display);
    try {
      return await deployment.run();
    } finally {
      deployment.close();
    }
  } finally {
    file.remove();
  }
}

class Deployment {
  #isChanging = false;
  readonly #effects: DeploymentEffects;
  readonly #interrupt: Interrupt | undefined;

  readonly #stack: DeployableStack;
  readonly #rollback: RollbackOptions | undefined;
  readonly #request: DeploymentRequest;
  readonly #account: DeploymentAccount;
  readonly #display: Display;

  constructor(
    { stack, rollback }: OpenedStack,
    request: DeploymentRequest,
    account: DeploymentAccount,
    file: EffectsFile,
    display: Display,
  ) {
    this.#stack = stack;
    this.#rollback = rollback;
    this.#request = request;
    this.#account = account;
    this.#display = display;
    this.#effects = new DeploymentEffects(file, stack, account, display, request);
    if (request.display !== undefined) return;
    this.#interrupt = new Interrupt({
      onCancel: () => file.cancel(),
      onAbort: () => {
        // Gives a terminal its cursor back, which is hidden while lines move.
        display.close();
        const lost = "Aborted. Operations in progress may have completed; the next run checks them.";
        note(errorColours.red(this.#isChanging ? lost : "Aborted; nothing was changed."));
      },
    });
  }

  async run(): Promise<DeploymentResult> {
    const { verb, options } = this.#request;
    const onlyPreview = isPreviewOnly(verb, options);
    await this.#effects.verifyAccount(onlyPreview);
    if (!onlyPreview) await this.#stack.assertReady(operations[verb]);
    if (!onlyPreview && options.skipPreview) return this.#apply();
    const { isEmpty, ...previewed } = await this.#preview();
    if (onlyPreview || isEnd(previewed)) return previewed;
    if (isEmpty) return this.#saveSettings();
    const isAccepted = options.yes || (await this.#confirm());
    return isAccepted ? this.#apply() : { ...previewed, run: { ...previewed.run, cancelled: true } };
  }

  close(): void {
    this.#display.close();
    this.#interrupt?.off();
  }

  /** `isEmpty`: whether nothing is to be changed, outputs included. */
  async #preview(): Promise<DeploymentResult & { isEmpty: boolean }> {
    this.#begin(true);
    // Values are hidden where they are shown only: to read the state may take a process.
    if (this.#request.display === undefined) await this.#effects.readSecrets();
    const steps: EngineEvent[] = [];
    // What a deletion does, and what was refused, is known when the plan is complete.
    const held: EngineEvent[] = [];
    let made: DeploymentPlan | undefined;
    const show = (event: EngineEvent) => {
      if (event.type === "step" || event.type === "outputs") steps.push(event);
      const isHeld = event.type === "end" || (event.type === "step" && event.status === "failed");
      if (isHeld) held.push(event);
      else this.#show(event);
    };
    const { options, plan, onEvent } = this.#request;
    const { savePlan } = options;
    const onPlan = (plan: DeploymentPlan) => {
      made = plan;
    };
    const run = await this.#run(true, show, savePlan === undefined ? {} : { onPlan });
    await this.#effects.notePlannedDeletions();
    const { tracker } = this.#effects;
    for (const event of tracker.changedSteps()) this.#display.event(event);
    const failed = held.flatMap((event) => (event.type === "step" ? [event.step.urn] : []));
    const refusals = tracker.refusals.filter(({ urn }) => !failed.includes(urn!));
    for (const event of refusals) onEvent?.(event);
    for (const event of held) {
      this.#show(event);
      if (event.type === "end") onEvent?.(tracker.annotate(event) as EngineEvent);
    }
    const result = this.#resultOf(run, refusals);
    if (!isEnd(result)) {
      const { planned: effects } = tracker;
      if (plan !== undefined) rejectOtherEffects(plan, effects);
      if (savePlan !== undefined && made !== undefined)
        await writePlan(savePlan, made, effects, this.#account.fingerprint);
    }
    return { ...result, isEmpty: !options.json && steps.every(isUnchanged) };
  }

  /** Asks whether to go on. */
  #confirm(): Promise<boolean> {
    return confirmPlan({
      verb: this.#rollback ? "rollback" : (this.#request.verb as Exclude<DeployVerb, "preview">),
      stack: this.#stack.name,
      deletions: this.#effects.tracker.deletions,
      showDetails: () => this.#display.details(),
      ...this.#interruption,
    });
  }

  async #apply(): Promise<DeploymentResult> {
    this.#isChanging = true;
    this.#begin(false);
    const show = (event: EngineEvent) => this.#show(event);
    const result = this.#resultOf(await this.#run(false, show));
    this.#effects.logUrns();
    if (isEnd(result)) return result;
    await this.#finishPendingCreates();
    if (this.#request.verb !== "up" || !this.#effects.tracker.needsUpdate) return result;
    if (this.#request.display === undefined)
      note(
        "Some objects now belong to other resources. A second run records in the state what only the former ones knew, such as original values.",
      );
    this.#begin(false);
    const again = this.#resultOf(await this.#run(false, show, { replaces: [] }));
    // It changes the state alone.
    return { ...again, account: result.account };
  }

  /**
   * Runs an empty plan: the state keeps the settings of providers, which a later refresh or destroy uses. It is shown only
   * if it does change something.
   */
  async #saveSettings(): Promise<DeploymentResult> {
    this.#isChanging = true;
    this.#effects.tracker.begin();
    const events: EngineEvent[] = [];
    const run = await this.#run(false, (event) => events.push(event));
    if (!run.ok || !events.every(isUnchanged)) for (const event of events) this.#show(event);
    const result = this.#resultOf(run);
    if (!isEnd(result)) await this.#finishPendingCreates();
    return result;
  }

  /** What nothing has found of an interrupted deployment must not be forgotten with the stack. */
  async #finishPendingCreates(): Promise<void> {
    const { verb, options } = this.#request;
    if (verb === "refresh" && options.clearPendingCreates) forgetPendingCreates(this.#stack);
    if (verb !== "destroy" || !hasPendingCreates(this.#stack)) return;
    if ((await this.#stack.resources()).length === 0) rejectPendingCreates(this.#stack);
  }

  get #interruption(): { signal?: AbortSignal } {
    return this.#interrupt === undefined ? {} : { signal: this.#interrupt.signal };
  }

  #begin(preview: boolean): void {
    this.#effects.tracker.begin();
    const { name, project } = this.#stack;
    this.#display.begin(operations[this.#request.verb], preview, `${project}/${name}`);
  }

  #show(event: EngineEvent): void {
    this.#display.event(this.#effects.tracker.annotate(event));
  }

  #run(preview: boolean, onEvent: (event: EngineEvent) => void, more: Partial<RunOptions> = {}): Promise<RunResult> {
    const { verb, options, env, plan, run, onEvent: pass } = this.#request;
    const rollback = this.#rollback;
    return this.#stack.run(operations[verb], {
      ...runOptions(options),
      ...run,
      ...more,
      preview,
      recoverCreate,
      ...(plan && { plan }),
      ...(rollback && { rollback, message: options.message ?? `Rollback to version ${rollback.version}` }),
      env: { ...env, ...this.#effects.file.environment(preview) },
      ...this.#interruption,
      onEvent: (event) => {
        // That of a preview is known when its effects are.
        if (!preview || event.type !== "end") pass?.(event);
        onEvent(event);
      },
    });
  }

  #resultOf(run: RunResult, refusals: DiagnosticEvent[] = []): DeploymentResult {
    const { tracker } = this.#effects;
    const ok = run.ok && !(run.preview && tracker.isRefused);
    // What a plan that failed has of changes is not all of it.
    const hasAllChanges = run.ok || !run.preview;
    const isChanging = this.#request.options.expectNoChanges && hasAllChanges && hasChanges(run.changes);
    const changing = isChanging ? "No changes were expected, but there are some." : undefined;
    const unexpected = run.cancelled ? undefined : (changing ?? (ok ? this.#effects.unexpectedWrites() : undefined));
    const result = { run: { ...run, ok }, account: tracker.summary, refusals };
    return { ...result, ...(unexpected !== undefined && { unexpected }) };
  }
}

/** True if nothing follows: the run was cancelled or has failed, or has found what an option excludes. */
const isEnd = ({ run, unexpected }: DeploymentResult): boolean => run.cancelled || !run.ok || unexpected !== undefined;
