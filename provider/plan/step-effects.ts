/**
 * Decides which record of the provider belongs to which step of the engine: by URN, else by object. Steps and records arrive separately; the
 * result depends on the order of the steps and on the order of the records, never on how the two interleave.
 */

import { addTo } from "../../definitions/group-by";
import { kindNameOf } from "../../definitions/kind";
import { isDeletion } from "../../engine/events";
import type { DeletingStep } from "./deleting-steps";
import {
  afterRestore,
  deletedWithCompany,
  type Effect,
  type EffectRecord,
  isAdopted,
  providerKind,
  retained,
  unevaluated,
} from "./effect";

type StepStatus = "planned" | "started" | "done" | "failed";

/** A step as either engine reports it. */
export interface EngineStep extends DeletingStep {
  custom: boolean;
}

export type Entry<S extends EngineStep> =
  | { step: S; status: StepStatus }
  | { record: EffectRecord }
  /** What the deletion of a resource does, which the provider does not report in a preview. */
  | { deletion: DeletingStep; effect: Effect };

/** A step, with its effect as far as it is known. */
interface StepEffect<S> {
  step: S;
  effect: Effect | undefined;
}

interface Progress<S> {
  step: S;
  status: "planned" | "done" | "failed";
  /** True while nothing more has happened. */
  isOnlyPlanned: boolean;
}

/** Operations that may change the account. */
const writing: ReadonlySet<string> = new Set(["create", "create-replacement", "update", "delete", "delete-replaced"]);
/** What only deletions do. An update restores, too. */
const deleting: ReadonlySet<string> = new Set(["delete", "release"]);

export const keyOf = ({ urn, op }: Pick<DeletingStep, "urn" | "op">): string => `${op} ${urn}`;
const objectOf = (kind: string | undefined, id: string | undefined) => `${kind} id ${id}`;
/** Adds a value to a list, once. */
function addOnce<T>(lists: Map<string, T[]>, key: string, value: T): void {
  if (lists.get(key)?.includes(value) !== true) addTo(lists, key, value);
}

const recreation: Effect = { effect: "create", writes: 1, detail: "deleted, then created again" };

const rewrite: Effect = { effect: "adopt-and-update", writes: 1, detail: afterRestore };

export class StepEffects<S extends EngineStep> {
  readonly #steps = new Map<string, Progress<S>>();
  /** By URN, the keys of its steps. */
  readonly #parts = new Map<string, string[]>();
  /** By object, the keys of the steps that have ended. */
  readonly #ended = new Map<string, string[]>();
  /** The newest records of plans: by URN, or by object where they have none. */
  readonly #planned = new Map<string, EffectRecord>();
  /** By object, what was done. */
  readonly #done = new Map<string, EffectRecord[]>();
  readonly #deletions = new Map<string, Effect>();
  #needsUpdate = false;
  #hasUnevaluated = false;
  /** Until there is another entry. */
  #results = new Map<boolean, readonly StepEffect<S>[]>();

  /** `expected`: what the plan before has found, by step. */
  constructor(
    readonly expected: ReadonlyMap<string, Effect> = new Map(),
    entries: readonly Entry<S>[] = [],
  ) {
    for (const entry of entries) this.add(entry);
  }

  add(entry: Entry<S>): void {
    this.#results = new Map();
    if ("record" in entry) this.#addRecord(entry.record);
    else if ("deletion" in entry) this.#deletions.set(keyOf(entry.deletion), entry.effect);
    else if (kindNameOf(entry.step.type) !== undefined && entry.step.custom) this.#addStep(entry.step, entry.status);
  }

