/** Output to a terminal and questions on it: colours, and text from elsewhere without control characters. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import pc from "picocolors";
import { isAsciiOnly, toAscii } from "./ascii";
import { Exit, ExitError } from "./exit-codes";

/** What `--color` asks for. */
type ColourMode = "auto" | "always" | "never";

/** `--color` first, then NO_COLOR and FORCE_COLOR; else colours are for terminals. */
function wantsColours(stream: { isTTY?: boolean }, mode: ColourMode, env: NodeJS.ProcessEnv = process.env): boolean {
  if (mode !== "auto") return mode === "always";
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return stream.isTTY === true && env.TERM !== "dumb";
}

/** Colours for stdout. */
export const colours = pc.createColors(wantsColours(process.stdout, "auto"));
/** Colours for stderr. */
export const errorColours = pc.createColors(wantsColours(process.stderr, "auto"));

/** Applies `--color`, in all that holds the colours already. */
export function setColourMode(mode: ColourMode): void {
  Object.assign(colours, pc.createColors(wantsColours(process.stdout, mode)));
  Object.assign(errorColours, pc.createColors(wantsColours(process.stderr, mode)));
}

let verbose = false;
/** True with `--verbose` or ESIGN_DEBUG=1. */
export const isVerbose = (): boolean => verbose || Boolean(process.env.ESIGN_DEBUG);
/** Applies `--verbose`. */
export function setVerbose(on: boolean): void {
  verbose = on;
}

let mayAsk = true;
/** Applies `--non-interactive`. */
export function setInteractive(on: boolean): void {
  mayAsk = on;
}

/** True on a machine for CI, which may pretend to have a terminal. */
const isCi = (): boolean => !/^(0|false)?$/i.test(process.env.CI ?? "");

/** True when questions can be answered: a terminal on both sides, not one of CI, and no `--non-interactive`. */
export const isInteractive = (): boolean =>
  mayAsk && process.stdin.isTTY === true && process.stderr.isTTY === true && !isCi();

/** True when lines can be repainted. */
export const canRepaint = (stream: { isTTY?: boolean } = process.stdout): boolean =>
  stream.isTTY === true && !isCi() && process.env.TERM !== "dumb";

let finishes = false;
/** True during work that goes on when its output is closed. */
export const mustFinish = (): boolean => finishes;
/** Begins or ends such work. */
export function setMustFinish(on: boolean): void {
  finishes = on;
}

const control = /(?:\p{Cc}\[\d{1,2}m)|(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text of a service, a file or a state may contain anything. What would move the cursor, name the window or turn the
 * direction of a line is escaped as in JSON; only colours stay, where there are some.
 */
const escapeControl = (text: string, { isColorSupported }: { isColorSupported: boolean }): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(control, (found) =>
      found.length > 1 && isColorSupported
        ? found
        : found.replace(/^./u, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
    );

/** Text for a terminal, in the signs that it has. Files and programs get every text as it is. */
export const signsFor = (stream: { isTTY?: boolean }, text: string): string =>
  stream.isTTY === true && isAsciiOnly() ? toAscii(text) : text;

let isPainted = false;
/** A line for people that the next one, or a note, replaces. */
export function paintNote(text: string): void {
  isPainted = true;
  process.stderr.write(`\r${text}\u001b[K`);
}

/** The painted line stays, if it is still there. */
export function endNote(): void {
  if (isPainted) process.stderr.write("\n");
  isPainted = false;
}

/** A line for people, beside the output proper. */
export function note(text = ""): boolean {
  const start = isPainted ? "\r\u001b[K" : "";
  isPainted = false;
  return process.stderr.write(signsFor(process.stderr, `${start}${escapeControl(text, errorColours)}\n`));
}

/** A line of output proper. */
export const print = (text = ""): boolean => write(`${text}\n`);

/** A piece of a line. */
export const write = (text: string): boolean =>
  process.stdout.write(signsFor(process.stdout, escapeControl(text, colours)));

/** The one value that a command is for: unescaped, except on a terminal. */
export const printValue = (value: string): boolean =>
  process.stdout.isTTY ? print(value) : process.stdout.write(`${value}\n`);

/** Asks a question; resolves to the trimmed answer. Ctrl-C, the end of the input and `signal` end it without one. */
export async function ask(question: string, options: { hidden?: boolean; signal?: AbortSignal } = {}): Promise<string> {
  if (options.signal?.aborted) throw new ExitError(Exit.cancelled);
  // What is typed must not appear: readline's echo goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (options.hidden) process.stderr.write(question);
  const lines = createInterface({
    input: process.stdin,
    output: options.hidden ? nowhere : process.stderr,
    terminal: true,
  });
  const end = () => {
    process.stderr.write("\n");
    lines.close();
  };
  try {
    const closed = new Promise<never>((_, reject) => {
      lines.once("close", () => reject(new ExitError(Exit.cancelled)));
      lines.once("SIGINT", end);
      options.signal?.addEventListener("abort", end);
    });
    closed.catch(() => undefined);
    return (await Promise.race([lines.question(options.hidden ? "" : question), closed])).trim();
  } finally {
    options.signal?.removeEventListener("abort", end);
    lines.close();
    if (options.hidden) process.stderr.write("\n");
  }
}

/** Asks for a yes. Anything else is a no. */
export async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${errorColours.bold(question)} [y/N] `));
}
