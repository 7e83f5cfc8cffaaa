/**
 * Everything that the command prints on a terminal and asks there: colours, lines, questions. Escapes control characters in texts from
 * files and services.
 */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import pc from "picocolors";
import { colourCode } from "../display/colour-codes";
import { isAsciiOnly, toAscii } from "./ascii";
import { ExitError } from "./errors";
import { Exit } from "./exit-codes";

/** Value of the option `--color`. */
type ColourMode = "auto" | "always" | "never";

/** `--color` decides first, then NO_COLOR and FORCE_COLOR. Otherwise only terminals get colours. */
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

/** Applies `--color` in place: modules have imported `colours` and `errorColours` already. */
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

/** True in CI, where stdin and stderr may look like terminals. */
const isCi = (): boolean => !/^(0|false)?$/i.test(process.env.CI ?? "");

/** True if questions can be answered: stdin and stderr are terminals, this is not CI, and `--non-interactive` is not set. */
export const isInteractive = (): boolean =>
  mayAsk && process.stdin.isTTY === true && process.stderr.isTTY === true && !isCi();

/** True if lines that were printed can be overwritten. */
export const canRepaint = (stream: { isTTY?: boolean } = process.stdout): boolean =>
  stream.isTTY === true && !isCi() && process.env.TERM !== "dumb";

let finishes = false;
/** True while the work must continue although its output was closed, such as by `| head`. */
export const mustFinish = (): boolean => finishes;
/** Marks the beginning or the end of such work. */
export function setMustFinish(on: boolean): void {
  finishes = on;
}

const control = new RegExp(`${colourCode}|(?![\\n\\t])\\p{Cc}|[\\u202a-\\u202e\\u2066-\\u2069]`, "gu");

/**
 * Escapes control characters, since a text from a service, a file or a state may contain any. What would move the cursor, set the
 * window's title or reverse the direction of a line is written as in JSON (`\u001b`). Colour codes are kept if the terminal shows
 * colours.
 */
const escapeControl = (text: string, { isColorSupported }: { isColorSupported: boolean }): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(control, (found) =>
      found.length > 1 && isColorSupported
        ? found
        : found.replace(/^./su, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
    );

/** The text in the characters that the terminal can show. Files and pipes get the text unchanged. */
export const toTerminalCharacters = (stream: { isTTY?: boolean }, text: string): string =>
  stream.isTTY === true && isAsciiOnly() ? toAscii(text) : text;

let hasProgressLine = false;
/** Prints a line on stderr that the next line of progress, or the next `note`, overwrites. */
export function writeProgressLine(text: string): void {
  hasProgressLine = true;
  process.stderr.write(`\r${text}\u001b[K`);
}

/** Ends the line of progress with a line break, so that it is kept. */
export function endProgressLine(): void {
  if (hasProgressLine) process.stderr.write("\n");
  hasProgressLine = false;
}

/** Prints a line on stderr: progress, questions and warnings, as opposed to the result of the command. */
export function note(text = ""): boolean {
  const start = hasProgressLine ? "\r\u001b[K" : "";
  hasProgressLine = false;
  return process.stderr.write(toTerminalCharacters(process.stderr, `${start}${escapeControl(text, errorColours)}\n`));
}

/** Prints a line of the result on stdout. */
export const print = (text = ""): boolean => write(`${text}\n`);

/** Prints a part of a line on stdout. */
export const write = (text: string): boolean =>
  process.stdout.write(toTerminalCharacters(process.stdout, escapeControl(text, colours)));

/** Prints the one value that a command returns, such as a URL. Unescaped, except on a terminal. */
export const printValue = (value: string): boolean =>
  process.stdout.isTTY ? print(value) : process.stdout.write(`${value}\n`);

/**
 * Asks a question; resolves to the trimmed answer. Ctrl-C, the end of the input and `signal` reject with {@link ExitError} (cancelled).
 */
export async function ask(question: string, options: { hidden?: boolean; signal?: AbortSignal } = {}): Promise<string> {
  if (options.signal?.aborted) throw new ExitError(Exit.cancelled);
  // A hidden answer must not appear: readline's echo is discarded.
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

/** Asks a yes-or-no question. Every answer but `y` or `yes` is a no. */
export async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${errorColours.bold(question)} [y/N] `));
}
