/** What is in progress, and how far the run is. */
import type { Colors } from "picocolors/types";
import { joinLines, plural } from "../../definitions/text/display";
import { type ShownStep, shortType } from "./shown-step";
import { clean, duration, pad, truncate } from "./terminal-text";
import { paintOf, runningWord, symbolOf } from "./verbs";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** Milliseconds from one repaint to the next. */
export const repaintEvery = 100;
const mostRunningLines = 8;

export interface Wait {
  message: string;
  since: number;
}

/** How resources are named: in a column as wide as the longest name seen so far. */
export class Labels {
  #width = 0;

  readonly #columns: () => number | undefined;

  /** @param columns how many a terminal has; undefined elsewhere */
  constructor(columns: () => number | undefined) {
    this.#columns = columns;
  }

  of(step: ShownStep): string {
    return `${shortType(step.type)} ${clean(step.name, false)}`;
  }

  /** Makes the column wide enough for a name, within reason. */
  fit(step: ShownStep): void {
    this.#width = Math.min(70, Math.max(this.#width, this.of(step).length));
  }

  /** On a narrow terminal, what happens is worth more than the end of a name. */
  get columnWidth(): number {
    const columns = this.#columns();
    return columns === undefined ? this.#width : Math.min(this.#width, Math.max(40, columns) - 30);
  }
}

export class Progress {
  #finished = 0;
  readonly #running = new Map<string, { step: ShownStep; since: number }>();
  readonly #since: number;
  #waiting: Wait | undefined;

  readonly #title: string;
  readonly #plan: readonly ShownStep[] | undefined;
  readonly #expected: number;
  readonly #labels: Labels;
  readonly #now: () => number;

  /**
   * @param plan what a preview has seen so far; undefined for a run that changes something
   * @param expected how many resources the run has, as far as is known; 0 if it is not
   */
  constructor(
    title: string,
    plan: readonly ShownStep[] | undefined,
    expected: number,
    labels: Labels,
    now: () => number,
  ) {
    this.#title = title;
    this.#plan = plan;
    this.#expected = expected;
    this.#labels = labels;
    this.#now = now;
    this.#since = now();
  }

  /** What nothing has happened since. */
  set wait(message: string | undefined) {
    this.#waiting = message ? { message, since: this.#now() } : undefined;
  }

  started(key: string, step: ShownStep): void {
    this.#running.set(key, { step, since: this.#now() });
  }

  /** Returns how long it took, in milliseconds, if it was seen to start. */
  ended(key: string): number | undefined {
    this.#finished++;
    const since = this.#running.get(key)?.since;
    this.#running.delete(key);
    return since === undefined ? undefined : this.#now() - since;
  }

  /** A line for where nothing can be repainted: how far the run is, and what it waits for the longest. */
  get reminder(): string {
    const oldest = [...this.#running.values()].map(({ step, since }) => `${this.#labels.of(step)} ${this.#age(since)}`);
    return `… ${this.#counts}${oldest.length > 0 ? `: ${oldest.slice(0, 3).join(", ")}` : ""}`;
  }

  /** The operations in progress, a line each. */
  get inFlight(): string[] {
    const lines = [...this.#running.values()].map(
      ({ step }) => `    ${runningWord(step.verb)} ${this.#labels.of(step)}`,
    );
    return shortened(lines);
  }

  /** The moving lines of a terminal of so many columns. */
  lines(colours: Colors, columns: number): string[] {
    const room = Math.max(20, columns - 1);
    const width = this.#labels.columnWidth;
    const spinner = frames[Math.floor((this.#now() - this.#since) / repaintEvery) % frames.length] ?? "";
    const head = colours.bold(truncate(`${this.#title}: ${this.#counts}`, room - 2));
    const running = [...this.#running.values()].map(({ step, since }) => {
      const name = pad(truncate(this.#labels.of(step), width), width);
      const text = truncate(`${name}  ${runningWord(step.verb)} ${this.#age(since)}`, room - 4);
      return ` ${paintOf(step.verb, colours)(symbolOf(step.verb))} ${text}`;
    });
    const wait = this.waitLines(colours, columns);
    return [`${colours.cyan(spinner)} ${head}`, ...wait, ...shortened(running, colours.dim)];
  }

  /** The line with what is waited for, if there is something. */
  waitLines(colours: Colors, columns: number): string[] {
    if (this.#waiting === undefined) return [];
    return [colours.dim(truncate(`  │ ${waitText(this.#waiting, this.#now())}`, Math.max(20, columns - 1)))];
  }

  get #counts(): string {
    const { size } = this.#running;
    const of = this.#expected > 0 ? ` of ${Math.max(this.#expected, this.#finished + size)}` : "";
    if (this.#plan?.length === 0 && size === 0) return `starting the program, ${this.#age(this.#since)}`;
    const done = this.#plan ? `${plural(this.#plan.length, "resource")} planned` : `${this.#finished}${of} done`;
    return `${done}, ${size} running, ${this.#age(this.#since)}`;
  }

  #age(since: number): string {
    return duration(this.#now() - since);
  }
}

/** What is waited for, and when that was. */
export const waitText = ({ message, since }: Wait, now: number): string =>
  `${duration(now - since)} ago: ${joinLines(clean(message, false))}`;

function shortened(lines: readonly string[], paint = (text: string) => text): string[] {
  const more = lines.length - mostRunningLines;
  return [...lines.slice(0, mostRunningLines), ...(more > 0 ? [paint(`    … and ${more} more`)] : [])];
}
