/** An operation on the built-in engine: preview, question, run, with a display and an orderly end on Ctrl-C. */
import { plainStackName } from "../../../engine/config/file-names";
import type { EngineEvent, Operation, Project, RunResult, Stack } from "../../../engine/index";
import type { Display } from "../../display/display";
import { Exit, ExitError, UsageError } from "../../output/exit-codes";
import {
  ask,
  canRepaint,
  colours,
  errorColours,
  isInteractive,
  isVerbose,
  note,
  setMustFinish,
  signsFor,
  write,
} from "../../output/terminal";
import { openProject, openStack } from "../../project/session";
import { setConfigOptions } from "../stack/config";
import { describeAccount } from "./account";
import { deletedCompanies, describeLosses } from "./deletion-warnings";
import { type DeployOptions, runOptions, type Verb } from "./options";

const operations: Record<Verb, Operation> = {
  up: "update",
  preview: "preview",
  refresh: "refresh",
  destroy: "destroy",
};

const questions: Record<Exclude<Verb, "preview">, string> = {
  up: "Apply these changes?",
  refresh: "Update the state to match the account?",
  destroy: "Destroy this stack?",
};

export async function deployBuiltIn(verb: Verb, options: DeployOptions, env: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries({ "--plan": options.plan, "--save-plan": options.savePlan })) {
    if (value !== undefined)
      throw new UsageError(`${name} is not supported by the built-in engine. Run with --engine pulumi.`);
  }
  const project = await openProject(env);
  const stack = await openOrCreateStack(project, options);
  await setConfigOptions(stack, options.config ?? []);
  const account = await describeAccount(stack, { ...process.env, ...env });
  const onlyPreview = verb === "preview" || options.previewOnly === true;
  if (!onlyPreview && !options.yes && !isInteractive())
    throw new UsageError("stdin is not a terminal: add --yes to apply without confirmation");
  const deployment = new Deployment(verb, stack, options, env, await openDisplay(options, account));
  try {
    if (onlyPreview || !options.skipPreview) await deployment.preview();
    if (onlyPreview) return;
    if (deployment.isEmpty) return await deployment.saveSettings();
    if (!options.yes) await deployment.confirm(questions[verb as Exclude<Verb, "preview">]);
    await deployment.apply();
  } finally {
    deployment.close();
  }
}

async function openDisplay(options: DeployOptions, account: string | undefined): Promise<Display> {
  const { createDisplay, jsonDisplay } = await import("../../display/display.js");
  if (options.json) return jsonDisplay((text) => void write(text));
  return createDisplay({
    // It moves the cursor itself, and escapes what would move it otherwise.
    write: (text) => void process.stdout.write(signsFor(process.stdout, text)),
    colours,
    live: canRepaint(),
    columns: () => process.stdout.columns || 80,
    diff: options.diff ?? false,
    showSames: options.showSames ?? false,
    verbose: isVerbose(),
    ...(account !== undefined && { account }),
  });
}

/** One operation: a preview, a question, a run. */
class Deployment {
  /** True when the preview found nothing to change, outputs included. */
  isEmpty = false;
  private isChanging = false;
  private readonly interrupt: Interrupt;

  constructor(
    private readonly verb: Verb,
    private readonly stack: Stack,
    private readonly options: DeployOptions,
    private readonly env: Record<string, string>,
    private readonly display: Display,
  ) {
    this.interrupt = new Interrupt(() => {
      // Gives a terminal its cursor back, which is hidden while lines move.
      display.close();
      const lost = "Aborted. Operations in progress may have completed; the next run checks them.";
      note(errorColours.red(this.isChanging ? lost : "Aborted; nothing was changed."));
    });
  }

  async preview(): Promise<void> {
    const steps: EngineEvent[] = [];
    let end: EngineEvent | undefined;
    const result = await this.run(true, (event) => {
      if (event.type === "step" || event.type === "outputs") steps.push(event);
      // Warnings of what the plan would lose come before its summary.
      if (event.type === "end") end = event;
      else this.display.event(event);
    });
    if (result.ok) for (const warning of await this.deletionWarnings(steps)) this.display.event(warning);
    if (end !== undefined) this.display.event(end);
    await this.exitUnless(result);
    this.isEmpty = !this.options.json && steps.every(isUnchanged);
  }

