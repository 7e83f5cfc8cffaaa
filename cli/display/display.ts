/**
 * What people see of a run: plan, progress, warnings, outputs, counts. On a terminal running operations are shown live;
 * elsewhere each finished one is a plain line.
 */

import type { Colors } from "picocolors/types";
import width from "string-width";
import { plural } from "../../definitions/text/display";
import type { EngineEvent, Operation } from "../../engine/events";
import { STACK_TYPE } from "../../engine/resource/urn";
import { adviceLines, offlineNotice } from "./advice";
import { Diagnostics } from "./diagnostics";
import { changeLines } from "./format-values";
import { LiveRegion } from "./live-region";
import { countVerbs, type PlanOptions, planLines } from "./plan-rows";
import { Labels, Progress, repaintEvery } from "./progress-rows";
import { isSlowedDown, requestsLine } from "./requests-line";
import { changedKeys, type DisplayEvent, isManaged, isObject, type ShownStep, shownStep } from "./shown-step";
import { summaryLine } from "./summary";
import { duration, pad, truncate } from "./terminal-text";
import { doneWord, paintOf, plannedWord, symbolOf } from "./verbs";

export interface DisplayOptions {
  write: (text: string) => void;
  colours: Colors;
  /** What the heading calls the engine. */
  engine: string;
  /** The account that the run goes to. */
  account?: string;
  /** True when the output is a terminal whose lines can be repainted. */
  live: boolean;
  /** Width of the terminal, asked at each repaint. */
  columns?: () => number;
  /** Show long texts whole, and the inputs of what is created and deleted. */
  diff?: boolean;
  /** Show unchanged resources too. */
  showSames?: boolean;
  /** Show debug output. */
  verbose?: boolean;
  /** The account is read before the plan. */
  refresh?: boolean;
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number;
}

export interface Display {
  /** Says what is about to run, and on which stack and account. */
  begin(operation: Operation, preview: boolean, stack: string): void;
  event(event: DisplayEvent): void;
  /** Shows the last plan again, with long texts whole and all inputs. */
  details(): void;
  /** Stops repainting; call when no event will follow. */
  close(): void;
}

/** What is shown of one run. */
interface RunView {
  preview: boolean;
  /** False until the program runs. */
  isStarted: boolean;
  progress: Progress;
  failed: number;
  /** What is planned, or was done. */
  steps: ShownStep[];
  /** Whether lines of the run itself were printed. */
  hasBody: boolean;
  outputs: OutputsEvent | undefined;
}

type Step = Extract<DisplayEvent, { type: "step" }>;
type OutputsEvent = Extract<EngineEvent, { type: "outputs" }>;

const titles: Record<Operation, readonly [run: string, plan: string]> = {
  preview: ["Preview", "Preview"],
  update: ["Update", "Preview"],
  refresh: ["Refresh", "Preview of the refresh"],
  destroy: ["Destroy", "Preview of the destroy"],
};
const titleOf = (operation: Operation, preview: boolean): string => titles[operation][preview ? 1 : 0];

/** Without a terminal, a sign of life: during long calls, and of a program that takes its time. */
const remindEvery = 20_000;
const textLimit = 24;

/** A display for people. It serves a preview and the run after it: what was said once is not said again. */
export const createDisplay = (options: DisplayOptions): Display => new TextDisplay(options);

class TextDisplay implements Display {
  readonly #colours: Colors;
  readonly #region: LiveRegion;
  readonly #labels: Labels;
  readonly #diagnostics: Diagnostics;
  /** How many resources the preview saw, which the run after it is measured against. */
  #expected = 0;
  /** What the heading has named already. */
  #target = "";
  #timer: NodeJS.Timeout | undefined;
  #run: RunView;

  readonly #options: DisplayOptions;

  constructor(options: DisplayOptions) {
    this.#options = options;
    this.#colours = options.colours;
    this.#region = new LiveRegion(options.write, () => this.#columns);
    this.#labels = new Labels(() => (options.live ? this.#columns : undefined));
    this.#diagnostics = new Diagnostics(options.colours, options.verbose ?? false);
    this.#run = this.#newRun("preview", true);
  }

