/** A stack that the Pulumi CLI deploys. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DeploymentPlan, EngineEvent, Operation, ResourceView, RunOptions, RunResult } from "../../engine/index";
import { UsageError } from "../output/errors";
import { Exit, type ExitCode } from "../output/exit-codes";
import { errorColours, note } from "../output/terminal";
import type { DeployableStack } from "./deployable-stack";
import { describeOperationError } from "./describe-operation-error";
import { OperationError } from "./operation-error";
import { OutputTail } from "./output-tail";
import { pulumiArguments } from "./pulumi-arguments";
import type { PulumiCommand } from "./pulumi-command";
import { Causes, isEndWord } from "./pulumi-diagnostics";
import { EventReader } from "./pulumi-events";
import {
  hasPendingOperations,
  noticeAfterUp,
  pendingOperationsIn,
  refusalOfDestroy,
} from "./pulumi-pending-operations";
import { resourcesIn } from "./pulumi-state";
import { PythonInterrupts } from "./python-interrupts";

/** Where Pulumi Cloud shows the operation. */
const permalink = /^(?:View (?:in Browser|Live)|Permalink)[^:]*: (https?:\S+)/;

interface PulumiStackOptions {
  /** As the CLI is to be told: with the organization where it has one. */
  fullName: string;
  name: string;
  project: string;
  programDirectory: string;
  /** Whether its program is one in YAML, which prints nothing: what its host prints to stderr are errors and warnings. Default: false. */
  isYaml?: boolean;
  /** What every operation is called with, besides what it is asked for. */
  arguments?: readonly string[];
  /** Whether an `up` says which pending operations it has completed; that takes a process. Default: true. */
  reportsPendingOperations?: boolean;
  /** Whether other stacks use the same command, which is then not closed with this one. Default: false. */
  isCommandShared?: boolean;
  /** Reads what `stack export` prints, with its secrets or without, in this process; undefined where that cannot be done. */
  readState?: (showSecrets: boolean) => Promise<string | undefined>;
  /** What becomes of an error with which nothing was begun. Default: it ends the command as the CLI ended. */
  fail?: (error: OperationError) => never;
}

export class PulumiStack implements DeployableStack {
  readonly name: string;
  readonly project: string;
  readonly programDirectory: string;
  readonly engine = "Pulumi CLI";
  readonly verifiesDeletions = false;
  /** What the state is, with and without its secrets, until an operation changes it: to read it takes a process, and a key for the secrets. */
  #exported: { open?: Promise<string>; closed?: Promise<string> } = {};
  /** Whether creates were pending before the last run. One that has succeeded leaves none of its own. */
  #hadPendingOperations = true;

  readonly #pulumi: PulumiCommand;
  readonly #own: PulumiStackOptions;

  constructor(pulumi: PulumiCommand, own: PulumiStackOptions) {
    this.#pulumi = pulumi;
    this.#own = own;
    this.name = own.name;
    this.project = own.project;
    this.programDirectory = own.programDirectory;
  }

  async run(operation: Operation, options: RunOptions): Promise<RunResult> {
    const preview = operation === "preview" || options.preview === true;
    const run = new PulumiOperation(operation, preview, this, options, {
      fail: this.#fail,
      isYaml: this.#own.isYaml === true,
    });
    if (options.signal?.aborted) return run.end(new OperationError("cancelled", false));
    const plan = this.#planArguments(preview, options);
    options.signal?.addEventListener("abort", run.cancelling);
    const asked = [...pulumiArguments(operation, preview, options), ...plan, ...(this.#own.arguments ?? [])];
    const error = await this.#pulumi.run([...asked, ...this.#selection], {
      env: options.env ?? {},
      onEvent: (event) => run.add(event),
      onLine: (line) => run.addLine(line),
      ...(options.signal && { signal: options.signal }),
    });
    options.signal?.removeEventListener("abort", run.cancelling);
    if (!preview) await this.#forgetState();
    const reports = this.#own.reportsPendingOperations !== false && !preview && operation === "update";
    const notice = reports && error === undefined ? await this.#noticeAfterUp() : undefined;
    if (notice !== undefined) run.notify(notice);
    const result = run.end(error);
    if (result.ok && options.onPlan !== undefined && plan.length > 0)
      options.onPlan(JSON.parse(readFileSync(plan[1]!, "utf8")) as DeploymentPlan);
    return result;
  }

