/** A stack that the Pulumi CLI deploys. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DeploymentPlan, EngineEvent, Operation, ResourceView, RunOptions, RunResult } from "../../engine/index";
import { Exit, type ExitCode, ExitError } from "../output/exit-codes";
import { errorColours, note } from "../output/terminal";
import type { DeployableStack } from "./deployable-stack";
import { pulumiArguments } from "./pulumi-arguments";
import { OperationError, type PulumiCommand } from "./pulumi-command";
import { EventReader } from "./pulumi-events";
import { noticeAfterUp, type PendingCreates, pendingCreatesIn, refusalOfDestroy } from "./pulumi-pending-creates";
import { resourcesIn } from "./pulumi-state";

/** Where Pulumi Cloud shows the operation. */
const permalink = /^(?:View (?:in Browser|Live)|Permalink)[^:]*: (https?:\S+)/;

export interface PulumiStackOptions {
  /** As the CLI is to be told: with the organization where it has one. */
  fullName: string;
  name: string;
  project: string;
  programDirectory: string;
}

export class PulumiStack implements DeployableStack {
  readonly name: string;
  readonly project: string;
  readonly programDirectory: string;
  readonly engine = "Pulumi CLI";
  readonly verifiesDeletions = false;
  /** What the state is, until an operation changes it: to read it takes a process. */
  private exported: Promise<string> | undefined;
  private readonly plans = mkdtempSync(join(tmpdir(), "esign-plans-"));
  private readonly fullName: string;

  constructor(
    private readonly pulumi: PulumiCommand,
    { fullName, name, project, programDirectory }: PulumiStackOptions,
  ) {
    this.fullName = fullName;
    this.name = name;
    this.project = project;
    this.programDirectory = programDirectory;
  }

  async run(operation: Operation, options: RunOptions): Promise<RunResult> {
    const preview = operation === "preview" || options.preview === true;
    const plan = this.planArguments(preview, options);
    const run = new PulumiOperation(operation, preview, this, options);
    options.signal?.addEventListener("abort", run.cancelling);
    const error = await this.pulumi.run([...pulumiArguments(operation, preview, options), ...plan, ...this.selection], {
      env: options.env ?? {},
      onEvent: (event) => run.add(event),
      onLine: (line) => run.addLine(line),
      ...(options.signal && { signal: options.signal }),
    });
    options.signal?.removeEventListener("abort", run.cancelling);
    if (!preview) this.exported = undefined;
    const result = run.end(error);
    if (result.ok && options.onPlan !== undefined && plan.length > 0)
      options.onPlan(JSON.parse(readFileSync(plan[1]!, "utf8")) as DeploymentPlan);
    return result;
  }

  async resources({ showSecrets = false }: { showSecrets?: boolean } = {}): Promise<ResourceView[]> {
    return resourcesIn(await this.state(), showSecrets);
  }

  async setConfig(key: string, value: string): Promise<void> {
    await this.pulumi.output(["config", "set", key, "--plaintext", ...this.selection], value).catch(endAsItDid);
  }

  async assertReady(operation: Operation): Promise<void> {
    // A `destroy` would leave in the account what an interrupted run has created.
    const refusal = operation === "destroy" ? refusalOfDestroy(await this.pendingCreates()) : undefined;
    if (refusal === undefined) return;
    note(errorColours.red(refusal));
    throw new ExitError(Exit.failed);
  }

  async hint(operation: Operation): Promise<string | undefined> {
    return operation === "update" ? noticeAfterUp(await this.pendingCreates()) : undefined;
  }

  close(): void {
    this.pulumi.close();
    rmSync(this.plans, { recursive: true, force: true });
  }

  private get selection(): string[] {
    return ["--stack", this.fullName];
  }

  private state(): Promise<string> {
    this.exported ??= this.pulumi.output(["stack", "export", "--show-secrets", ...this.selection]);
    return this.exported.catch(endAsItDid);
  }

  private async pendingCreates(): Promise<PendingCreates> {
    return pendingCreatesIn(await this.state());
  }

  /** A plan is a file; its preview compares effects only, which the CLI does not know. */
  private planArguments(preview: boolean, { plan, onPlan }: RunOptions): string[] {
    const file = join(this.plans, "plan.json");
    if (preview) return onPlan === undefined ? [] : ["--save-plan", file];
    if (plan === undefined) return [];
    writeFileSync(file, JSON.stringify(plan), { mode: 0o600 });
    return ["--plan", file];
  }
}

/**
 * Shows the CLI's reason, and ends with its exit code.
 * @throws {ExitError}
 */
function endAsItDid(error: Error): never {
  if (!(error instanceof OperationError)) throw error;
  note(`${errorColours.red("error:")} ${error.message}`);
  throw new ExitError(error.exitCode as ExitCode);
}

/** One operation, from its first event to its end, which is known when the process has ended. */
class PulumiOperation {
  private readonly reader: EventReader;
  /** What the log has not said. */
  private result: RunResult;
  private isBegun = false;
  private hasErrors = false;
  private readonly inFlight = new Set<string>();

  constructor(
    operation: Operation,
    preview: boolean,
    { name: stack, project }: DeployableStack,
    private readonly options: RunOptions,
  ) {
    const { showSecrets = false } = options;
    this.reader = new EventReader({ operation, preview, project, stack, showSecrets });
    this.result = {
      ...{ operation, preview, ok: true, cancelled: false },
      ...{ changes: {}, durationMs: 0, outputs: {}, stateWrites: 0 },
    };
  }

  add(logged: Parameters<EventReader["read"]>[0]): void {
    for (const event of this.reader.read(logged)) {
      if (event.type === "end") this.result = event.result;
      else this.emit(event);
    }
  }

  addLine(line: string): void {
    const [, url] = permalink.exec(line.trim()) ?? [];
    if (url !== undefined)
      this.emit({ type: "diagnostic", severity: "info", source: "engine", message: `In Pulumi Cloud: ${url}` });
  }

  readonly cancelling = (): void => this.emit({ type: "cancelling", inFlight: this.inFlight.size });

  /** @throws {ExitError} if nothing was begun; the CLI's reason is shown */
  end(error: OperationError | undefined): RunResult {
    if (error !== undefined && !this.isBegun) endAsItDid(error);
    if (error !== undefined && !this.hasErrors)
      this.emit({ type: "diagnostic", severity: "error", source: "engine", message: error.message });
    const cancelled = error !== undefined && this.options.signal?.aborted === true;
    const ended = { ...this.result, cancelled, ok: this.result.ok && error === undefined };
    this.emit({ type: "end", result: ended });
    return ended;
  }

  private emit(event: EngineEvent): void {
    this.isBegun ||= event.type === "start";
    this.hasErrors ||= event.type === "diagnostic" && event.severity === "error";
    if (event.type === "step") {
      const key = `${event.step.op} ${event.step.urn}`;
      if (event.status === "started") this.inFlight.add(key);
      else this.inFlight.delete(key);
    }
    this.options.onEvent?.(event);
  }
}
