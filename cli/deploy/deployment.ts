/** An operation on a stack: preview, question, run, with a display and an orderly end on Ctrl-C. */
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
import { isUnchanged } from "../display/shown-step";
import type { DeployableStack } from "../engine/deployable-stack";
import { ExitError, UsageError } from "../output/errors";
import { Exit } from "../output/exit-codes";
import { failExpectation } from "../output/fail-expectation";
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
import { type DeploymentAccount, hintAtOtherStack } from "./deployment-account";
import { DeploymentEffects } from "./deployment-effects";
import { EffectsFile } from "./effects-file";
import { openDisplay } from "./open-display";
import type { OpenedStack } from "./open-stack";
import { type PlanFile, readPlan, rejectOtherAccount, rejectOtherEffects, writePlan } from "./plan-file";
import { type DeployOptions, runOptions, type Verb } from "./run-options";

const operations: Record<Verb, Operation> = {
  up: "update",
  preview: "preview",
  refresh: "refresh",
  destroy: "destroy",
};

/** What a program adds that runs deployments. */
export interface DeployExtras {
  run?: Pick<RunOptions, "languageRuntime" | "historyEnvironment" | "withStates">;
  /** Gets every event, before it is shown. */
  onEvent?: (event: EngineEvent) => void;
  /** For one of several deployments of this process: nothing is printed, and no signal is heard. */
  isHeadless?: boolean;
}

const noDisplay: Display = {
  begin: () => undefined,
  event: () => undefined,
  details: () => undefined,
  close: () => undefined,
};

export const isPreviewOnly = (verb: Verb, { previewOnly }: DeployOptions): boolean =>
  verb === "preview" || previewOnly === true;

/** @param open is called when the options are known to be right */
export async function runDeployment(
  verb: Verb,
  options: DeployOptions,
  env: Record<string, string>,
  open: () => Promise<OpenedStack>,
  extras: DeployExtras = {},
): Promise<void> {
  if (options.plan !== undefined && options.skipPreview)
    throw new UsageError("--plan needs the preview, which compares the account with the plan: omit --skip-preview");
  const plan = options.plan === undefined ? undefined : await readPlan(options.plan);
  const opened = await open();
  try {
    await deployTo(opened, verb, options, { env, extras, ...(plan && { plan }) });
  } finally {
    await opened.stack.close();
  }
}

interface DeployContext {
  env: Record<string, string>;
  extras: DeployExtras;
  plan?: PlanFile;
}

async function deployTo(
  opened: OpenedStack,
  verb: Verb,
  options: DeployOptions,
  context: DeployContext,
): Promise<void> {
  const { stack } = opened;
  await setConfigOptions(stack, options.config ?? []);
  const env = { ...process.env, ...context.env };
  const file = new EffectsFile(env[effectsFileVariable], options.offline ?? isOffline(env));
  const first = { ...context.env, ...file.environment(isPreviewOnly(verb, options) || !options.skipPreview) };
  try {
    // Before the account is known: services begin while the key of the secrets is made.
    await stack.prepare(operations[verb], { ...runOptions(options), ...context.extras.run, env: first });
    await deployWith(file, await opened.account(), opened, verb, options, context);
  } finally {
    file.remove();
  }
}

async function deployWith(
  file: EffectsFile,
  account: DeploymentAccount,
  { stack, rollback }: OpenedStack,
  verb: Verb,
  options: DeployOptions,
  { env, extras, plan }: DeployContext,
): Promise<void> {
  const onlyPreview = isPreviewOnly(verb, options);
  if (plan !== undefined) rejectOtherAccount(plan, options.plan!, account.fingerprint);
  const { isHeadless = false, onEvent = () => undefined } = extras;
  if (account.label === undefined && !isHeadless) hintAtOtherStack(projectFolder(), stack.name);
  if (!onlyPreview && !options.yes) assertCanAsk();
  const display = isHeadless ? noDisplay : await openDisplay(options, stack.engine, account.label);
  const waits = isHeadless ? { event: onEvent } : display;
  const effects = new DeploymentEffects(file, account.configuration, waits, options, { ...process.env, ...env });
  const deployment = new Deployment(verb, stack, options, env, display, effects, {
    extras,
    account: account.fingerprint,
    ...(plan && { plan }),
    ...(rollback && { rollback }),
  });
  try {
    await deployment.verifyAccount(onlyPreview);
    if (!onlyPreview) await stack.assertReady(operations[verb]);
    if (onlyPreview || !options.skipPreview) await deployment.preview();
    if (onlyPreview) return;
    if (deployment.isEmpty) return await deployment.saveSettings();
    if (!options.yes) await deployment.confirm();
    await deployment.apply();
  } finally {
    deployment.close();
  }
}

