/** The display of one of several deployments: nothing is printed; it has what is done in the stack, to be summed up. */
import { createColors } from "picocolors";
import { Diagnostics, textOf } from "../../display/diagnostics";
import type { Display } from "../../display/display";
import { countVerbs } from "../../display/plan-rows";
import { type DisplayEvent, shownStep } from "../../display/shown-step";
import type { ObjectCounts } from "../run-fleet";

type StepEvent = Extract<DisplayEvent, { type: "step" }>;

/** What a stack waits for; undefined when something else happens. */
export type OnWait = (message: string | undefined) => void;

export class StackDisplay implements Display {
  /** By operation and resource: of a step whose effect is known later, there are several events. */
  readonly #steps = new Map<string, StepEvent>();
  readonly #diagnostics = new Diagnostics(createColors(false), false);
  #isPreview = true;

  readonly #onWait: OnWait;

  constructor(onWait: OnWait) {
    this.#onWait = onWait;
  }

  begin(_: unknown, preview: boolean): void {
    // What a second run does is done besides.
    if (preview || this.#isPreview) this.#steps.clear();
    this.#isPreview = preview;
  }

  event(event: DisplayEvent): void {
    this.#onWait(event.type === "diagnostic" && event.ephemeral ? event.message : undefined);
    if (event.type === "step" && event.status !== "started")
      this.#steps.set(`${event.step.op} ${event.step.urn}`, event);
    if (event.type === "diagnostic" && event.severity === "error") this.#diagnostics.add(event);
  }

  details(): void {}
  close(): void {}

  /** Objects by what is done with them, or would be. */
  get objects(): ObjectCounts {
    const steps = [...this.#steps.values()].flatMap(({ status, step }) =>
      status === "failed" ? [] : [shownStep(step)],
    );
    const same = steps.filter(({ verb, custom }) => verb === "same" && custom).length;
    return { ...(same > 0 && { same }), ...countVerbs(steps) };
  }

  /** What went wrong; empty where nothing was reported. */
  get errors(): string {
    return this.#diagnostics.messages().map(textOf).join("\n").trim();
  }
}
