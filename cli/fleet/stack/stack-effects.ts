/** What an operation on one stack does to the account, counted as `esign up` counts it, on either engine. */
import { createColors } from "picocolors";
import type { EngineEvent, ResourceView, StepInfo } from "../../../engine/index";
import { nameOf } from "../../../engine/resource/urn";
import { EffectTracker } from "../../deploy/effect-tracker";
import { EffectsFile } from "../../deploy/effects-file";
import { expectDeletions } from "../../deploy/expect-deletions";
import { Diagnostics, textOf } from "../../display/diagnostics";
import { countVerbs } from "../../display/plan-rows";
import { type AccountSummary, type ShownStep, shownStep } from "../../display/shown-step";
import type { Changes } from "../run-fleet";

/** A state with its secrets and without them. */
export interface States {
  open: readonly ResourceView[];
  closed: readonly ResourceView[];
}

type StepEvent = Extract<EngineEvent, { type: "step" }>;

export class StackEffects {
  readonly #file = new EffectsFile();
  readonly #tracker = new EffectTracker(this.#file);
  #events: StepEvent[] = [];
  /** True once all that the providers say of a plan is there. */
  #isPlanned = false;

  /** What the engine needs in its environment. */
  get env(): Record<string, string> {
    return this.#file.environment();
  }

  /** Another run begins: only the last one counts. */
  begin(): void {
    [this.#events, this.#isPlanned] = [[], false];
    this.#tracker.begin();
  }

  add(event: StepEvent): void {
    if (event.status !== "started") this.#events.push(event);
  }

  /**
   * The plan is complete. Resolves to what the run after it will refuse, as errors are shown.
   * @param readState Without it only refusals are looked for, in steps that have their states
   */
  async plan(readState?: () => Promise<States>): Promise<string[]> {
    if (readState === undefined) return refusedDeletions(this.#events.map(({ step }) => step));
    this.#annotate();
    await expectDeletions(this.#tracker, async () => ({
      ...(await readState()),
      configuration: { get: () => undefined },
      environment: {},
      offline: true,
    }));
    this.#isPlanned = true;
    this.#annotate();
    const diagnostics = new Diagnostics(createColors(false), false);
    for (const refusal of this.#tracker.refusals) diagnostics.add(refusal);
    return diagnostics.messages().map(textOf);
  }

  /** Objects by what is done with them, or would be. */
  count(): { changes: Changes; account: AccountSummary } {
    const steps = this.#annotate();
    const same = steps.filter(({ verb, custom }) => verb === "same" && custom).length;
    return { changes: { ...(same > 0 && { same }), ...countVerbs(steps) }, account: this.#tracker.summary };
  }

  close(): void {
    this.#file.remove();
  }

  #annotate(): ShownStep[] {
    const annotated = this.#events.map((event) => this.#tracker.annotate(event) as StepEvent);
    // What has no effect by now is of a provider that is not asked.
    if (this.#isPlanned) this.#tracker.changedSteps();
    return annotated.filter(({ status }) => status !== "failed").map(({ step }) => shownStep(step));
  }
}

/**
 * Deletions that the provider would refuse, as errors are shown. An engine deletes a company's contents before it asks the provider about
 * the company, and the Pulumi CLI's preview does not ask: so the plan is read before it is applied.
 * @param planned the steps of a preview, with the resources before them
 */
export async function refusedDeletions(planned: readonly StepInfo[]): Promise<string[]> {
  const [{ definitionOfType }, { refusalOf }] = await Promise.all([
    import("../../../provider/resources/index.js"),
    import("../../../provider/plan/deletion-effect.js"),
  ]);
  return planned.flatMap(({ op, type, urn, retained, states }) => {
    const definition = definitionOfType(type);
    if (!/^delete/.test(op) || states?.old === undefined || retained || definition === undefined) return [];
    const refusal = refusalOf(definition, states.old.outputs);
    return refusal === undefined ? [] : [`${definition.kind} "${nameOf(urn)}": ${refusal}`];
  });
}