  #newRun(operation: Operation, preview: boolean): RunView {
    const steps: ShownStep[] = [];
    const now = this.#options.now ?? (() => performance.now());
    const title = titleOf(operation, preview);
    return {
      preview,
      isStarted: false,
      progress: new Progress(title, preview ? steps : undefined, this.#expected, this.#labels, now),
      failed: 0,
      steps,
      hasBody: false,
      outputs: undefined,
    };
  }

  begin(operation: Operation, preview: boolean, stack: string): void {
    this.#run = this.#newRun(operation, preview);
    this.#diagnostics.begin();
    this.#print("", this.#heading(titleOf(operation, preview), stack), "");
  }

  event(event: DisplayEvent): void {
    const isWait = event.type === "diagnostic" && event.ephemeral === true;
    this.#run.progress.wait = isWait ? event.message : undefined;
    // Where rows move it is one of them, until something else happens; before a run it is the only one.
    if (isWait && this.#options.live) this.#region.paint([], this.#movingLines());
    else if (event.type === "start") this.#start(event);
    else if (event.type === "step") this.#step(event);
    else if (event.type === "diagnostic") this.#body(...this.#diagnostics.add(event));
    else if (event.type === "outputs") this.#run.outputs = event;
    else if (event.type === "cancelling") this.#cancelling();
    else this.#end(event);
  }

  details(): void {
    const options = { inputs: true, limit: Number.POSITIVE_INFINITY };
    this.#print(...this.#planLines(options), "");
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#options.live) this.#region.paint([], []);
  }

  get #columns(): number {
    return this.#options.columns?.() ?? 80;
  }

  #print(...lines: string[]): void {
    if (this.#options.live) this.#region.paint(lines, this.#movingLines());
    else for (const line of lines) this.#options.write(`${line}\n`);
  }

