/**
 * What people see of a run: plan, progress, warnings, outputs, counts. On a terminal the resources under way are shown
 * live; elsewhere each finished resource is a plain line. `jsonDisplay` is the same for machines.
 */
import type { Colors } from "picocolors/types";
import { LiveRegion } from "./display-live";
import {
  changedKeys,
  done,
  hasChanges,
  paintOf,
  planLines,
  planned,
  type ShownOp,
  type ShownStep,
  shortType,
  summaryLines,
  symbolOf,
  underWay,
  visible,
} from "./display-steps";
import { clean, duration, pad, truncate } from "./display-text";
import { changeLines } from "./display-values";
import type { EngineEvent, Operation } from "./events";

export { hasChanges } from "./display-steps";

export interface DisplayOptions {
  write: (text: string) => void;
  colours: Colors;
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

type Diagnostic = Extract<EngineEvent, { type: "diagnostic" }>;

const titles: Record<Operation, readonly [run: string, plan: string]> = {
  preview: ["Preview", "Preview"],
  update: ["Update", "Preview"],
  refresh: ["Refresh", "Preview of the refresh"],
  destroy: ["Destroy", "Preview of the destroy"],
};

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const repaintEvery = 100;
/** Without a terminal, a sign of life: during long calls, and of a program that takes its time. */
const remindEvery = 20_000;
const mostRunningLines = 8;
/** How many different lines of a preview are remembered: a program may print without end. */
const mostRemembered = 10_000;
const textLimit = 24;

/** A display for people. It serves a preview and the run after it: what was said once is not said again. */
export function createDisplay(options: DisplayOptions): Display {
  const { colours } = options;
  const now = options.now ?? (() => performance.now());
  const region = new LiveRegion(options.write, () => options.columns?.() ?? 80);
  /** What the run before this one said, and how often. */
  let before = new Map<string, number>();
  let said = new Map<string, number>();
  let expected = 0;
  let timer: NodeJS.Timeout | undefined;
  let run = begin("preview", true);

  function begin(operation: Operation, preview: boolean) {
    return {
      operation,
      preview,
      since: now(),
      finished: 0,
      failed: 0,
      /** How many resources are shown with an operation, in the plan or as done. */
      shown: {} as Partial<Record<ShownOp, number>>,
      hasBody: false,
      steps: [] as ShownStep[],
      running: new Map<string, { step: ShownStep; since: number }>(),
      gathered: [] as Diagnostic[],
      outputs: undefined as Extract<EngineEvent, { type: "outputs" }> | undefined,
    };
  }

  const print = (...lines: string[]) => {
    if (options.live) region.paint(lines, movingLines());
    else for (const line of lines) options.write(`${line}\n`);
  };

  /** Lines of the run itself, which a blank line sets off from what is gathered at its end. */
  const body = (...lines: string[]) => {
    run.hasBody = true;
    print(...lines);
  };

  /** Wide enough for the longest name of the plan, so that what happened stands in one column. */
  let labelWidth = 44;
  const label = (step: ShownStep) => `${shortType(step.type)} ${clean(step.name, false)}`;
  /** On a narrow terminal, what happens is worth more than the end of a name. */
  const columns = () => Math.max(40, options.columns?.() ?? 80);
  const labelColumns = () => (options.live ? Math.min(labelWidth, columns() - 30) : labelWidth);

  /** How far the run is. */
  function progress(): string {
    const { size } = run.running;
    const counts = run.preview
      ? `${run.steps.length} resource${run.steps.length === 1 ? "" : "s"} seen`
      : `${run.finished}${expected > 0 ? ` of ${Math.max(expected, run.finished + size)}` : ""} done`;
    return `${counts}, ${size} running, ${duration(now() - run.since)}`;
  }

  function movingLines(): string[] {
    if (timer === undefined) return [];
    const room = Math.max(20, (options.columns?.() ?? 80) - 1);
    const spinner = frames[Math.floor((now() - run.since) / repaintEvery) % frames.length] ?? "";
    const running = [...run.running.values()];
    const [title, planTitle] = titles[run.operation];
    const head = `${run.preview ? planTitle : title}: ${progress()}`;
    const lines = [`${colours.cyan(spinner)} ${colours.bold(truncate(head, room - 2))}`];
    for (const { step, since } of running.slice(0, mostRunningLines)) {
      const name = pad(truncate(label(step), labelColumns()), labelColumns());
      const text = `${name} ${underWay(step.op)} ${duration(now() - since)}`;
      lines.push(` ${paintOf(step.op, colours)(symbolOf(step.op))} ${truncate(text, room - 4)}`);
    }
    if (running.length > mostRunningLines)
      lines.push(colours.dim(`    … and ${running.length - mostRunningLines} more`));
    return lines;
  }

  const startTimer = () => {
    timer = setInterval(tick, options.live ? repaintEvery : remindEvery);
    // Never the reason that a process stays.
    timer.unref();
  };
  const stopTimer = () => {
    clearInterval(timer);
    timer = undefined;
  };

  function tick(): void {
    if (options.live) region.paint([], movingLines());
    else {
      const oldest = [...run.running.values()].map(({ step, since }) => `${label(step)} ${duration(now() - since)}`);
      const which = oldest.length > 0 ? `: ${oldest.slice(0, 3).join(", ")}` : "";
      print(colours.dim(`    … ${progress()}${which}`));
    }
  }

  function step(event: Extract<EngineEvent, { type: "step" }>): void {
    const info = visible(event.step);
    if (event.status === "failed") run.failed++;
    else if (event.status !== "started") run.shown[info.op] = (run.shown[info.op] ?? 0) + 1;
    if (event.status === "planned") {
      run.steps.push(info);
      if (info.op !== "same") labelWidth = Math.min(70, Math.max(labelWidth, label(info).length));
      return;
    }
    if (event.status === "started") {
      run.running.set(info.urn + event.step.op, { step: info, since: now() });
      return;
    }
    const started = run.running.get(info.urn + event.step.op)?.since;
    run.running.delete(info.urn + event.step.op);
    if (info.op === "same" && !(options.showSames ?? false) && event.status === "done") {
      run.finished++;
      return;
    }
    run.finished++;
    const elapsed = event.elapsedMs ?? (started === undefined ? undefined : now() - started);
    const time = elapsed === undefined ? "" : colours.dim(` (${duration(elapsed)})`);
    const paint = paintOf(info.op, colours);
    const keys = ["update", "refresh", "options"].includes(info.op) ? changedKeys(info) : "";
    const what =
      event.status === "failed"
        ? colours.red(`failed to ${planned(event.step.op)}`)
        : paint(done(info.op)) + colours.dim(keys);
    const symbol = event.status === "failed" ? colours.red("✗ ") : paint(symbolOf(info.op));
    body(` ${symbol} ${pad(label(info), labelColumns())} ${what}${time}`);
  }

  function diagnostic(event: Diagnostic): void {
    if (event.severity === "debug" && !options.verbose) return;
    const key = `${event.severity}\n${event.urn ?? ""}\n${event.message}`;
    const count = (said.get(key) ?? 0) + 1;
    if (count > 1 || said.size < mostRemembered) said.set(key, count);
    // The program runs twice, for the preview and for the run: what it says counts once. Errors are never withheld. Of a list
    // that it prints, many lines may be the same: they all count.
    if (event.severity !== "error" && count <= (before.get(key) ?? 0)) return;
    if (event.severity === "warning" && count > 1) return;
    // A failed registration is told under its URN, and as the CLI does it once more, under type and name only.
    if (event.urn?.startsWith("urn:") === false && run.gathered.some(({ message }) => message === event.message))
      return;
    if (event.severity === "warning" || event.severity === "error") {
      run.gathered.push(event);
      return;
    }
    const lines = clean(event.message, colours.isColorSupported).trimEnd().split("\n");
    body(...lines.map((line) => colours.dim("  │ ") + line));
  }

  /** Warnings and errors, by resource, in the order in which they came. */
  function diagnosticLines(): string[] {
    if (run.gathered.length === 0) return [];
    const byPlace = new Map<string, Diagnostic[]>();
    for (const event of run.gathered) byPlace.set(event.urn ?? "", [...(byPlace.get(event.urn ?? "") ?? []), event]);
    const lines = [colours.bold("Diagnostics:")];
    for (const [urn, events] of byPlace) {
      const [type, ...name] = urn.split("::").slice(urn.startsWith("urn:") ? 2 : 0);
      if (urn !== "") lines.push(`  ${shortType(type?.split("$").at(-1) ?? "")} (${clean(name.join("::"), false)}):`);
      for (const event of events) {
        const paint = event.severity === "error" ? colours.red : colours.yellow;
        const [first = "", ...rest] = clean(event.message, colours.isColorSupported).trimEnd().split("\n");
        const indent = urn === "" ? "  " : "    ";
        lines.push(`${indent}${paint(`${event.severity}:`)} ${first}`, ...rest.map((line) => `${indent}  ${line}`));
      }
    }
    return [...lines, ""];
  }

  function end(event: Extract<EngineEvent, { type: "end" }>): void {
    const { result } = event;
    stopTimer();
    if (options.live) region.paint([], []);
    const plan = result.preview
      ? planLines(run.steps, colours, {
          diff: options.diff ?? false,
          limit: options.diff ? Number.POSITIVE_INFINITY : textLimit,
          showSames: options.showSames ?? false,
        })
      : [];
    if (run.hasBody) print("");
    if (plan.length > 0) print(...plan, "");
    print(...diagnosticLines());
    // What a destroy takes away is no news, above all not with every value.
    const emptied = result.operation === "destroy" && Object.keys(run.outputs?.outputs ?? {}).length === 0;
    if (run.outputs !== undefined && result.ok && !emptied) {
      const lines = changeLines(run.outputs.outputs, run.outputs.before, colours, result.preview);
      if (lines.length > 0) print(colours.bold("Outputs:"), ...lines.map((line) => `    ${line}`), "");
    }
    const time = `Duration: ${duration(result.durationMs)}`;
    const [title, planTitle] = titles[result.operation];
    const name = result.preview ? planTitle : title;
    const kept = result.preview ? "nothing was changed" : "what was done is saved";
    if (result.cancelled) print(colours.red(`${name} was interrupted; ${kept}.`), "");
    else if (!result.ok) print(colours.red(`${name} failed.`), "");
    if (result.ok && !hasChanges(result.changes) && !run.shown.options) {
      const count = result.changes.same ?? 0;
      const sure = result.preview ? "Nothing would change" : "Nothing changed";
      print(colours.green(`${sure}: ${count} unchanged.`), colours.dim(time));
    } else print(...summaryLines(result, run.shown, run.failed, colours), "", colours.dim(time));
    // The run after this preview is measured against it.
    if (result.preview) {
      expected = Object.values(result.changes).reduce((sum, count) => sum + (count ?? 0), 0);
    }
  }

  return {
    details: () => print(...planLines(run.steps, colours, { diff: true, limit: Number.POSITIVE_INFINITY }), ""),
    event(event) {
      switch (event.type) {
        case "start": {
          run = begin(event.operation, event.preview);
          [before, said] = [said, new Map()];
          const [title, planTitle] = titles[event.operation];
          print(
            "",
            colours.bold(`${event.preview ? planTitle : title}`) +
              colours.dim(` · ${event.project} · stack ${event.stack} · @pulumi/pulumi ${event.sdkVersion}`),
            "",
          );
          startTimer();
          return;
        }
        case "step":
          return step(event);
        case "diagnostic":
          return diagnostic(event);
        case "outputs":
          run.outputs = event;
          return;
        case "cancelling": {
          const running = [...run.running.values()].map(({ step: info }) => `    ${underWay(info.op)} ${label(info)}`);
          const more = running.length - mostRunningLines;
          const words = run.preview
            ? ["Stopping: what was asked already is waited for.", "Ctrl-C again ends at once."]
            : [
                running.length === 0
                  ? "Stopping: nothing is in flight, and nothing new begins."
                  : "Stopping: what is in flight finishes and is saved, nothing new begins.",
                ...running.slice(0, mostRunningLines),
                ...(more > 0 ? [`    … and ${more} more`] : []),
                "Ctrl-C again ends at once, and may lose what is in flight.",
              ];
          body(...words.map((line) => colours.yellow(line)));
          return;
        }
        case "end":
          return end(event);
      }
    },
    close() {
      stopTimer();
      if (options.live) region.paint([], []);
    },
  };
}

/** One event per line, as JSON, for machines. */
export function jsonDisplay(write: (text: string) => void): Display {
  return { event: (event) => write(`${JSON.stringify(event)}\n`), details: () => undefined, close: () => undefined };
}
