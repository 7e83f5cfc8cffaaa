/** Adds to the engine's steps what they do to the account, from the records of the provider's hooks. */
import { kindNameOf } from "../../../account-folder/kinds/config-kind";
import type { EngineEvent, StepInfo } from "../../../engine/index";
import { isNone } from "../../../provider/core/amount";
import { isSecretField } from "../../../provider/core/resource-definition";
import { type RequestCounts, type RequestRecord, sumCounts } from "../../../provider/effects/request-counts";
import type { DeletingStep } from "../../../provider/plan/deletions";
import {
  type Effect,
  type EffectRecord,
  isAdopted,
  providerKind,
  sumWrites,
  unasked,
} from "../../../provider/plan/effect";
import type { AccountSummary, DisplayEvent, StepWithEffect } from "../../display/steps";
import type { PlannedEffect } from "./plan-file";

type StepEvent = Extract<EngineEvent, { type: "step" }>;
type DiagnosticEvent = Extract<EngineEvent, { type: "diagnostic" }>;

/** Operations that may change the account. */
const writing: ReadonlySet<string> = new Set(["create", "create-replacement", "update", "delete", "delete-replaced"]);

const keyOf = ({ urn, op }: { urn: string; op: string }): string => `${op} ${urn}`;

/** By what a record and a step are the same: the best first. */
const keysOf = ({ kind, urn, id }: Pick<EffectRecord, "kind" | "urn" | "id">): string[] => [
  ...(urn === undefined ? [] : [urn]),
  ...(id === undefined ? [] : [`${kind} id ${id}`]),
];

const recreation: Effect = { effect: "create", writes: 1, detail: "deleted, then created again" };

export interface EffectSource {
  /** The records that were added since the last call. */
  read(): EffectRecord[];
  /** What the provider's processes have counted in all runs up to now. */
  readRequests?(): RequestRecord[];
}

/** Serves a preview and the run after it. */
export class EffectTracker {
  /** The newest records, by each of their keys. */
  private readonly planned = new Map<string, EffectRecord>();
  /** By kind and id, what was done, in that order: a new name adopts what the old one then releases. */
  private readonly done = new Map<string, EffectRecord[]>();
  private hasTransferred = false;
  /** True once there is a provider that is asked nothing: what has no record is its. */
  private hasUnasked = false;
  /** What the preview found, by operation and URN: the run after it begins with this. */
  private expected = new Map<string, Effect>();
  /** Processes of the runs before this one. */
  private earlierProcesses = new Set<number>();
  private steps = new Map<string, { step: StepInfo; shown: StepWithEffect }>();
  /** What is planned, and nothing more up to now. */
  private onlyPlanned = new Set<string>();
  /** True once the plan has read the account as a refresh does. */
  hasRefreshed = false;
  /** True once there is a resource of an account. */
  private hasObjects = false;

  /**
   * @param source where the hooks report
   * @param secretsOf names of the outputs that the state has as secrets, by URN
   */
  constructor(
    private readonly source: EffectSource,
    private readonly options: {
      secretsOf?: (urn: string) => readonly string[];
      offline?: boolean;
    } = {},
  ) {}

  /** Another run begins. */
  begin(): void {
    this.earlierProcesses = new Set(this.source.readRequests?.().map(({ process }) => process));
    this.steps = new Map();
    this.onlyPlanned = new Set();
    this.hasObjects = false;
    this.hasRefreshed = false;
  }

  /** The event for a display. */
  annotate(event: EngineEvent): DisplayEvent {
    if (event.type === "step") return { ...event, step: this.annotateStep(event) };
    if (event.type !== "end" || !this.hasObjects) return event;
    const requests = this.requestCounts;
    return {
      ...event,
      ...(Object.keys(requests).length > 0 && { requests }),
      result: { ...event.result, ok: event.result.ok && !(event.result.preview && this.isRefused) },
      account: this.summary,
    };
  }

  /** What the deletion of a resource does, which no hook reports in a preview. */
  expectDeletion(step: StepInfo, effect: Effect): void {
    this.expected.set(keyOf(step), effect);
  }