  /** Prints lines of the run itself, which a blank line sets off from what is gathered at its end. */
  #body(...lines: string[]): void {
    if (lines.length === 0) return;
    this.#run.hasBody = true;
    this.#print(...lines);
  }

  #movingLines(): string[] {
    const { progress } = this.#run;
    return this.#timer === undefined
      ? progress.waitLines(this.#colours, this.#columns)
      : progress.lines(this.#colours, this.#columns);
  }

  #start(event: Extract<EngineEvent, { type: "start" }>): void {
    const { operation, preview, project, stack, sdkVersion, sdkTested } = event;
    if (this.#run.isStarted || this.#target === "") this.begin(operation, preview, `${project}/${stack}`);
    this.#run.isStarted = true;
    const isNewer = sdkTested !== undefined;
    const tested = isNewer ? ` (tested up to ${sdkTested})` : "";
    if (sdkVersion !== undefined && (isNewer || this.#options.verbose))
      this.#print(this.#colours.dim(`@pulumi/pulumi ${sdkVersion}${tested}`), "");
    const tick = this.#options.live
      ? () => this.#region.paint([], this.#movingLines())
      : () => this.#print(this.#colours.dim(`    ${this.#run.progress.reminder}`));
    this.#timer = setInterval(tick, this.#options.live ? repaintEvery : remindEvery);
    // Never the reason that a process stays.
    this.#timer.unref();
  }

  /** The run after a preview has its heading already; the engine is left out where it would break the line. */
  #heading(title: string, stack: string): string {
    const bold = this.#colours.bold(title);
    if (this.#target === stack) return bold;
    this.#target = stack;
    const target = `${stack}${this.#options.account === undefined ? "" : ` → ${this.#options.account}`}`;
    const { engine } = this.#options;
    const fits = !this.#options.live || width(`${title}  ${target}  ${engine}`) < this.#columns;
    return `${bold}  ${target}${fits ? `  ${this.#colours.dim(engine)}` : ""}`;
  }

  #step({ status, step: event, elapsedMs }: Step): void {
    const run = this.#run;
    const colours = this.#colours;
    const step = shownStep(event);
    const { verb } = step;
    const key = step.urn + event.op;
    if (status === "started") {
      // It lasts as long as the program, and is in the heading.
      if (step.type === STACK_TYPE) return;
      this.#labels.fit(step);
      run.progress.started(key, step);
      return;
    }
    const seen = run.progress.ended(key);
    // Its row says that it is blocked.
    if (status === "failed" && run.preview && verb === "blocked") return;
    if (status === "failed") run.failed++;
    else run.steps.push(step);
    if (status === "planned") {
      if (verb !== "same") this.#labels.fit(step);
      return;
    }
    const failed = status === "failed";
    if ((verb === "same" || !isManaged(step)) && !failed && !this.#options.showSames) return;
    // As in the plan.
    const paint = isObject(step) ? paintOf(verb, colours) : colours.dim;
    const keys = ["update", "refresh", "options"].includes(verb) ? changedKeys(step) : "";
    const word = failed ? `failed to ${plannedWord(verb === "same" ? event.op : verb)}` : doneWord(verb);
    // What does not fit on a line of a terminal is the list of changed properties.
    const room = this.#options.live
      ? this.#columns - this.#labels.columnWidth - word.length - 15
      : Number.POSITIVE_INFINITY;
    const what = failed ? colours.red(word) : paint(word) + colours.dim(truncate(keys, Math.max(1, room)));
    const symbol = failed ? colours.red("✗ ") : paint(symbolOf(verb));
    const elapsed = elapsedMs ?? seen;
    const time = elapsed === undefined || elapsed < 100 ? "" : colours.dim(` (${duration(elapsed)})`);
    this.#body(` ${symbol} ${pad(this.#labels.of(step), this.#labels.columnWidth)}  ${what}${time}`);
  }

  #cancelling(): void {
    const { inFlight } = this.#run.progress;
    const operations = `${plural(inFlight.length, "operation")} in progress`;
    const waiting = inFlight.length === 0 ? "Cancelling." : `Cancelling: waiting for ${operations}.`;
    const abort = "Press Ctrl-C again to abort without waiting.";
    this.#body(this.#colours.yellow(`${waiting} ${abort}`), ...inFlight);
  }

  #planLines(options: PlanOptions): string[] {
    return planLines(this.#run.steps, this.#colours, options, this.#options.live ? this.#columns : undefined);
  }

  #end({ result, account, requests = {} }: Extract<DisplayEvent, { type: "end" }>): void {
    const run = this.#run;
    const colours = this.#colours;
    this.close();
    const isWhole = this.#options.diff ?? false;
    const limit = isWhole ? Number.POSITIVE_INFINITY : textLimit;
    const showSames = this.#options.showSames ?? false;
    const shown = countVerbs(run.steps);
    // A preview that failed before it had planned anything has no plan to show.
    const isPlan = result.ok || Object.keys(shown).some((verb) => verb !== "same");
    const plan =
      result.preview && isPlan ? this.#planLines({ inputs: isWhole, brief: !isWhole, limit, showSames }) : [];
    if (run.hasBody) this.#print("");
    if (plan.length > 0) {
      if (account?.offline) this.#print(colours.yellow(offlineNotice), "");
      this.#print(...plan, "");
    }
    this.#print(...this.#diagnostics.lines());
    // What a destroy takes away is no news, above all not with every value.
    const emptied = result.operation === "destroy" && Object.keys(run.outputs?.outputs ?? {}).length === 0;
    if (run.outputs !== undefined && result.ok && !emptied) {
      const lines = changeLines(run.outputs.outputs, run.outputs.before, colours, result.preview);
      if (lines.length > 0) this.#print(colours.bold("Outputs:"), ...lines.map((line) => `    ${line}`), "");
    }
    const name = titleOf(result.operation, result.preview);
    const saved = result.preview ? "Nothing was changed." : "Completed changes are saved.";
    if (result.cancelled) this.#print(colours.red(`${name} cancelled. ${saved}`));
    else if (!result.ok) this.#print(colours.red(`${name} failed.`));
    if (isPlan || !result.preview) {
      const changesOthers = run.steps.some((step) => isManaged(step) && step.verb !== "same");
      const summary = summaryLine(
        { shown, failed: run.failed, preview: result.preview, changesOthers },
        account,
        colours,
      );
      this.#print(`${summary} ${colours.dim(`(${duration(result.durationMs)})`)}`);
    }
    if (isPlan && result.preview)
      for (const line of adviceLines({ shown }, result.operation, this.#options.refresh ?? false))
        this.#print(colours.dim(line));
    if (isSlowedDown(requests) || (this.#options.verbose && Object.keys(requests).length > 0))
      this.#print(colours.dim(requestsLine(requests)));
    if (result.preview) this.#expected = Object.values(result.changes).reduce((sum, count) => sum + (count ?? 0), 0);
  }
}
