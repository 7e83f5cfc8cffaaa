/** `npm run up` and `npm test` print something every ten seconds, in a log as well. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, expect, it, vi } from "vitest";

const root = resolve(__dirname, "../..");
const script = (name: string) => import(resolve(root, "tools", name));
/** Without colours. */
const plain = (text: string) => stripVTControlCharacters(text);

afterEach(() => vi.useRealTimers());

it("a part that prints nothing for long says how long it has run", async () => {
  const { sayProgress } = await script("prepare.mjs");
  vi.useFakeTimers();
  const lines: string[] = [];
  const end = sayProgress(
    () => "Types",
    (line: string) => lines.push(plain(line)),
  );
  vi.advanceTimersByTime(35_000);
  end();
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual(["  Types … 10s", "  Types … 20s", "  Types … 30s"]);
});

it("the tests say how many files have ended, and how many failed", async () => {
  const { default: ProgressReporter } = await script("progress-reporter.mjs");
  vi.useFakeTimers();
  const lines: string[] = [];
  const reporter = new ProgressReporter({ print: (line: string) => lines.push(plain(line)) });
  reporter.onTestRunStart(new Array(40));
  for (const state of ["passed", "failed", "skipped"]) reporter.onTestModuleEnd({ state: () => state });
  vi.advanceTimersByTime(10_000);
  reporter.onTestRunEnd();
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual(["  Tests: 3 of 40 files, 1 failed … 10s"]);
  expect(readFileSync(resolve(root, "vitest.config.mts"), "utf8")).toContain("tools/progress-reporter.mjs");
});

it("the README names both commands, with how long each takes", () => {
  const readme = readFileSync(resolve(root, "README.md"), "utf8");
  const scripts = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")).scripts;
  for (const command of ["npm run up", "npm test"]) {
    expect(readme).toMatch(new RegExp(`^ {4}${command} +# .*\\bminutes?\\b`, "m"));
    expect(scripts).toHaveProperty(command.split(" ").at(-1)!);
  }
});
