/**
 * Follows a preview and the run after it for the display: each event of the engine with the effect of its step, as far as the provider has
 * reported it by then; afterwards the steps whose effect a later record has changed, what the run will refuse, and the totals.
 */

import { kindNameOf } from "../../definitions/kind";
import { isDeletion } from "../../engine/events";
import type { EngineEvent, StepInfo } from "../../engine/index";
import { isNone } from "../../provider/core/amount";
import { isSecretField } from "../../provider/core/resource-definition";
import type { DeletingStep } from "../../provider/plan/deleting-steps";
import { describeRefusal } from "../../provider/plan/describe-effects";
import { type Effect, type EffectRecord, sumWrites } from "../../provider/plan/effect";
import { isShown, keyOf, StepEffects } from "../../provider/plan/step-effects";
import type { RequestRecord } from "../../provider/reporting/request-counts";
import type { AccountSummary, DisplayEvent, StepWithEffect } from "../display/shown-step";
import type { PlannedEffect } from "./plan-file";
import { RunRequests } from "./run-requests";

type StepEvent = Extract<EngineEvent, { type: "step" }>;
type DiagnosticEvent = Extract<EngineEvent, { type: "diagnostic" }>;

interface EffectSource {
  /** The records that were added since the last call. */
  read(): EffectRecord[];
  /** What the provider has counted in all runs up to now. */
  readRequests?(): RequestRecord[];
}

/** Serves a preview and the run after it. */
export class EffectTracker {
  readonly #requests: RunRequests;
  #effects = new StepEffects<StepInfo>();
  /** True once every provider that is asked has reported. */
  #haveAllReported = false;
  /** Steps as a display has got them last. */
  #announced = new Map<string, string>();

