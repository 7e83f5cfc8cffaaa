/** What is painted on a terminal, and questions on one. */
import { PassThrough } from "node:stream";
import stringWidth from "string-width";
import { afterEach, expect, it, vi } from "vitest";
import { clean } from "../../cli/display/terminal-text";
import { ExitError } from "../../cli/output/errors";
import { ProgressBar } from "../../cli/output/progress-bar";
import { availableWidth } from "../../cli/output/table";
import { ask, isInteractive, note, print, setColourMode } from "../../cli/output/terminal";

const { isTTY, columns } = process.stderr;
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  Object.assign(process.stderr, { isTTY, columns });
});

it.each([
  [80, 1000],
  [40, 12],
  [20, 12],
  [0, 12],
])("the progress bar of a terminal of %i columns is one line, also with %i wide names", (size, total) => {
  vi.stubEnv("CI", "");
  vi.stubEnv("TERM", "xterm");
  Object.assign(process.stderr, { isTTY: true, columns: size });
  const painted: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => painted.push(String(text)) > 0);
  new ProgressBar(total, "accounts").step(total, "株式会社サンプル".repeat(10));
  expect(painted).toHaveLength(1);
  expect(stringWidth(painted[0]!)).toBeLessThan(size || 80);
  expect(painted[0]).toContain(`${total}/${total} accounts`);
});

it("a note replaces the progress bar, which comes again below it", () => {
  vi.stubEnv("CI", "");
  vi.stubEnv("TERM", "xterm");
  Object.assign(process.stderr, { isTTY: true, columns: 80 });
  const painted: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => painted.push(String(text)) > 0);
  const progress = new ProgressBar(2, "accounts");
  progress.step(1);
  note("no response for 2 s");
  progress.step(1);
  progress.end();
  note("done");
  expect(painted).toEqual([
    expect.stringMatching(/^\r.* 1\/2 accounts /),
    "\r\u001b[Kno response for 2 s\n",
    expect.stringMatching(/^\r.* 2\/2 accounts /),
    "\n",
    "done\n",
  ]);
});

it("a question ends when its signal aborts: SIGTERM ends a run that waits for an answer", async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  vi.spyOn(process, "stdin", "get").mockReturnValue(stdin as unknown as typeof process.stdin);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const controller = new AbortController();
  const answer = ask("Apply this?", { signal: controller.signal });
  setTimeout(() => controller.abort(), 20);
  await expect(answer).rejects.toBeInstanceOf(ExitError);
  // Which it may have said before it came to the question.
  await expect(ask("Apply this?", { signal: controller.signal })).rejects.toBeInstanceOf(ExitError);
});

it("a terminal that does not know its size has 80 columns", () => {
  const { isTTY, columns } = process.stdout;
  const sized = (now: boolean, size: number | undefined) =>
    Object.assign(process.stdout, { isTTY: now, columns: size });
  for (const [size, expected] of [
    [0, 80],
    [undefined, 80],
    [40, 40],
  ] as const) {
    sized(true, size);
    expect(availableWidth()).toBe(expected);
  }
  sized(isTTY, columns);
});

it.each([
  ["", true],
  ["false", true],
  ["0", true],
  ["true", false],
  ["1", false],
])("with CI=%s a terminal is interactive: %s", (value, expected) => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  vi.spyOn(process, "stdin", "get").mockReturnValue(stdin as unknown as typeof process.stdin);
  Object.assign(process.stderr, { isTTY: true });
  vi.stubEnv("CI", value);
  expect(isInteractive()).toBe(expected);
});

it.each(["\r[0m", "\u0007[1m", "\u009b[31m", "\u001b[2J"])(
  "%j is no colour, and is not passed on where colours are",
  (text) => {
    setColourMode("always");
    const printed: string[] = [];
    vi.spyOn(process.stdout, "write").mockImplementation((line) => printed.push(String(line)) > 0);
    print(`safe${text}end \u001b[32mgreen\u001b[0m`);
    setColourMode("auto");
    const [colour, end] = ["\u001b[32m", "\u001b[0m"];
    expect(printed.join("")).toBe(
      `safe${JSON.stringify(text).slice(1, -1)}end ${colour}green${end}\n`
        .replace("\\r", "\\u000d")
        .replace("\u009b", "\\u009b"),
    );
    const cleaned = clean(`safe${text}end ${colour}green${end}`, true);
    expect(cleaned.replace(colour, "").replace(end, "")).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(cleaned).toContain(`${colour}green${end}`);
  },
);
