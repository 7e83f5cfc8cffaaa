/**
 * Emits the events of steps, and counts steps by operation.
 *
 * Used for: the engine's events, and `resourceChanges` of the history.
 */

import {
  type Changes,
  type EngineEvent,
  isDeletion,
  type PropertyDiff,
  type StateInfo,
  type StepInfo,
  type StepOp,
} from "../../events";
import type { Step } from "../../plan/step";
import { diffProperties, type PropertyChange, toPropertyDiffs } from "../../resource/property-diff";
import { containsPath, parsePaths, pathsOverlap } from "../../resource/property-path";
import { toPrintableMap, type Value, type ValueMap } from "../../resource/property-value";
import { RESOURCE_FIELDS } from "../../resource/resource-fields";
import type { ResourceState } from "../../resource/resource-state";
import { isDefaultProvider, nameOf, providerUrnOf, typeOf } from "../../resource/urn";

/** What a refresh found. */
export interface RefreshResult {
  op: "same" | "update" | "delete";
  changes: PropertyChange[];
}

interface StepEventOptions {
  operation: "update" | "refresh" | "destroy";
  showSecrets: boolean;
  /** Whether events contain the whole resource. */
  withStates?: boolean;
  events: { emit(event: EngineEvent): void };
  /** The resource with this URN, of the program or else of the old state. */
  resourceOf(urn: string): ResourceState | undefined;
}

export class StepEventEmitter {
  /** Number of resources per operation. */
  readonly changes: Changes = {};

  readonly #options: StepEventOptions;

  constructor(options: StepEventOptions) {
    this.#options = options;
  }

  emitStep(
    step: Step,
    status: "planned" | "started" | "done" | "failed",
    elapsedMs?: number,
    refresh?: RefreshResult,
  ): void {
    if (isOfDefaultProvider(step)) return;
    const info = this.#info(step, refresh);
    this.#options.events.emit({ type: "step", status, step: info, ...(elapsedMs !== undefined && { elapsedMs }) });
  }

  /** Counts a step that was done. */
  countChange(step: Step, refresh: RefreshResult | undefined): void {
    let op: StepOp = step.op;
    let counts = countsAsResource(step);
    if (step.op === "refresh") {
      counts = this.#options.operation === "refresh";
      op = refresh?.op ?? "same";
    }
    // An object that is read in every run is not reported as a change.
    if (step.op === "read")
      counts =
        !step.isPartOfReplacement &&
        step.old?.outputs !== undefined &&
        !isSameJson(step.old.outputs, step.new?.outputs ?? {});
    if (step.isHidden || !counts || isOfDefaultProvider(step)) return;
    this.changes[op] = (this.changes[op] ?? 0) + 1;
  }