/** One operation: a preview, a question, a run. */
class Deployment {
  /** True when the preview found nothing to change, outputs included. */
  isEmpty = false;
  #isChanging = false;
  readonly #interrupt: Interrupt | undefined;

  readonly #verb: Verb;
  readonly #stack: DeployableStack;
  readonly #options: DeployOptions;
  readonly #env: Record<string, string>;
  readonly #display: Display;
  readonly #effects: DeploymentEffects;
  readonly #more: {
    extras: DeployExtras;
    account: string | undefined;
    plan?: PlanFile;
    rollback?: RollbackOptions;
  };

  constructor(
    verb: Verb,
    stack: DeployableStack,
    options: DeployOptions,
    env: Record<string, string>,
    display: Display,
    effects: DeploymentEffects,
    more: {
      extras: DeployExtras;
      account: string | undefined;
      plan?: PlanFile;
      rollback?: RollbackOptions;
    },
  ) {
    this.#verb = verb;
    this.#stack = stack;
    this.#options = options;
    this.#env = env;
    this.#display = display;
    this.#effects = effects;
    this.#more = more;
    if (more.extras.isHeadless) return;
    this.#interrupt = new Interrupt({
      onCancel: () => effects.file.cancel(),
      onAbort: () => {
        // Gives a terminal its cursor back, which is hidden while lines move.
        display.close();
        const lost = "Aborted. Operations in progress may have completed; the next run checks them.";
        note(errorColours.red(this.#isChanging ? lost : "Aborted; nothing was changed."));
      },
    });
  }

  verifyAccount(isPreview: boolean): Promise<void> {
    // What is refreshed is verified by the provider.
    const deletes = this.#verb !== "refresh" && !this.#stack.verifiesDeletions;
    const isUnplanned = !isPreview && this.#options.skipPreview === true && deletes;
    return this.#effects.verifyAccount(
      this.#verb,
      () => this.#stack.resources({ showSecrets: true }),
      isPreview,
      isUnplanned,
    );
  }

  async preview(): Promise<void> {
    this.#begin(true);
    this.#effects.useState(await this.#stack.resources());
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
    const { savePlan } = this.#options;
    const onPlan = (plan: DeploymentPlan) => {
      made = plan;
    };
    const result = await this.#run(true, show, savePlan === undefined ? {} : { onPlan });
    await this.#effects.expectDeletions(this.#stack.programDirectory, () =>
      this.#stack.resources({ showSecrets: true }),
    );
    for (const event of this.#effects.tracker.changedSteps()) this.#display.event(event);
    const failed = held.flatMap((event) => (event.type === "step" ? [event.step.urn] : []));
    for (const event of this.#effects.tracker.refusals)
      if (!failed.includes(event.urn!)) this.#more.extras.onEvent?.(event);
    for (const event of held) {
      this.#show(event);
      if (event.type === "end") this.#more.extras.onEvent?.(this.#effects.tracker.annotate(event) as EngineEvent);
    }
    this.#exitUnless(result);
    const { planned: effects } = this.#effects.tracker;
    if (this.#more.plan !== undefined) rejectOtherEffects(this.#more.plan, effects);
    if (savePlan !== undefined && made !== undefined) await writePlan(savePlan, made, effects, this.#more.account);
    this.isEmpty = !this.#options.json && steps.every(isUnchanged);
  }

  /** Asks whether to go on. */
  async confirm(): Promise<void> {
    await confirmPlan({
      verb: this.#more.rollback ? "rollback" : (this.#verb as Exclude<Verb, "preview">),
      stack: this.#stack.name,
      deletions: this.#effects.tracker.deletions,
      showDetails: () => this.#display.details(),
      ...this.#interruption,
    });
  }

  async apply(): Promise<void> {
    this.#isChanging = true;
    this.#begin(false);
    const show = (event: EngineEvent) => this.#show(event);
    const result = await this.#run(false, show);
    this.#effects.logUrns(this.#stack.programDirectory, this.#stack.name);
    this.#exitUnless(result);
    await this.#finishPendingCreates();
    if (this.#verb !== "up" || !this.#effects.tracker.needsUpdate) return;
    if (!this.#more.extras.isHeadless)
      note(
        "Some objects now belong to other resources. A second run records in the state what only the former ones knew, such as original values.",
      );
    this.#begin(false);
    this.#exitUnless(await this.#run(false, show, { replaces: [] }));
  }

  /** What nothing has found of an interrupted deployment must not be forgotten with the stack. */
  async #finishPendingCreates(): Promise<void> {
    if (this.#verb === "refresh" && this.#options.clearPendingCreates) forgetPendingCreates(this.#stack);
    if (this.#verb !== "destroy" || !hasPendingCreates(this.#stack)) return;
    if ((await this.#stack.resources()).length === 0) rejectPendingCreates(this.#stack);
  }

  /**
   * Runs an empty plan: the state keeps the settings of providers, which a later refresh or destroy uses. It is shown only
   * if it does change something.
   */
  async saveSettings(): Promise<void> {
    this.#isChanging = true;
    this.#effects.tracker.begin();
    const events: EngineEvent[] = [];
    const result = await this.#run(false, (event) => events.push(event));
    if (!result.ok || !events.every(isUnchanged)) for (const event of events) this.#show(event);
    this.#exitUnless(result);
    await this.#finishPendingCreates();
  }

  close(): void {
    this.#display.close();
    this.#interrupt?.off();
  }

  get #interruption(): { signal?: AbortSignal } {
    return this.#interrupt === undefined ? {} : { signal: this.#interrupt.signal };
  }

  #begin(preview: boolean): void {
    this.#effects.tracker.begin();
    const { name, project } = this.#stack;
    this.#display.begin(operations[this.#verb], preview, `${project}/${name}`);
  }

  #show(event: EngineEvent): void {
    this.#display.event(this.#effects.tracker.annotate(event));
  }

  #run(preview: boolean, onEvent: (event: EngineEvent) => void, options: Partial<RunOptions> = {}): Promise<RunResult> {
    const { rollback } = this.#more;
    return this.#stack.run(operations[this.#verb], {
      ...runOptions(this.#options),
      ...this.#more.extras.run,
      ...options,
      preview,
      recoverCreate,
      ...(this.#more.plan && { plan: this.#more.plan }),
      ...(rollback && { rollback, message: this.#options.message ?? `Rollback to version ${rollback.version}` }),
      env: { ...this.#env, ...this.#effects.file.environment(preview) },
      ...this.#interruption,
      onEvent: (event) => {
        // That of a preview is known when its effects are.
        if (!preview || event.type !== "end") this.#more.extras.onEvent?.(event);
        onEvent(event);
      },
    });
  }

  #exitUnless({ ok, cancelled, changes, preview }: RunResult): void {
    if (cancelled) throw new ExitError(Exit.cancelled);
    // What a plan that failed has of changes is not all of it.
    const hasAllChanges = ok || !preview;
    if (this.#options.expectNoChanges && hasAllChanges && hasChanges(changes))
      failExpectation("No changes were expected, but there are some.");
    if (!ok) throw new ExitError(Exit.failed);
    this.#effects.exitUnlessAllowed(preview);
  }
}
