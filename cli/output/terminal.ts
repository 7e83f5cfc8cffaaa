/** The terminal: colours where they are wanted, questions where somebody is there to answer. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import pc from "picocolors";
import { Exit, ExitError } from "./exit-codes";

/** NO_COLOR and FORCE_COLOR are obeyed; else colours are for terminals. */
function wantsColours(stream: { isTTY?: boolean } = process.stdout, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return stream.isTTY === true && env.TERM !== "dumb";
}

/** Colours for stdout. */
export const colours = pc.createColors(wantsColours(process.stdout));
/** Colours for stderr. */
export const errorColours = pc.createColors(wantsColours(process.stderr));

/** True on a machine for CI, which may pretend to have a terminal. */
const isCi = (): boolean => !/^(0|false)?$/i.test(process.env.CI ?? "");

/** True when there is somebody to ask: a terminal on both sides, and not one of CI. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true && !isCi();

/** True when lines can be repainted. */
export const canRepaint = (stream: { isTTY?: boolean } = process.stdout): boolean =>
  stream.isTTY === true && !isCi() && process.env.TERM !== "dumb";

let underWay = false;
/** True while something is done that must not end because nobody reads what is said of it. */
export const mustFinish = (): boolean => underWay;
/** Notes that such work begins or is over. */
export function setMustFinish(on: boolean): void {
  underWay = on;
}

const control = /(?:\p{Cc}\[\d{1,2}m)|(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * What a service, a file or a state says may hold anything. What would move the cursor, name the window or turn the direction
 * of a line is shown by its number, in the notation that JSON has, too; only colours stay, where there are some.
 */
const escapeControl = (text: string, { isColorSupported }: { isColorSupported: boolean }): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(control, (found) =>
      found.length > 1 && isColorSupported
        ? found
        : found.replace(/^./u, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
    );

/** A line for people, beside the output proper. */
export const note = (text = ""): boolean => process.stderr.write(`${escapeControl(text, errorColours)}\n`);

/** A line of output proper. */
export const print = (text = ""): boolean => write(`${text}\n`);

/** A piece of a line. */
export const write = (text: string): boolean => process.stdout.write(escapeControl(text, colours));

/** A value that somebody asked for: as it is, but into a terminal. */
export const printValue = (value: string): boolean =>
  process.stdout.isTTY ? print(value) : process.stdout.write(`${value}\n`);

/** Asks, and takes the answer without blanks around it. Ctrl-C, the end of the input and `signal` end it without one. */
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
  return /^y(es)?$/i.test(await ask(`${errorColours.bold(question)} (y/N) `));
}