  #info(step: Step, refresh?: RefreshResult): StepInfo {
    const state = (step.new ?? step.old) as ResourceState;
    const keys = parsePaths(step.replaceKeys ?? []);
    const hidden = parsePaths((state.hideDiff ?? []).map(String));
    const changes = refresh?.changes ?? step.changes;
    const shown = SHOWS_INPUTS.has(step.op) ? state.inputs : undefined;
    const reason = reasonOf(step);
    const options = KEEPS_IDENTITY.has(step.op) ? this.#optionChanges(step) : [];
    return {
      op: step.op,
      urn: state.urn,
      type: typeOf(state.urn),
      name: nameOf(state.urn),
      ...(state.parent !== undefined && { parent: state.parent }),
      ...(state.id !== undefined && state.id !== "" && { id: state.id }),
      custom: state.custom,
      ...(changes !== undefined && {
        diffs: toPropertyDiffs(
          changes,
          (path) => keys.some((k) => containsPath(k, path)),
          this.#options.showSecrets,
          // A hidden property may also be part of a value that was added or deleted as a whole.
          (path) => hidden.some((h) => pathsOverlap(h, path)),
        ),
      }),
      ...(options.length > 0 && { options }),
      ...(shown !== undefined && { inputs: toPrintableMap(withoutCode(shown), this.#options.showSecrets) }),
      ...(reason !== undefined && { reason }),
      ...(isDeletion(step.op) && step.old?.retainOnDelete && { retained: true }),
      ...(refresh !== undefined && { result: refresh.op }),
      ...(this.#options.withStates === true && { states: this.#states(step) }),
    };
  }

  #optionChanges({ old, new: state }: Step): PropertyDiff[] {
    if (old === undefined || state === undefined || old === state) return [];
    const of = (resource: ResourceState): ValueMap => ({
      ...Object.fromEntries(
        RESOURCE_FIELDS.flatMap(({ name, option }) =>
          option ? [[name, (resource[name] as Value) ?? option.absent]] : [],
        ),
      ),
      provider: this.#explicitProviderOf(resource),
    });
    return toPropertyDiffs(diffProperties(of(old), of(state)), () => false, false);
  }

  /** Not for default providers: their version is not an option of the program. */
  #explicitProviderOf({ provider }: ResourceState): string | null {
    const urn = provider === undefined ? "" : providerUrnOf(provider);
    const state = this.#options.resourceOf(urn);
    return urn === "" || (state !== undefined && isDefaultProvider(state)) ? null : urn;
  }

  #states({ old, new: state }: Step): NonNullable<StepInfo["states"]> {
    const { showSecrets } = this.#options;
    return {
      ...(old && { old: toStateInfo(old, showSecrets) }),
      ...(state && { new: toStateInfo(state, showSecrets) }),
    };
  }
}

const SHOWS_INPUTS: ReadonlySet<StepOp> = new Set(["create", "create-replacement", "delete", "delete-replaced"]);

/** Steps after which the same resource is in the state, perhaps with other options. */
const KEEPS_IDENTITY: ReadonlySet<StepOp> = new Set(["same", "update", "replace"]);

const isOfDefaultProvider = (step: Step): boolean => isDefaultProvider((step.new ?? step.old) as ResourceState);

/** The meaning of replacement keys that are not properties. */
const REASONS: Record<string, string> = {
  id: "asked for",
  replaceWith: "a resource in its replaceWith is replaced",
  deletedWith: "the resource it is deleted with is replaced",
  provider: "provider changed",
  "#initerror": "its last creation or update did not finish",
};

function reasonOf(step: Step): string | undefined {
  if (step.reason !== undefined) return step.reason;
  const [key, ...others] = step.replaceKeys ?? [];
  if (key !== undefined && others.length === 0 && key in REASONS) return REASONS[key];
  const goesWithAnother = step.pendingReplacement && step.new === undefined;
  return goesWithAnother ? "a dependency is replaced" : undefined;
}

/** The others are parts of a replacement. */
const countsAsResource = (step: Step): boolean =>
  step.op !== "refresh" && step.op !== "remove-pending-replace" && (step.op === "replace" || !step.isPartOfReplacement);

function toStateInfo(resource: ResourceState, showSecrets: boolean): StateInfo {
  return {
    urn: resource.urn,
    type: typeOf(resource.urn),
    custom: resource.custom,
    ...(resource.id !== undefined && { id: resource.id }),
    ...(resource.parent !== undefined && { parent: resource.parent }),
    ...(resource.provider !== undefined && { provider: resource.provider }),
    ...(resource.delete && { delete: true }),
    ...(resource.protect && { protect: true }),
    ...(resource.taint === true && { taint: true }),
    ...(resource.external && { external: true }),
    ...(resource.retainOnDelete && { retainOnDelete: true }),
    ...(resource.initErrors && { initErrors: resource.initErrors }),
    inputs: toPrintableMap(withoutCode(resource.inputs ?? {}), showSecrets),
    outputs: toPrintableMap(withoutCode(resource.outputs ?? {}), showSecrets),
  };
}

/** Without the source text of a dynamic provider. */
const withoutCode = ({ __provider, ...inputs }: ValueMap): ValueMap => inputs;

const isSameJson = (a: ValueMap, b: ValueMap): boolean => JSON.stringify(a) === JSON.stringify(b);