  /** The steps that change the account, or that the run refuses. Of one that has failed, the effect is not known. */
  steps(haveAllReported = false): readonly StepEffect<S>[] {
    const results =
      this.#results.get(haveAllReported) ??
      [...this.#steps.values()].flatMap(({ step, status }) => {
        const effect = this.effectOf(step, status, haveAllReported);
        return isShown(step, effect) ? [{ step, effect: status === "failed" ? undefined : effect }] : [];
      });
    this.#results.set(haveAllReported, results);
    return results;
  }

  /** True once there is a resource of an account. */
  get hasObjects(): boolean {
    return this.#parts.size > 0;
  }

  /** True once an object was read as a refresh does. */
  get hasRefreshed(): boolean {
    return [...this.#steps.values()].some(({ step }) => step.op === "refresh");
  }

  /** True if objects have passed to resources whose next update records what the former ones knew. */
  get needsUpdate(): boolean {
    return this.#needsUpdate;
  }

  /** By step, for the run after this plan. */
  get expectations(): Map<string, Effect> {
    const planned = [...this.#steps].flatMap(([key, { step }]): [string, Effect][] => {
      const effect = this.#plannedEffect(step);
      return effect === undefined ? [] : [[key, effect]];
    });
    return new Map([...this.expected, ...planned, ...this.#deletions]);
  }

  /** `haveAllReported`: every provider that is asked has reported. */
  effectOf(step: S, status: StepStatus, haveAllReported = false): Effect | undefined {
    if (status === "done") return this.#doneRecord(step) ?? this.#unreported(step);
    if (status !== "planned") return this.#plannedEffect(step);
    const effect = this.#plannedEffect(step);
    const isUnevaluated = haveAllReported && this.#hasUnevaluated && writing.has(step.op) && !isDeletion(step.op);
    return effect ?? (isUnevaluated ? unevaluated : undefined);
  }

  /** The adoption of the object of a deletion by another resource of the plan, before that; undefined if there is none. */
  adoptionOf(deletion: DeletingStep, isSameAccount: (account: string | undefined) => boolean): Effect | undefined {
    const steps = this.steps();
    // Without a replacement, what the program declares no more is deleted at the end.
    const place =
      deletion.op === "delete" ? steps.length : steps.findIndex(({ step }) => keyOf(step) === keyOf(deletion));
    return steps.slice(0, place).find(({ step, effect }) => {
      if (step.type !== deletion.type || effect === undefined || !isAdopted(effect)) return false;
      return (step.id ?? effect.id) === deletion.id && isSameAccount(this.#recordOf(step)?.account);
    })?.effect;
  }

  #addRecord(record: EffectRecord): void {
    const object = objectOf(record.kind, record.id);
    this.#needsUpdate ||= record.needsUpdate === true;
    this.#hasUnevaluated ||= record.kind === providerKind;
    if (record.done) addOnce(this.#done, object, record);
    // What has a URN is found by nothing else: two accounts may have the same id, two components the same name.
    else this.#planned.set(record.urn ?? object, record);
  }

  #addStep(step: S, status: StepStatus): void {
    const key = keyOf(step);
    const before = this.#steps.get(key);
    addOnce(this.#parts, step.urn, key);
    if (status === "started") {
      if (before !== undefined) before.isOnlyPlanned = false;
      return;
    }
    if (status !== "planned") addOnce(this.#ended, objectOf(kindNameOf(step.type), step.id), key);
    // What fails in a plan, such as to delete something protected, writes nothing.
    if (status === "failed" && before?.isOnlyPlanned) this.#steps.delete(key);
    else this.#steps.set(key, { step, status, isOnlyPlanned: status === "planned" });
  }

  /** What the plan says of it: this one, or the one before. */
  #plannedEffect(step: S): Effect | undefined {
    const key = keyOf(step);
    if (step.retained) return retained;
    const expected = this.#deletions.get(key) ?? this.expected.get(key);
    // Of a replacement's parts, the record is about the create.
    if (isDeletion(step.op) || step.op === "replace") return expected;
    const record = this.#recordOf(step);
    return (record && this.#afterDeletion(step, record)) ?? expected;
  }

  #recordOf({ type, urn, id }: S): EffectRecord | undefined {
    return this.#planned.get(urn) ?? (id === undefined ? undefined : this.#planned.get(objectOf(kindNameOf(type), id)));
  }

  /** Of an object that a replacement deletes or restores before it creates: the provider has seen it in the account, as it was then. */
  #afterDeletion({ op, urn }: S, record: EffectRecord): Effect {
    if (op !== "create-replacement") return record;
    const parts = (this.#parts.get(urn) ?? []).flatMap((key) => this.#steps.get(key)?.step ?? []);
    const first = parts.find((step) => step.op !== "replace");
    if (first?.op !== "delete-replaced" || first.id !== record.id) return record;
    const deletion = this.#plannedEffect(first)?.effect;
    if (deletion === "delete") return recreation;
    return deletion === "restore" && record.effect === "adopt" ? { ...record, ...rewrite } : record;
  }

  /** What was done is of the resource with the URN. What has none, such as deletions of the dynamic form, is of those with the id, one after the other. */
  #doneRecord(step: S): EffectRecord | undefined {
    const kind = kindNameOf(step.type);
    if (!writing.has(step.op)) return undefined;
    const object = objectOf(kind, step.id);
    const records = (this.#done.get(object) ?? []).filter(({ effect }) => isOf(effect, step.op));
    const isNamed = (urn: string) => records.some((record) => record.urn === urn);
    if (isNamed(step.urn)) return records.findLast(({ urn }) => urn === step.urn);
    const others = (this.#ended.get(object) ?? []).filter((key) => {
      const other = this.#steps.get(key)?.step;
      return other !== undefined && isDeletion(other.op) === isDeletion(step.op) && !isNamed(other.urn);
    });
    return records.filter(({ urn }) => urn === undefined)[others.indexOf(keyOf(step))];
  }

  /** A deletion that the provider has not reported: it was not called. */
  #unreported(step: S): Effect | undefined {
    if (step.retained) return retained;
    if (!isDeletion(step.op)) return undefined;
    const expected = this.#plannedEffect(step);
    return expected?.writes === 0 ? expected : deletedWithCompany;
  }
}

/** True for what such an operation may have done. */
const isOf = (effect: string, op: string) =>
  isDeletion(op) ? deleting.has(effect) || effect === "restore" : !deleting.has(effect);

/** True for a step that changes the account, or that the run refuses. */
export const isShown = ({ op }: Pick<EngineStep, "op">, effect: Effect | undefined): boolean =>
  writing.has(op) || effect?.effect === "blocked" || effect?.effect === "conflict";