  readonly #source: EffectSource;
  readonly #options: {
    secretsOf?: (urn: string) => readonly string[];
    offline?: boolean;
  };

  /**
   * @param source where the provider reports
   * @param secretsOf names of the outputs that the state has as secrets, by URN
   */
  constructor(
    source: EffectSource,
    options: {
      secretsOf?: (urn: string) => readonly string[];
      offline?: boolean;
    } = {},
  ) {
    this.#source = source;
    this.#options = options;
    this.#requests = new RunRequests(() => source.readRequests?.() ?? []);
  }

  /** Another run begins. */
  begin(): void {
    this.#requests.begin();
    this.#effects = new StepEffects(this.#effects.expectations);
    this.#haveAllReported = false;
    this.#announced = new Map();
  }

  /** The event for a display. */
  annotate(event: EngineEvent): DisplayEvent {
    if (event.type === "step") return { ...event, step: this.#annotateStep(event) };
    if (event.type !== "end" || !this.#effects.hasObjects) return event;
    const requests = this.requestCounts;
    return {
      ...event,
      ...(Object.keys(requests).length > 0 && { requests }),
      result: { ...event.result, ok: event.result.ok && !(event.result.preview && this.isRefused) },
      account: this.summary,
    };
  }

  /** What the deletion of a resource does, which the provider does not report in a preview. */
  expectDeletion(deletion: StepInfo, effect: Effect): void {
    this.#effects.add({ deletion, effect });
  }

  /** After a plan, the steps whose effect is another than was known when they were announced. */
  changedSteps(): (StepEvent & { step: StepWithEffect })[] {
    this.#readRecords();
    this.#haveAllReported = true;
    return this.#shownSteps.flatMap(({ urn, op, shown }) => {
      const [key, now] = [keyOf({ urn, op }), JSON.stringify(shown)];
      if (this.#announced.get(key) === now) return [];
      this.#announced.set(key, now);
      return [{ type: "step" as const, status: "planned" as const, step: shown }];
    });
  }

  /** True when the run after this plan will refuse something. */
  get isRefused(): boolean {
    return this.refusals.length > 0;
  }

  /** What the run after this plan will refuse, as the errors that it will report. */
  get refusals(): DiagnosticEvent[] {
    return this.#shownSteps.flatMap(({ urn, shown }): DiagnosticEvent[] => {
      const message = describeRefusal(shown);
      if (message === undefined) return [];
      return [{ type: "diagnostic", severity: "error", source: "engine", urn, message }];
    });
  }

  /** The planned deletions. */
  get deletions(): StepWithEffect[] {
    return this.#shownSteps.flatMap(({ op, shown }) => (isDeletion(op) ? [shown] : []));
  }

  /** By subaccount; `""` is the configured account. */
  get requestCounts(): RequestRecord {
    return this.#requests.counts;
  }

  /** The URNs of the objects that were written, by kind and id. */
  get writtenUrns(): Record<string, string> {
    const written = this.#shownSteps.filter(({ shown: { writes } }) => !isNone(writes ?? 0));
    return Object.fromEntries(
      written.flatMap(({ type, urn, shown: { id } }) => (id ? [[`${kindNameOf(type)} ${id}`, urn]] : [])),
    );
  }

  /** What each step of the plan does to the account, without values. */
  get planned(): PlannedEffect[] {
    return this.#shownSteps.flatMap(({ urn, op, shown: { id, effect, fields } }): PlannedEffect[] => {
      const names = fields?.map(({ field }) => field);
      if (effect === undefined) return [];
      return [{ urn, op, effect, ...(id !== undefined && { id }), ...(names?.length && { fields: names }) }];
    });
  }

  get summary(): AccountSummary {
    const effects: AccountSummary["effects"] = {};
    const shown = this.#shownSteps.map((step) => step.shown);
    for (const { effect } of shown) if (effect !== undefined) effects[effect] = (effects[effect] ?? 0) + 1;
    return { effects, ...sumWrites(shown), ...(this.#options.offline && { offline: true }) };
  }

  /** The adoption of the object of a deletion by another resource of the plan, before that; undefined if there is none. */
  adoptionOf(deletion: DeletingStep, isSameAccount: (account: string | undefined) => boolean): Effect | undefined {
    return this.#effects.adoptionOf(deletion, isSameAccount);
  }

  /** True if objects have passed to resources whose next update records what the former ones knew. */
  get needsUpdate(): boolean {
    this.#readRecords();
    return this.#effects.needsUpdate;
  }

  /** True if the plan has read the account as a refresh does. */
  get hasRefreshed(): boolean {
    return this.#effects.hasRefreshed;
  }

  get #shownSteps(): (Pick<StepInfo, "urn" | "op" | "type"> & { shown: StepWithEffect })[] {
    return this.#effects
      .steps(this.#haveAllReported)
      .map(({ step, effect }) => ({ urn: step.urn, op: step.op, type: step.type, shown: this.#shown(step, effect) }));
  }

  #annotateStep({ step, status }: StepEvent): StepWithEffect {
    if (kindNameOf(step.type) === undefined || !step.custom) return step;
    this.#readRecords();
    this.#effects.add({ step, status });
    const effect = this.#effects.effectOf(step, status, this.#haveAllReported);
    if (!isShown(step, effect)) return step;
    const shown = this.#shown(step, effect);
    this.#announced.set(keyOf(step), JSON.stringify(shown));
    return shown;
  }

  #readRecords(): void {
    for (const record of this.#source.read()) this.#effects.add({ record });
  }

  /** Without the values that the state has as secrets: the provider knows only which arguments are. */
  #shown(step: StepInfo, effect: Effect | undefined): StepWithEffect {
    if (effect === undefined) return step;
    const { kind: _, done: __, account: ___, urn: ____, declares: _____, id, fields, ...rest } = effect as EffectRecord;
    const secrets = this.#options.secretsOf?.(step.urn) ?? [];
    const values = fields?.map(({ field, ...each }) =>
      isSecretField(secrets, field) ? { field, secret: true } : { field, ...each },
    );
    return {
      ...{ ...step, ...rest },
      ...(id !== undefined && step.id === undefined && { id }),
      ...(values && { fields: values }),
    };
  }
}
