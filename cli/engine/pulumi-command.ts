/** Runs the Pulumi CLI as a process without a terminal; returns its output or its event log. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineEvent as LoggedEvent } from "@pulumi/pulumi/automation";
import { atExit } from "../../fs/at-exit";
import { GrowingFile } from "../../fs/growing-file";
import { OperationError } from "./operation-error";
import { cliEnvironment } from "./pulumi-cli";
import { OutputFiles, OutputPipes, withoutColours } from "./pulumi-output";

interface PulumiRun {
  env?: Readonly<Record<string, string>>;
  /** Gets each event when it is logged. Secrets in it are closed. */
  onEvent: (event: LoggedEvent) => void;
  /** Gets each line of what is printed for people. */
  onLine?: (line: string) => void;
  /** Its abort asks the engine to end in order. */
  signal?: AbortSignal;
}

interface StartOptions {
  input?: string;
  /** A state with its secrets must not be on the disk. */
  printsTo?: "pipe" | "file";
}

export class PulumiCommand {
  readonly #path: string;
  /** For files that serve one command. Only this user can read them. */
  readonly folder = mkdtempSync(join(tmpdir(), "esign-events-"));
  #runs = 0;
  readonly #running = new Set<ChildProcess>();
  readonly #notAtExit: () => void;

  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;

  /** @param cwd the folder in which it runs, as a rule that of the project */
  constructor(path: string, cwd: string, env: NodeJS.ProcessEnv) {
    this.#path = path;
    this.#cwd = cwd;
    this.#env = env;
    this.#notAtExit = atExit(() => this.close());
  }

  /**
   * Runs a command; resolves to what it prints.
   * @param input a value that goes through standard input: all users of a machine see a process's arguments
   * @throws {OperationError} if it does not succeed
   */
  output(args: readonly string[], input = ""): Promise<string> {
    return this.#start(args, { input });
  }

  /** Runs an operation on a stack. Resolves to its error: what it logged before it failed has been reported, too. */
  async run(args: readonly string[], { onEvent, ...options }: PulumiRun): Promise<OperationError | undefined> {
    const log = join(this.folder, `${this.#runs++}.jsonl`);
    writeFileSync(log, "", { mode: 0o600 });
    const file = new GrowingFile(log);
    const read = () => {
      for (const line of file.lines()) for (const event of eventsIn(line)) onEvent(event);
    };
    const unwatch = onChange(log, read);
    try {
      await this.#start([...args, "--event-log", log, "--color", "never"], { ...options, printsTo: "file" });
      return undefined;
    } catch (error) {
      if (error instanceof OperationError) return error;
      throw error;
    } finally {
      unwatch();
      read();
      rmSync(log, { force: true });
    }
  }

  /** What runs does not outlive this process, unless it is killed. */
  close(): void {
    this.#notAtExit();
    for (const child of this.#running) child.kill();
    try {
      rmSync(this.folder, { recursive: true, force: true });
    } catch {
      // Windows removes nothing that a process has open.
    }
  }

  async #start(
    args: readonly string[],
    { env = {}, input = "", onLine, signal, printsTo = "pipe" }: Partial<PulumiRun> & StartOptions,
  ): Promise<string> {
    const output = printsTo === "file" ? new OutputFiles(join(this.folder, `${this.#runs++}`)) : new OutputPipes();
    const child = spawn(this.#path, [...args, "--non-interactive"], {
      cwd: this.#cwd,
      stdio: ["pipe", ...output.streams],
      // The Pulumi CLI has an event log only with its commands for debugging.
      env: { ...cliEnvironment({ ...this.#env, ...env }), PULUMI_DEBUG_COMMANDS: "true" },
      // A Ctrl-C is passed on once, when it has been decided what it means.
      detached: process.platform !== "win32",
    });
    this.#running.add(child);
    output.attach(child);
    // On Windows the console has sent it to the engine, and this would end it at once.
    const cancel = () => process.platform === "win32" || child.kill("SIGINT");
    signal?.addEventListener("abort", cancel);
    return new Promise<string>((done, fail) => {
      child.once("error", ({ message }) => fail(new OperationError(message, false)));
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
      child.once("close", (code, endedBy) => {
        const [stdout, stderr] = output.texts();
        if (onLine !== undefined) stdout.split("\n").forEach(onLine);
        if (code === 0) done(stdout);
        else {
          // An operation prints its display: only the errors in it are some.
          const texts = { stderr, stdout, isDisplay: printsTo === "file" };
          fail(new OperationError(errorLines(texts, endedBy), isLockedBy(stderr), code ?? 1));
        }
      });
    }).finally(() => {
      this.#running.delete(child);
      signal?.removeEventListener("abort", cancel);
    });
  }
}

/** Where the system has no more watches, the events come when the command has ended. */
function onChange(file: string, read: () => void): () => void {
  try {
    const watcher = watch(file, { persistent: false }, read);
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}

/** A line may be cut off where an engine was killed. */
function eventsIn(line: string): LoggedEvent[] {
  try {
    return [JSON.parse(line) as LoggedEvent];
  } catch {
    return [];
  }
}

/** How Pulumi Cloud and file backends say it. */
const isLockedBy = (stderr: string): boolean =>
  stderr.includes("[409] Conflict: Another update is currently in progress.") ||
  stderr.includes("the stack is currently locked by");

const linesOf = (output: string): string[] =>
  withoutColours(output)
    .trim()
    .split("\n")
    .map((line) => line.trim());

function errorLines(
  { stderr, stdout, isDisplay }: { stderr: string; stdout: string; isDisplay: boolean },
  signal: NodeJS.Signals | null,
): string | undefined {
  const lines = linesOf(`${stderr}\n${stdout}`);
  const errors = lines.filter((line) => line.startsWith("error: ")).map((line) => line.slice("error: ".length));
  const others = isDisplay ? linesOf(stderr) : lines;
  const otherwise = signal === null ? others.find((line) => line !== "") : `ended by ${signal}`;
  return [...new Set(errors)].join("\n") || otherwise;
}
