/**
 * A `pulumi` without a terminal: arguments in, its output or its event log out. It is the Pulumi CLI or the built-in engine,
 * which takes the same arguments.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { withLocalNoProxy } from "../../../../engine/plugin/node-process";
import { atExit } from "../../../../fs/at-exit";
import { packageFolder } from "../../../output/version";
import type { EngineChoice } from "../../../project/choose-engine";

/** An engine's errors, without its other output: that may be long, and repeats them. */
export class OperationError extends Error {
  override readonly name = "OperationError";
  constructor(
    message: string,
    /** Another operation has locked the stack. */
    readonly isLocked: boolean,
  ) {
    super(message);
  }
}

export interface Run {
  events: EngineEvent[];
  error?: OperationError;
}

export class EngineCommand {
  private readonly executable: readonly [string, ...string[]];
  /** Secrets in the logs are closed. */
  private readonly logs = mkdtempSync(join(tmpdir(), "esign-fleet-"));
  private runs = 0;
  private readonly running = new Set<ChildProcess>();

  constructor(
    private readonly folder: string,
    engine: EngineChoice,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    const builtIn = join(packageFolder, "dist/cli/automation/main.js");
    this.executable = engine.engine === "pulumi" ? [engine.path] : [process.execPath, builtIn];
    atExit(() => this.end());
  }

  /**
   * Runs a command; resolves to what it prints.
   * @param input a value that goes through standard input: all users of a machine see a process's arguments
   * @throws {OperationError} if it does not succeed
   */
  output(args: readonly string[], input = ""): Promise<string> {
    return this.start(args, {}, input);
  }

  /** Runs an operation on a stack; what it logged before it failed is there, too. */
  async run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> {
    const log = join(this.logs, `${this.runs++}.jsonl`);
    // The history says that a program has run it, in the Automation API's word.
    const logged = [...args, "--event-log", log, "--exec-kind", "auto.local", "--color", "never"];
    // The Pulumi CLI has the option only with its commands for debugging.
    const ended = this.start(logged, { ...env, PULUMI_DEBUG_COMMANDS: "true" });
    const error = await ended.then(
      () => undefined,
      (reason: OperationError) => reason,
    );
    const events = existsSync(log) ? eventsIn(readFileSync(log, "utf8")) : [];
    rmSync(log, { force: true });
    return { events, ...(error && { error }) };
  }

  private start(args: readonly string[], more: Readonly<Record<string, string>>, input = ""): Promise<string> {
    const [file, ...first] = this.executable;
    const env = withLocalNoProxy({ ...process.env, ...this.env, ...more });
    const child = spawn(file, [...first, ...args, "--non-interactive"], { cwd: this.folder, env });
    this.running.add(child);
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    return new Promise<string>((done, fail) => {
      child.once("error", ({ message }) => fail(new OperationError(message, false)));
      // What could not be started, since the system has no more files to open, has none of them.
      child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
      child.once("close", (code, signal) => {
        const [stdout, stderr] = [Buffer.concat(out).toString(), Buffer.concat(err).toString()];
        if (code === 0) done(stdout);
        else fail(new OperationError(errorLines(`${stderr}\n${stdout}`, signal), isLockedBy(stderr)));
      });
    }).finally(() => this.running.delete(child));
  }

  /** What runs does not outlive this process, unless it is killed. */
  private end(): void {
    for (const child of this.running) child.kill();
    try {
      rmSync(this.logs, { recursive: true, force: true });
    } catch {
      // Windows removes nothing that a process has open.
    }
  }
}

/** A line may be cut off where an engine was killed. */
const eventsIn = (log: string): EngineEvent[] =>
  log.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as EngineEvent];
    } catch {
      return [];
    }
  });

/** How Pulumi Cloud and file backends say it. */
const isLockedBy = (stderr: string): boolean =>
  stderr.includes("[409] Conflict: Another update is currently in progress.") ||
  stderr.includes("the stack is currently locked by");

/** Without the marks of colours. */
export const plain = (text: string): string => text.replace(/<\{%.*?%\}>/g, "").trim();

function errorLines(output: string, signal: NodeJS.Signals | null): string {
  const lines = plain(output)
    .split("\n")
    .map((line) => line.trim());
  const errors = lines.filter((line) => line.startsWith("error: ")).map((line) => line.slice("error: ".length));
  const otherwise = signal === null ? lines.find((line) => line !== "") : `ended by ${signal}`;
  return [...new Set(errors)].join("\n") || otherwise || "failed without a word";
}