  /** Asks whether to go on; `d` shows everything about the plan first. */
  async confirm(question: string): Promise<void> {
    for (;;) {
      const prompt = `${errorColours.bold(question)} [y/N/details] `;
      const answer = (await ask(prompt, { signal: this.interrupt.signal })).toLowerCase();
      if (answer === "y" || answer === "yes") return;
      if (answer !== "d" && answer !== "details") {
        note("Nothing was changed.");
        throw new ExitError(Exit.cancelled);
      }
      this.display.details();
    }
  }

  async apply(): Promise<void> {
    this.isChanging = true;
    await this.exitUnless(await this.run(false, (event) => this.display.event(event)));
  }

  /**
   * Runs an empty plan: the state keeps the settings of providers, which a later refresh or destroy uses. It is shown only
   * if it does change something.
   */
  async saveSettings(): Promise<void> {
    this.isChanging = true;
    const events: EngineEvent[] = [];
    const result = await this.run(false, (event) => events.push(event));
    if (!result.ok || !events.every(isUnchanged)) for (const event of events) this.display.event(event);
    await this.exitUnless(result);
  }

  close(): void {
    this.display.close();
    this.interrupt.off();
  }

  private run(preview: boolean, onEvent: (event: EngineEvent) => void): Promise<RunResult> {
    return this.stack.run(operations[this.verb], {
      ...runOptions(this.options),
      preview,
      env: this.env,
      signal: this.interrupt.signal,
      onEvent,
    });
  }

  private async exitUnless(result: RunResult): Promise<void> {
    const { hasChanges } = await import("../../display/display.js");
    if (result.cancelled) throw new ExitError(Exit.cancelled);
    if (this.options.expectNoChanges && hasChanges(result.changes)) throw new ExitError(Exit.changes);
    if (!result.ok) throw new ExitError(Exit.failed);
  }

  private async deletionWarnings(steps: readonly EngineEvent[]): Promise<EngineEvent[]> {
    const companies = deletedCompanies(steps);
    if (companies.length === 0) return [];
    const messages = await describeLosses(companies, this.stack, { ...process.env, ...this.env });
    return messages.map((message) => ({ type: "diagnostic", severity: "warning", source: "engine", message }));
  }
}

/** True for an event that reports no change, of a resource or of the outputs. */
function isUnchanged(event: EngineEvent): boolean {
  if (event.type === "outputs") return JSON.stringify(event.outputs) === JSON.stringify(event.before);
  if (event.type !== "step") return true;
  const { op, result, options = [], diffs = [] } = event.step;
  return op === "same" ? options.length === 0 : op === "refresh" && result !== "delete" && diffs.length === 0;
}

/** The stack to run on. It is created if it is missing, and nothing may be asked or a person agrees. */
async function openOrCreateStack(project: Project, options: DeployOptions): Promise<Stack> {
  const stacks = await project.listStacks();
  const automatic = options.local || options.quickstart;
  const name = options.stack;
  if (automatic && name !== undefined && !stacks.some((stack) => stack.name === plainStackName(name))) {
    const stack = await project.initStack(name);
    note(errorColours.dim(`Created stack "${name}".`));
    return stack;
  }
  if (stacks.length === 0 && name === undefined && isInteractive()) {
    const first = (await ask(`Project ${project.name} has no stack yet. Name of the first (dev): `)) || "dev";
    return project.initStack(first);
  }
  return openStack(project, options);
}

/** The first Ctrl-C ends in order, the second at once. A terminal that is closed asks for order, however often. */
class Interrupt {
  private readonly controller = new AbortController();
  private readonly handlers: [NodeJS.Signals, () => void][];

  constructor(onAbort: () => void) {
    const cancel = () => this.controller.abort();
    const cancelOrAbort = () => {
      if (!this.signal.aborted) return cancel();
      onAbort();
      process.exit(Exit.cancelled);
    };
    this.handlers = [
      ["SIGINT", cancelOrAbort],
      ["SIGTERM", cancelOrAbort],
      ["SIGHUP", cancel],
    ];
    for (const [signal, handler] of this.handlers) process.on(signal, handler);
    setMustFinish(true);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  off(): void {
    for (const [signal, handler] of this.handlers) process.off(signal, handler);
    setMustFinish(false);
  }
}
