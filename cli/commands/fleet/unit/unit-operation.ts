/** One operation on one stack: what it runs, and what the event logs of that say. */
import { createColors } from "picocolors";
import type { EngineEvent } from "../../../../engine/index";
import { Diagnostics } from "../../../display/diagnostics";
import { hasChanges } from "../../../display/steps";
import { OperationError, type PulumiCommand } from "../../../engine/pulumi-command";
import { EventReader } from "../../../engine/pulumi-events";
import type { Changes, Outcome } from "../run-fleet";
import { UnitEffects } from "./unit-effects";

/** What a stack waits for; undefined when something else happens. */
export type OnWait = (message: string | undefined) => void;
export type Result = Pick<Outcome, "changes" | "account" | "isStateChanged">;

export class UnitOperation {
  private readonly effects = new UnitEffects();
  private readonly diagnostics = new Diagnostics(createColors(false), false);
  private changes: Changes = {};

  constructor(
    private readonly command: PulumiCommand,
    private readonly stack: string,
    private readonly message: string | undefined,
    private readonly onWait: OnWait,
  ) {}

  async up(): Promise<void> {
    await this.run(["up", "--yes", "--skip-preview"], false);
  }

  async preview(): Promise<void> {
    await this.plan(["preview"], () =>
      this.command.output(["stack", "export", "--show-secrets", "--stack", this.stack]),
    );
  }

  /** What is destroyed is counted when it is done: the state of each stack would take another process. */
  async destroy(): Promise<void> {
    await this.plan(["destroy", "--preview-only"]);
    await this.run(["destroy", "--yes", "--skip-preview"], false);
  }

  async refresh(): Promise<void> {
    await this.run(["refresh", "--skip-preview", "--yes"], false);
  }

  async drift(): Promise<void> {
    await this.run(["refresh", "--preview-only"], false);
  }

  /** What a `refresh` has found in the account. */
  get found(): Result {
    return { changes: this.changes };
  }

  /** What was done to the account, or would be. */
  get done(): Result {
    return { ...this.effects.count(), isStateChanged: hasChanges(this.changes) };
  }

  close(): void {
    this.effects.close();
  }

  private async plan(args: readonly string[], exportState?: () => Promise<string>): Promise<void> {
    await this.run(args, true);
    const refusals = await this.effects.plan(exportState);
    if (refusals.length > 0) throw new OperationError(refusals.join("\n"), false);
  }

  private async run(args: readonly string[], isPreview: boolean): Promise<void> {
    this.effects.begin();
    const message = this.message ? ["--message", this.message] : [];
    const reader = new EventReader({ operation: "update", preview: isPreview, project: "", stack: this.stack });
    // The history says that a program has run it, in the Automation API's word.
    const all = [...args, ...message, "--stack", this.stack, "--exec-kind", "auto.local"];
    const error = await this.command.run(all, {
      env: this.effects.env,
      onEvent: (logged) => {
        if (logged.resourcePreEvent) this.effects.addPlanned(logged.resourcePreEvent.metadata);
        for (const event of reader.read(logged)) this.add(event);
      },
    });
    if (error === undefined) return;
    const lines = this.diagnostics.lines().map((line) => line.replace(/^error: /, ""));
    throw new OperationError(lines.join("\n").trim() || error.message, error.isLocked);
  }

  private add(event: EngineEvent): void {
    this.onWait(event.type === "diagnostic" && event.ephemeral ? event.message : undefined);
    if (event.type === "step") this.effects.add(event);
    if (event.type === "end") this.changes = event.result.changes;
    if (event.type === "diagnostic" && event.severity === "error") this.diagnostics.add(event);
  }
}