  /** After a plan, the steps whose effect is another than was known when they were announced. */
  changedSteps(): (StepEvent & { step: StepWithEffect })[] {
    return [...this.steps.values()].flatMap(({ step, shown }) => {
      const event = { type: "step" as const, status: "planned" as const, step };
      const now = this.annotateStep(event, true);
      return JSON.stringify(now) === JSON.stringify(shown) ? [] : [{ ...event, step: now }];
    });
  }

  /** True when the run after this plan will refuse something. */
  get isRefused(): boolean {
    return this.refusals.length > 0;
  }

  /** What the run after this plan will refuse, as the errors that it will report. */
  get refusals(): DiagnosticEvent[] {
    return [...this.steps.values()].flatMap(({ step: { urn }, shown }): DiagnosticEvent[] => {
      const { effect, detail, fields = [] } = shown;
      if (effect !== "blocked" && effect !== "conflict") return [];
      const isConflict = effect === "conflict" && fields.length > 0;
      const changed = `it was changed outside Pulumi: ${fields.map(({ field }) => field).join(", ")}`;
      const message = isConflict ? changed : (detail ?? "it is refused");
      return [{ type: "diagnostic", severity: "error", source: "engine", urn, message }];
    });
  }

  /** The planned deletions. */
  get deletions(): StepWithEffect[] {
    return [...this.steps.values()].flatMap(({ shown }) => (shown.op.startsWith("delete") ? [shown] : []));
  }

  /** By subaccount; `""` is the configured account. */
  get requestCounts(): Record<string, RequestCounts> {
    const records = (this.source.readRequests?.() ?? []).filter(({ process }) => !this.earlierProcesses.has(process));
    return sumCounts(new Map(records.map((record) => [record.process, record])).values());
  }

  /** The URNs of the objects that were written, by kind and id. */
  get writtenUrns(): Record<string, string> {
    const written = [...this.steps.values()].filter(({ shown: { writes } }) => !isNone(writes ?? 0));
    return Object.fromEntries(
      written.flatMap(({ step: { type, urn }, shown: { id } }) => (id ? [[`${kindNameOf(type)} ${id}`, urn]] : [])),
    );
  }

  /** What each step of the plan does to the account, without values. */
  get effects(): PlannedEffect[] {
    return [...this.steps.values()].flatMap(({ step: { urn, op, id }, shown }): PlannedEffect[] => {
      const { effect, fields } = shown;
      const object = shown.id ?? id;
      const names = fields?.map(({ field }) => field);
      if (effect === undefined) return [];
      return [
        { urn, op, effect, ...(object !== undefined && { id: object }), ...(names?.length && { fields: names }) },
      ];
    });
  }

  get summary(): AccountSummary {
    const effects: AccountSummary["effects"] = {};
    const shown = [...this.steps.values()].map((step) => step.shown);
    for (const { effect } of shown) if (effect !== undefined) effects[effect] = (effects[effect] ?? 0) + 1;
    return { effects, ...sumWrites(shown), ...(this.options.offline && { offline: true }) };
  }

  /** `isComplete`: every provider that is asked has reported. */
  private annotateStep({ step, status }: StepEvent, isComplete = false): StepWithEffect {
    const kind = kindNameOf(step.type);
    if (kind === undefined || !step.custom) return step;
    this.hasObjects = true;
    this.hasRefreshed ||= step.op === "refresh";
    this.readRecords();
    const effect = this.effectOf(step, status);
    const isRefused = effect?.effect === "blocked" || effect?.effect === "conflict";
    if (!writing.has(step.op) && !isRefused) return step;
    const isUnasked = isComplete && status === "planned" && this.hasUnasked && !step.op.startsWith("delete");
    const shownEffect = effect ?? (isUnasked ? unasked : undefined);
    const shown = shownEffect === undefined ? step : { ...step, ...this.printable(step, shownEffect) };
    if (status === "planned" && effect !== undefined) this.expected.set(keyOf(step), effect);
    const key = keyOf(step);
    // What fails in a plan, such as to delete something protected, writes nothing.
    if (status === "failed" && this.onlyPlanned.has(key)) this.steps.delete(key);
    // What a failed operation has written is not known.
    else if (status !== "started") this.steps.set(key, { step, shown: status === "failed" ? step : shown });
    if (status === "planned") this.onlyPlanned.add(key);
    else this.onlyPlanned.delete(key);
    return shown;
  }

