/** What people see of a run over a fleet: on a terminal a table that moves, elsewhere a line for each stack. */
import { createColors } from "picocolors";
import { joinLines, plural } from "../../../definitions/text/display";
import { changesOf, hasChanges } from "../../../engine/events";
import { LiveRegion } from "../../display/live-region";
import { repaintEvery, type Wait, waitText } from "../../display/progress-rows";
import type { AccountSummary } from "../../display/shown-step";
import { accountWrites } from "../../display/summary";
import { duration, pad, truncate } from "../../display/terminal-text";
import { plannedWord, type StepVerb, verbs } from "../../display/verbs";
import { type CustomerStack, concerned } from "../../fleet/customer-stacks";
import { isChanged, type ObjectCounts, type Outcome } from "../../fleet/run-fleet";
import { canRepaint, errorColours, note, toTerminalCharacters } from "../../output/terminal";

/** Most running stacks that are shown. */
const mostRows = 12;

/** `3 create, 1 adopt and update`; what is unchanged has no word. */
const changesText = (changes: ObjectCounts): string =>
  changesOf(changes)
    .map(([op, count]) => `${count} ${isVerb(op) ? plannedWord(op) : op}`)
    .join(", ");

const isVerb = (op: string): op is StepVerb => (verbs as readonly string[]).includes(op);

/** What was done in a stack. */
export function doneText({ orphans = [], ...outcome }: Outcome): string {
  const { changes, account } = outcome;
  const hasObjects = hasChanges(changes);
  const done = hasObjects ? changesText(changes) : isChanged(outcome) ? "state only" : "no changes";
  const writes = account === undefined || !hasObjects ? "" : `; ${writesText(account)}`;
  return `${done}${writes}${orphans.length === 0 ? "" : `; unchanged, since they have no record: ${orphans.join(", ")}`}`;
}

/** How it ended: a stack that failed may have written to the account before. */
export function failedText(outcome: Outcome): string {
  return hasChanges(outcome.changes) ? `failed, after ${doneText(outcome)}` : "failed";
}

/** A plan of one stack has the reason in the row of each resource that is not read. */
function writesText(account: AccountSummary): string {
  const writes = accountWrites(account, true, createColors(false));
  return account.unread === 0 ? writes : `${writes}, ${plural(account.unread, "resource")} not read`;
}

/** The customers of a stack, as errors and tables name them. */
export function nameOf({ stack, ...customers }: Pick<CustomerStack, "stack" | "ids" | "removedIds">): string {
  const [first, ...others] = concerned(customers);
  if (first === undefined) return stack;
  return others.length === 0 ? first : `${stack} (${plural(others.length + 1, "customer")})`;
}

/** Most lines of an error that are shown: of a shared stack, hundreds of customers may fail. The report has all. */
const mostLines = 12;

const firstLines = (lines: string[]): string[] =>
  lines.length <= mostLines ? lines : [...lines.slice(0, mostLines), `… and ${lines.length - mostLines} more lines`];

export function outcomeLine(outcome: Outcome): string {
  const { status, reason, seconds } = outcome;
  const symbol = { done: errorColours.green("✓"), failed: errorColours.red("✗"), skipped: errorColours.dim("-") }[
    status
  ];
  const what = {
    done: doneText(outcome),
    failed: errorColours.red(failedText(outcome)),
    skipped: `skipped: ${reason}`,
  }[status];
  const time = status === "skipped" ? "" : errorColours.dim(` (${duration(seconds * 1000)})`);
  const lines = status === "failed" ? firstLines((reason ?? "").split("\n").filter(Boolean)) : [];
  return [` ${symbol} ${nameOf(outcome)}  ${what}${time}`, ...lines.map((line) => `     ${joinLines(line)}`)].join(
    "\n",
  );
}

export class FleetDisplay {
  readonly #running = new Map<string, { customerStack: CustomerStack; since: number; wait?: Wait }>();
  readonly #region = new LiveRegion(
    (text) => process.stderr.write(toTerminalCharacters(process.stderr, text)),
    () => process.stderr.columns || 80,
  );
  #isLive = canRepaint(process.stderr);
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #begun = performance.now();
  #finished = 0;
  #failed = 0;

  readonly #title: string;
  readonly #total: number;
  readonly #batches: number;

  constructor(title: string, total: number, batches: number) {
    this.#title = title;
    this.#total = total;
    this.#batches = batches;
    if (this.#isLive) this.#timer = setInterval(() => this.#paint(), repaintEvery).unref();
  }

  begin(customerStack: CustomerStack): void {
    this.#running.set(customerStack.stack, { customerStack, since: performance.now() });
  }

  /** What a stack waits for, until something else happens in it. Without a message, nothing. */
  wait(customerStack: CustomerStack, message: string | undefined): void {
    const row = this.#running.get(customerStack.stack);
    if (row === undefined) return;
    if (!message) delete row.wait;
    else if (this.#isLive) row.wait = { message, since: performance.now() };
    else this.say(` … ${nameOf(customerStack)}  ${joinLines(message)}`);
  }

  end(outcome: Outcome): void {
    this.#running.delete(outcome.stack);
    this.#finished++;
    if (outcome.status === "failed") this.#failed++;
    // Of thousands, those that went as the others did are counted on a terminal, and not listed.
    if (!this.#isLive || outcome.status !== "done" || isChanged(outcome)) this.say(outcomeLine(outcome));
  }

  batch(number: number, outcomes: readonly Outcome[]): void {
    if (this.#batches === 1) return;
    const failed = outcomes.filter(({ status }) => status === "failed").length;
    const text = `Batch ${number} of ${this.#batches}: ${outcomes.length} done${failed > 0 ? `, ${failed} of them failed` : ""}`;
    this.say(errorColours.bold(text));
  }

  say(text: string): void {
    if (this.#isLive) this.#paint(text.split("\n"));
    else note(text);
  }

  /** The last words of a run that ends at once. */
  abort(text: string): void {
    this.close();
    note(text);
  }

  close(): void {
    clearInterval(this.#timer);
    if (this.#isLive) this.#region.paint([], []);
    // What comes later has no table above which to stand.
    this.#isLive = false;
  }

  #paint(stay: readonly string[] = []): void {
    const now = performance.now();
    const columns = process.stderr.columns || 80;
    const shown = [...this.#running.values()].slice(0, mostRows);
    const names = shown.map(({ customerStack }) => truncate(nameOf(customerStack), 40));
    const width = Math.max(0, ...names.map(({ length }) => length));
    const rows = shown.map(({ since, wait }, i) => {
      const row = `   ${pad(names[i]!, width)}  ${duration(now - since)}`;
      return truncate(wait === undefined ? row : `${row}  ${waitText(wait, now)}`, columns - 1);
    });
    const more = this.#running.size - rows.length;
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : "";
    const head = `${this.#title}: ${this.#finished} of ${this.#total} done${failed}, ${this.#running.size} running, ${duration(now - this.#begun)}`;
    this.#region.paint(stay, [
      errorColours.bold(truncate(head, columns - 1)),
      ...rows,
      ...(more > 0 ? [`   … and ${more} more`] : []),
    ]);
  }
}
