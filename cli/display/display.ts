/**
 * What people see of a run: plan, progress, warnings, outputs, counts. On a terminal running operations are shown live;
 * elsewhere each finished one is a plain line. `jsonDisplay` is the same for machines.
 */
import type { Colors } from "picocolors/types";
import width from "string-width";
import type { EngineEvent, Operation, StepOp } from "../../engine/events";
import { STACK_TYPE } from "../../engine/resource/urn";
import { Diagnostics } from "./diagnostics";
import { LiveRegion } from "./live-region";
import { Labels, Progress, repaintEvery } from "./progress-rows";
import {
  changedKeys,
  doneWord,
  hasChanges,
  paintOf,
  planLines,
  plannedWord,
  type ShownOp,
  type ShownStep,
  summaryLine,
  symbolOf,
  visible,
} from "./steps";
import { duration, pad, truncate } from "./text";
import { changeLines } from "./values";

export { hasChanges } from "./steps";

export interface DisplayOptions {
  write: (text: string) => void;
  colours: Colors;
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
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number;
}

export interface Display {
  event(event: EngineEvent): void;
  /** Shows the last plan again, with long texts whole and all inputs. */
  details(): void;
  /** Stops repainting; call when no event will follow. */
  close(): void;
}

type Step = Extract<EngineEvent, { type: "step" }>;
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
  private readonly colours: Colors;
  private readonly region: LiveRegion;
  private readonly labels: Labels;
  private readonly diagnostics: Diagnostics;
  /** How many resources the preview saw, which the run after it is measured against. */
  private expected = 0;
  /** What the heading has named already. */
  private target = "";
  private timer: NodeJS.Timeout | undefined;
  private run: ReturnType<TextDisplay["newRun"]>;

  constructor(private readonly o: DisplayOptions) {
    this.colours = o.colours;
    this.region = new LiveRegion(o.write, () => this.columns);
    this.labels = new Labels(() => (o.live ? this.columns : undefined));
    this.diagnostics = new Diagnostics(o.colours, o.verbose ?? false);
    this.run = this.newRun("preview", true);
  }

  private newRun(operation: Operation, preview: boolean) {
    const plan: ShownStep[] = [];
    return {
      preview,
      plan,
      progress: new Progress(
        titleOf(operation, preview),
        preview ? plan : undefined,
        this.expected,
        this.labels,
        this.o.now ?? (() => performance.now()),
      ),
      failed: 0,
      /** What happens to the stack itself, which is not counted. */
      stackOp: undefined as StepOp | undefined,
      /** How many resources are shown with an operation, in the plan or as done. */
      shown: {} as Partial<Record<ShownOp, number>>,
      /** Whether lines of the run itself were printed. */
      hasBody: false,
      outputs: undefined as OutputsEvent | undefined,
    };
  }

  event(event: EngineEvent): void {
    if (event.type === "start") this.start(event);
    else if (event.type === "step") this.step(event);
    else if (event.type === "diagnostic") this.body(...this.diagnostics.add(event));
    else if (event.type === "outputs") this.run.outputs = event;
    else if (event.type === "cancelling") this.cancelling();
    else this.end(event);
  }

  details(): void {
    const options = { inputs: true, limit: Number.POSITIVE_INFINITY };
    this.print(...planLines(this.run.plan, this.colours, options), "");
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    if (this.o.live) this.region.paint([], []);
  }

  private get columns(): number {
    return this.o.columns?.() ?? 80;
  }

  private print(...lines: string[]): void {
    if (this.o.live) this.region.paint(lines, this.movingLines());
    else for (const line of lines) this.o.write(`${line}\n`);
  }

  /** Prints lines of the run itself, which a blank line sets off from what is gathered at its end. */
  private body(...lines: string[]): void {
    if (lines.length === 0) return;
    this.run.hasBody = true;
    this.print(...lines);
  }

  private movingLines(): string[] {
    return this.timer === undefined ? [] : this.run.progress.lines(this.colours, this.columns);
  }

  private start(event: Extract<EngineEvent, { type: "start" }>): void {
    const { operation, preview, project, stack, sdkVersion, sdkTested } = event;
    this.run = this.newRun(operation, preview);
    this.diagnostics.begin();
    const target = `${project}/${stack}${this.o.account === undefined ? "" : ` → ${this.o.account}`}`;
    const isNewer = sdkTested !== undefined;
    const sdk = isNewer || this.o.verbose ? `, @pulumi/pulumi ${sdkVersion}` : "";
    const engine = `built-in engine${sdk}${isNewer ? ` (tested up to ${sdkTested})` : ""}`;
    this.print("", this.heading(titleOf(operation, preview), target, engine), "");
    const tick = this.o.live
      ? () => this.region.paint([], this.movingLines())
      : () => this.print(this.colours.dim(`    ${this.run.progress.reminder}`));
    this.timer = setInterval(tick, this.o.live ? repaintEvery : remindEvery);
    // Never the reason that a process stays.
    this.timer.unref();
  }

  /** The run after a preview has its heading already; the engine is left out where it would break the line. */
  private heading(title: string, target: string, engine: string): string {
    const bold = this.colours.bold(title);
    if (this.target === target) return bold;
    this.target = target;
    const fits = !this.o.live || width(`${title}  ${target}  ${engine}`) < this.columns;
    return `${bold}  ${target}${fits ? `  ${this.colours.dim(engine)}` : ""}`;
  }

  private step(event: Step): void {
    const { run, colours } = this;
    const { status } = event;
    const step = visible(event.step);
    const key = step.urn + event.step.op;
    if (status === "started") {
      this.labels.fit(step);
      run.progress.started(key, step);
      return;
    }
    if (step.type === STACK_TYPE) run.stackOp = event.step.op;
    const failed = status === "failed";
    if (failed) run.failed++;
    else run.shown[step.op] = (run.shown[step.op] ?? 0) + 1;
    if (status === "planned") {
      run.plan.push(step);
      if (step.op !== "same") this.labels.fit(step);
      return;
    }
    const seen = run.progress.ended(key);
    const elapsed = event.elapsedMs ?? seen;
    if ((step.op === "same" || step.type === STACK_TYPE) && !failed && !this.o.showSames) return;
    const paint = paintOf(step.op, colours);
    const keys = ["update", "refresh", "options"].includes(step.op) ? changedKeys(step) : "";
    const word = failed ? `failed to ${plannedWord(event.step.op)}` : doneWord(step.op);
    // What does not fit on a line of a terminal is the list of changed properties.
    const room = this.o.live ? this.columns - this.labels.columnWidth - word.length - 15 : Number.POSITIVE_INFINITY;
    const what = failed ? colours.red(word) : paint(word) + colours.dim(truncate(keys, Math.max(1, room)));
    const symbol = failed ? colours.red("✗ ") : paint(symbolOf(step.op));
    const time = elapsed === undefined || elapsed < 100 ? "" : colours.dim(` (${duration(elapsed)})`);
    this.body(` ${symbol} ${pad(this.labels.of(step), this.labels.columnWidth)}  ${what}${time}`);
  }

  private cancelling(): void {
    const { inFlight } = this.run.progress;
    const operations = `${inFlight.length} operation${inFlight.length === 1 ? "" : "s"} in progress`;
    const waiting = inFlight.length === 0 ? "Cancelling." : `Cancelling: waiting for ${operations}.`;
    const abort = "Press Ctrl-C again to abort without waiting.";
    this.body(this.colours.yellow(`${waiting} ${abort}`), ...inFlight);
  }

  private end({ result }: Extract<EngineEvent, { type: "end" }>): void {
    const { run, colours } = this;
    this.close();
    const plan = result.preview
      ? planLines(run.plan, colours, {
          inputs: this.o.diff ?? false,
          brief: !this.o.diff,
          limit: this.o.diff ? Number.POSITIVE_INFINITY : textLimit,
          showSames: this.o.showSames ?? false,
        })
      : [];
    if (run.hasBody) this.print("");
    if (plan.length > 0) this.print(...plan, "");
    this.print(...this.diagnostics.lines());
    // What a destroy takes away is no news, above all not with every value.
    const emptied = result.operation === "destroy" && Object.keys(run.outputs?.outputs ?? {}).length === 0;
    if (run.outputs !== undefined && result.ok && !emptied) {
      const lines = changeLines(run.outputs.outputs, run.outputs.before, colours, result.preview);
      if (lines.length > 0) this.print(colours.bold("Outputs:"), ...lines.map((line) => `    ${line}`), "");
    }
    const name = titleOf(result.operation, result.preview);
    const saved = result.preview ? "Nothing was changed." : "Completed changes are saved.";
    if (result.cancelled) this.print(colours.red(`${name} cancelled. ${saved}`));
    else if (!result.ok) this.print(colours.red(`${name} failed.`));
    // A preview that failed has no plan to sum up.
    if (result.ok || !result.preview || hasChanges(result.changes)) {
      const summary = summaryLine(result, run.shown, run.failed, colours, run.stackOp);
      this.print(`${summary} ${colours.dim(`(${duration(result.durationMs)})`)}`);
    }
    if (result.preview) this.expected = Object.values(result.changes).reduce((sum, count) => sum + (count ?? 0), 0);
  }
}

/** One event per line, as JSON, for machines. */
export function jsonDisplay(write: (text: string) => void): Display {
  return { event: (event) => write(`${JSON.stringify(event)}\n`), details: () => undefined, close: () => undefined };
}