  /** True if another resource of the plan adopts, before a deletion, the object that it is about. */
  isAdoptedByOther(deletion: DeletingStep, isSameAccount: (account: string | undefined) => boolean): boolean {
    const steps = [...this.steps.values()];
    // Without a replacement, what the program declares no more is deleted at the end.
    const place =
      deletion.op === "delete" ? steps.length : steps.findIndex(({ step }) => keyOf(step) === keyOf(deletion));
    return steps.slice(0, place).some(({ step, shown }) => {
      if (step.type !== deletion.type || !isAdopted(shown as Effect)) return false;
      return (step.id ?? shown.id) === deletion.id && isSameAccount(this.recordOf(step)?.account);
    });
  }

  private effectOf(step: StepInfo, status: StepEvent["status"]): Effect | undefined {
    const expected = this.expected.get(keyOf(step));
    if (step.retained && status === "planned") return { effect: "release", writes: 0, detail: "retainOnDelete" };
    const hasEnded = status === "done" || status === "failed";
    const record = hasEnded && writing.has(step.op) ? this.takeDone(step) : undefined;
    if (status === "done") return record ?? this.ofDeletion(step, expected);
    // Of a replacement's parts, the record is about the create.
    if (status !== "planned" || step.op.startsWith("delete") || step.op === "replace") return expected;
    const planned = this.recordOf(step);
    return (planned && this.isDeletedFirst(step, planned) ? recreation : planned) ?? expected;
  }

  /** What was done is of the resource with the URN. Deletions of the dynamic form have none: they are of the first one with the id. */
  private takeDone({ type, id, urn }: StepInfo): EffectRecord | undefined {
    const records = this.done.get(`${kindNameOf(type)} ${id}`) ?? [];
    const at = records.findIndex((record) => record.urn === undefined || record.urn === urn);
    return at < 0 ? undefined : records.splice(at, 1)[0];
  }

  /** True for an object that a replacement deletes before it creates: the hooks see it in the account, and would adopt it. */
  private isDeletedFirst({ op, urn }: StepInfo, { id }: EffectRecord): boolean {
    if (op !== "create-replacement") return false;
    const [first] = [...this.steps.values()].filter(({ step }) => step.urn === urn && step.op !== "replace");
    return first?.step.op === "delete-replaced" && first.shown.effect === "delete" && first.step.id === id;
  }

  /** A deletion without a report of its hook: none was called. */
  private ofDeletion({ op, retained }: StepInfo, expected: Effect | undefined): Effect | undefined {
    if (retained) return { effect: "release", writes: 0, detail: "retainOnDelete" };
    if (!op.startsWith("delete")) return undefined;
    return expected?.writes === 0 ? expected : { effect: "delete", writes: 0, detail: "with its company" };
  }

  /** True if objects have passed to resources whose next update records what the former ones knew. */
  get needsUpdate(): boolean {
    this.readRecords();
    return this.hasTransferred;
  }

  private recordOf({ type, ...step }: StepInfo): EffectRecord | undefined {
    const keys = keysOf({ ...step, kind: kindNameOf(type) ?? "" });
    return keys.map((key) => this.planned.get(key)).find((record) => record !== undefined);
  }

  private readRecords(): void {
    for (const record of this.source.read()) {
      if (record.done) {
        const key = `${record.kind} ${record.id}`;
        this.done.set(key, [...(this.done.get(key) ?? []), record]);
        this.hasTransferred ||= record.needsUpdate === true;
      } else {
        this.hasUnasked ||= record.kind === providerKind;
        // What has a URN is found by nothing else: two accounts may have the same id, two components the same name.
        for (const key of record.urn === undefined ? keysOf(record) : [record.urn]) this.planned.set(key, record);
      }
    }
  }

  /** Without the values that the state has as secrets: the hooks know only which arguments are. */
  private printable(step: StepInfo, effect: Effect): Partial<StepWithEffect> {
    const { kind: _, done: __, account: ___, urn: ____, id, fields, ...rest } = effect as EffectRecord;
    const secrets = this.options.secretsOf?.(step.urn) ?? [];
    const shown = fields?.map(({ field, ...values }) =>
      isSecretField(secrets, field) ? { field } : { field, ...values },
    );
    return { ...rest, ...(id !== undefined && step.id === undefined && { id }), ...(shown && { fields: shown }) };
  }
}