  async resources({ showSecrets = false }: { showSecrets?: boolean } = {}): Promise<ResourceView[]> {
    return resourcesIn(await this.#state(showSecrets), showSecrets);
  }

  async setConfig(key: string, value: string): Promise<void> {
    // The CLI takes one line end off, as of what `echo` prints.
    await this.#pulumi
      .output(["config", "set", key, "--plaintext", ...this.#selection], `${value}\n`)
      .catch(this.#fail);
  }

  async assertReady(operation: Operation): Promise<void> {
    // A `destroy` would leave in the account what an interrupted run has created.
    const refusal = operation === "destroy" ? refusalOfDestroy(pendingOperationsIn(await this.#state())) : undefined;
    if (refusal === undefined) return;
    throw new UsageError(refusal, Exit.failed);
  }

  /** Its processes are its own. */
  async prepare(): Promise<void> {}

  async close(): Promise<void> {
    // What runs for other stacks goes on.
    if (!this.#own.isCommandShared) this.#pulumi.close();
  }

  get #fail(): (error: OperationError) => never {
    return this.#own.fail ?? ((error) => endAsItDid(error, this.name));
  }

  get #selection(): string[] {
    return ["--stack", this.#own.fullName];
  }

  #state(showSecrets = false): Promise<string> {
    return this.#exportState(showSecrets).catch(this.#fail);
  }

  #exportState(showSecrets = false): Promise<string> {
    const exported = this.#exported;
    const read = async (isOpen: boolean) =>
      (await this.#own.readState?.(isOpen)) ??
      this.#pulumi.output(["stack", "export", ...(isOpen ? ["--show-secrets"] : []), ...this.#selection]);
    if (!showSecrets && exported.open === undefined) {
      exported.closed ??= read(false);
      return exported.closed;
    }
    exported.open ??= read(true);
    return exported.open;
  }

  async #noticeAfterUp(): Promise<string | undefined> {
    if (!this.#hadPendingOperations) return undefined;
    // The operation has succeeded, whether or not the state can be read now.
    return this.#exportState().then(
      (state) => noticeAfterUp(pendingOperationsIn(state)),
      () => undefined,
    );
  }

  async #forgetState(): Promise<void> {
    const before = await (this.#exported.closed ?? this.#exported.open)?.catch(() => undefined);
    this.#hadPendingOperations = before === undefined || hasPendingOperations(before);
    this.#exported = {};
  }

  /** The CLI compares with a plan in the preview that precedes a run, and a command for previews alone does not know plans. */
  #planArguments(preview: boolean, { plan, onPlan }: RunOptions): string[] {
    const file = join(this.#pulumi.folder, "plan.json");
    if (preview) return onPlan === undefined ? [] : ["--save-plan", file];
    if (plan === undefined) return [];
    writeFileSync(file, JSON.stringify(plan), { mode: 0o600 });
    return ["--plan", file];
  }
}

/**
 * @param stack that the error is about
 * @throws {UsageError} with the CLI's reason and its exit code
 */
export function endAsItDid(error: Error, stack: string): never {
  if (!(error instanceof OperationError)) throw error;
  throw new UsageError(describeOperationError(error, stack), error.exitCode as ExitCode);
}

interface OperationOptions {
  fail: (error: OperationError) => never;
  isYaml: boolean;
}

/** One operation, from its first event to its end, which is known when the process has ended. */
class PulumiOperation {
  readonly #reader: EventReader;
  /** What the log has not said. */
  #result: RunResult;
  #isBegun = false;
  /** With a plan the CLI makes a preview of its own first, in which it refuses what the plan does not contain. */
  readonly #ownPrelude: number;
  #preludes = 0;
  #hasErrors = false;
  /** What the program has printed to stderr: of one in YAML whose types are wrong, the only place of the reason. */
  readonly #programErrors = new OutputTail();
  /** The same of a program in YAML, as messages, until it is known whether they are the reason: it is not shown twice. */
  readonly #heldBack: EngineEvent[] = [];
  readonly #interrupts = new PythonInterrupts();
  readonly #causes = new Causes();
  readonly #inFlight = new Set<string>();

  readonly #stack: string;
  readonly #options: RunOptions;
  readonly #more: OperationOptions;

  constructor(
    operation: Operation,
    preview: boolean,
    { name: stack, project }: DeployableStack,
    options: RunOptions,
    more: OperationOptions,
  ) {
    this.#stack = stack;
    this.#options = options;
    this.#more = more;
    const { showSecrets = false, withStates = false } = options;
    this.#ownPrelude = !preview && options.plan !== undefined ? 2 : 0;
    this.#reader = new EventReader({ operation, preview, project, stack, showSecrets, withStates });
    this.#result = {
      ...{ operation, preview, ok: true, cancelled: false },
      ...{ changes: {}, durationMs: 0, outputs: {}, stateWrites: 0 },
    };
  }

  add(logged: Parameters<EventReader["read"]>[0]): void {
    if (logged.preludeEvent) this.#preludes++;
    if (this.#preludes < this.#ownPrelude) return;
    for (const event of this.#reader.read(logged)) {
      if (event.type === "end") this.#result = event.result;
      else if (event.type === "diagnostic" && event.stderr) this.#interrupts.take(event).forEach(this.#emit);
      else if (event.type === "diagnostic") this.#causes.take(event).forEach(this.#emit);
      else this.#emit(event);
    }
  }

  addLine(line: string): void {
    const [, url] = permalink.exec(line.trim()) ?? [];
    if (url !== undefined) this.notify(`In Pulumi Cloud: ${url}`);
  }

  notify(message: string): void {
    this.#emit({ type: "diagnostic", severity: "info", source: "engine", message });
  }

  readonly cancelling = (): void => this.#emit({ type: "cancelling", inFlight: this.#inFlight.size });

  /** @throws {UsageError} if nothing was begun, with the CLI's reason */
  end(error: OperationError | undefined): RunResult {
    const cancelled = error !== undefined && this.#options.signal?.aborted === true;
    if (cancelled && !this.#isBegun) {
      note(errorColours.red("Cancelled; nothing was changed."));
      return { ...this.#result, ok: false, cancelled };
    }
    for (const event of [...this.#interrupts.rest(), ...this.#causes.rest()]) this.#emit(event);
    if (error !== undefined && !this.#isBegun) this.#more.fail(error);
    // That a run was cancelled is said at its end.
    const hasNoReason = error !== undefined && !this.#hasErrors && !(cancelled && isEndWord(error.message));
    const printed = hasNoReason && !error.hasReason ? this.#programErrors.text : "";
    if (printed === "") for (const event of this.#heldBack) this.#options.onEvent?.(event);
    if (hasNoReason)
      this.#emit({
        type: "diagnostic",
        severity: "error",
        source: "engine",
        message: printed || describeOperationError(error, this.#stack),
      });
    const ended = { ...this.#result, cancelled, ok: this.#result.ok && error === undefined };
    this.#emit({ type: "end", result: ended });
    return ended;
  }

  readonly #emit = (event: EngineEvent): void => {
    this.#isBegun ||= event.type === "start";
    this.#hasErrors ||= event.type === "diagnostic" && event.severity === "error";
    if (event.type === "diagnostic" && event.stderr) {
      this.#programErrors.add(event.message.replace(/^Error: /, ""));
      if (this.#more.isYaml) {
        this.#heldBack.push(event);
        return;
      }
    }
    if (event.type === "step") {
      const key = `${event.step.op} ${event.step.urn}`;
      if (event.status === "started") this.#inFlight.add(key);
      else this.#inFlight.delete(key);
    }
    this.#options.onEvent?.(event);
  };
}
