/** What an operation on one stack does to the account, counted as `esign up` counts it, on either engine. */
import type { EngineEvent as LoggedEvent } from "@pulumi/pulumi/automation";
import { createColors } from "picocolors";
import type { EngineEvent, StepInfo } from "../../../engine/index";
import { Diagnostics } from "../../display/diagnostics";
import { countVerbs } from "../../display/plan";
import { type AccountSummary, type ShownStep, shownStep } from "../../display/steps";
import { deletionEffects } from "../deploy/deletion-effects";
import { EffectTracker } from "../deploy/effect-tracker";
import { EffectsFile } from "../deploy/effects-file";
import { resourcesOf, stepsIn } from "../deploy/pulumi-events";
import type { Changes } from "./run-fleet";

type StepEvent = Extract<EngineEvent, { type: "step" }>;

export class UnitEffects {
  private readonly file = new EffectsFile();
  private readonly tracker = new EffectTracker(this.file);
  private events: StepEvent[] = [];
  private isPreview = false;

  /** What the engine needs in its environment. */
  get env(): Record<string, string> {
    return this.file.env;
  }

  /** Another run begins: only the last one counts. */
  begin(isPreview: boolean): void {
    this.isPreview = isPreview;
    this.events = [];
    this.tracker.begin();
  }

  add(event: LoggedEvent): void {
    this.events.push(...stepsIn(event, this.isPreview));
  }

  /**
   * The plan is complete. Resolves to what the run after it will refuse, as errors are shown.
   * @param exportState prints the state with its secrets
   */
  async plan(exportState: () => Promise<string>): Promise<string[]> {
    this.annotate();
    const { deletions } = this.tracker;
    if (deletions.length > 0) await this.expectDeletions(deletions, exportState);
    this.annotate();
    const diagnostics = new Diagnostics(createColors(false), false);
    for (const refusal of this.tracker.refusals) diagnostics.add(refusal);
    return diagnostics.lines().map((line) => line.replace(/^error: /, ""));
  }

  private async expectDeletions(deletions: readonly StepInfo[], exportState: () => Promise<string>): Promise<void> {
    const effects = await deletionEffects(deletions, {
      ...resourcesOf(await exportState()),
      configuration: { get: () => undefined },
      environment: {},
      offline: true,
      isAdoptedByOther: (...args) => this.tracker.isAdoptedByOther(...args),
    });
    for (const [step, effect] of effects) this.tracker.expectDeletion(step, effect);
  }

  /** Objects by what is done with them, or would be. */
  count(): { changes: Changes; account: AccountSummary } {
    const steps = this.annotate();
    const same = steps.filter(({ verb, custom }) => verb === "same" && custom).length;
    return { changes: { ...(same > 0 && { same }), ...countVerbs(steps) }, account: this.tracker.summary };
  }

  close(): void {
    this.file.remove();
  }

  private annotate(): ShownStep[] {
    const annotated = this.events.map((event) => this.tracker.annotate(event) as StepEvent);
    return annotated.filter(({ status }) => status !== "failed").map(({ step }) => shownStep(step));
  }
}
