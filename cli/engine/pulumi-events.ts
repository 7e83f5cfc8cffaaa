/** Converts Pulumi's event log to events of the built-in engine, so that display, effects and JSON output are the same for both. */
import type { EngineEvent as LoggedEvent, StepEventMetadata, StepEventStateMetadata } from "@pulumi/pulumi/automation";
import {
  type EngineEvent,
  isDeletion,
  type Operation,
  type PropertyDiff,
  type StateInfo,
  type StepInfo,
  type StepOp,
} from "../../engine/events";
import { diffProperties, toPropertyDiffs } from "../../engine/resource/property-diff";
import { parsePath, valueAt } from "../../engine/resource/property-path";
import { toPrintable, toPrintableMap } from "../../engine/resource/property-value";
import { isDefaultProvider, nameOf, STACK_TYPE } from "../../engine/resource/urn";
import { verbs } from "../display/verbs";
import { ofDiagnostic, plain } from "./pulumi-diagnostics";
import { propertiesFromLog } from "./pulumi-values";

/** Older versions of the CLI do not say how it ended; their exit code does. */
type Summary = NonNullable<LoggedEvent["summaryEvent"]> & { result?: string };
type StepEvent = Extract<EngineEvent, { type: "step" }>;
type Outputs = Extract<EngineEvent, { type: "outputs" }>;

interface LoggedRun {
  operation: Operation;
  preview: boolean;
  project: string;
  stack: string;
  /** Print the values of secrets, which the log has only if the engine was asked for them. */
  showSecrets?: boolean;
  /** Steps have the resource before and after. */
  withStates?: boolean;
}

/** Reads the log of one run. */
export class EventReader {
  /** Of what is refreshed it is known at the end what was found. */
  readonly #refreshing = new Set<string>();
  readonly #begun = new Map<string, number>();
  #outputs: Outputs | undefined;
  readonly #start = performance.now();

  readonly #run: LoggedRun;

  constructor(run: LoggedRun) {
    this.#run = run;
  }

  read(event: LoggedEvent): EngineEvent[] {
    if (event.preludeEvent) return [this.#started];
    if (event.resourcePreEvent) return this.#before(event.resourcePreEvent.metadata);
    if (event.resOutputsEvent) return this.#after(event.resOutputsEvent.metadata);
    if (event.resOpFailedEvent) return this.#step(event.resOpFailedEvent.metadata, "failed");
    if (event.policyEvent) return [ofPolicy(event.policyEvent)];
    if (event.diagnosticEvent) return ofDiagnostic(event.diagnosticEvent, this.#run);
    if (event.summaryEvent) return this.#end(event.summaryEvent);
    return [];
  }

  get #started(): EngineEvent {
    const { operation, preview, project, stack } = this.#run;
    return { type: "start", operation, preview, project, stack };
  }

  #before(metadata: StepEventMetadata): EngineEvent[] {
    if (metadata.op === "refresh") this.#refreshing.add(metadata.urn);
    // A plan has one event for each step: that of a refresh says what was found.
    if (this.#run.preview) return metadata.op === "refresh" ? [] : this.#step(metadata, "planned");
    // To do nothing takes no time.
    return metadata.op === "same" ? [] : this.#step(metadata, "started");
  }

  #after(metadata: StepEventMetadata): EngineEvent[] {
    if (metadata.type === STACK_TYPE) {
      // Those of the stack are logged when it is registered, and again when the program has set them: the last ones count.
      const isRepeated = this.#outputs !== undefined;
      this.#outputs = this.#outputsOf(metadata);
      if (isRepeated) return [];
    }
    const isRefresh = this.#refreshing.delete(metadata.urn);
    if (!isRefresh) return this.#run.preview ? [] : this.#step(metadata, "done");
    const found = { ...metadata, op: "refresh" as StepEventMetadata["op"] };
    const result = (["update", "delete"] as const).find((op) => op === metadata.op) ?? "same";
    return this.#step(found, this.#run.preview ? "planned" : "done", result);
  }

  #step(metadata: StepEventMetadata, status: StepEvent["status"], result?: StepInfo["result"]): StepEvent[] {
    // An operation that the built-in engine does not have has no effect on an account either; no program declares a default provider.
    const { op, urn, new: state, old } = metadata;
    if (!(verbs as string[]).includes(op) || isDefaultProvider({ urn, parent: (state ?? old)?.parent })) return [];
    const key = `${op} ${urn}`;
    const elapsedMs = status === "planned" ? undefined : this.#elapsed(key);
    const { showSecrets = false, withStates = false } = this.#run;
    const step = { ...toStep(metadata, showSecrets), ...(withStates && { states: statesOf(metadata, showSecrets) }) };
    return [
      {
        type: "step",
        status,
        step: { ...step, ...(result !== undefined && { result }) },
        ...(elapsedMs !== undefined && { elapsedMs }),
      },
    ];
  }

  /** Milliseconds since the operation began; undefined when it begins. */
  #elapsed(key: string): number | undefined {
    const begun = this.#begun.get(key);
    this.#begun.set(key, begun ?? performance.now());
    return begun === undefined ? undefined : Math.round(performance.now() - begun);
  }

  #outputsOf({ old, new: state }: StepEventMetadata): Outputs {
    const of = (resource: StepEventStateMetadata | null | undefined) =>
      toPrintableMap(propertiesFromLog(resource?.outputs), this.#run.showSecrets ?? false);
    return { type: "outputs", outputs: of(state), before: of(old) };
  }

  #end({ resourceChanges, result = "succeeded" }: Summary): EngineEvent[] {
    const { operation, preview } = this.#run;
    const summary = {
      operation,
      preview,
      ok: result === "succeeded",
      cancelled: false,
      changes: resourceChanges,
      durationMs: Math.round(performance.now() - this.#start),
      outputs: this.#outputs?.outputs ?? {},
      stateWrites: 0,
    };
    return [...(this.#outputs === undefined ? [] : [this.#outputs]), { type: "end", result: summary }];
  }
}

const SHOWS_INPUTS: ReadonlySet<string> = new Set(["create", "create-replacement", "delete", "delete-replaced"]);

function toStep(metadata: StepEventMetadata, showSecrets: boolean): StepInfo {
  const { op, urn, type, old, new: state } = metadata;
  const resource = state ?? old;
  const diffs = op === "update" || op === "replace" || op === "refresh" ? diffsOf(metadata, showSecrets) : [];
  // What is created has none in the log of its beginning.
  const id = state?.id || old?.id;
  const options = KEEPS_IDENTITY.has(op) ? optionsOf(metadata) : [];
  return {
    op: op as StepOp,
    urn,
    type,
    name: nameOf(urn),
    custom: resource?.custom ?? false,
    ...(resource?.parent && { parent: resource.parent }),
    ...(id && { id }),
    ...(diffs.length > 0 && { diffs }),
    ...(options.length > 0 && { options }),
    ...(SHOWS_INPUTS.has(op) && { inputs: toPrintableMap(propertiesFromLog(resource?.inputs), showSecrets) }),
    ...(isDeletion(op) && old?.retainOnDelete && { retained: true }),
  };
}

function statesOf({ old, new: state }: StepEventMetadata, showSecrets: boolean): NonNullable<StepInfo["states"]> {
  const of = (resource: StepEventStateMetadata): StateInfo => ({
    urn: resource.urn,
    type: resource.type,
    custom: resource.custom ?? false,
    ...(resource.id && { id: resource.id }),
    ...(resource.parent && { parent: resource.parent }),
    ...(resource.protect && { protect: true }),
    ...(resource.retainOnDelete && { retainOnDelete: true }),
    inputs: toPrintableMap(propertiesFromLog(resource.inputs), showSecrets),
    outputs: toPrintableMap(propertiesFromLog(resource.outputs), showSecrets),
  });
  return { ...(old && { old: of(old) }), ...(state && { new: of(state) }) };
}

/** Operations after which the same resource is in the state, perhaps with other options. */
const KEEPS_IDENTITY: ReadonlySet<string> = new Set(["same", "update"]);

/** The options that the log has. */
function optionsOf({ old, new: state }: StepEventMetadata): PropertyDiff[] {
  return (["protect", "retainOnDelete"] as const).flatMap((path): PropertyDiff[] => {
    const [before, after] = [old?.[path] === true, state?.[path] === true];
    return before === after ? [] : [{ path, kind: "update", replaces: false, before, after }];
  });
}

/** What the provider says, or, where it leaves it to the engine, what differs. */
function diffsOf({ op, detailedDiff, keys, old, new: state }: StepEventMetadata, showSecrets: boolean): PropertyDiff[] {
  if (!old || !state) return [];
  // A refresh changes what the provider returns.
  const of = (resource: StepEventStateMetadata) =>
    propertiesFromLog(op === "refresh" ? resource.outputs : resource.inputs);
  const [before, after] = [of(old), of(state)];
  if (!detailedDiff || op === "refresh") {
    const replacing = new Set(keys ?? []);
    return toPropertyDiffs(diffProperties(before, after), ([key]) => replacing.has(String(key)), showSecrets);
  }
  return Object.entries(detailedDiff).map(([path, { diffKind, inputDiff }]) => {
    const kind = (["add", "delete"] as const).find((each) => diffKind.startsWith(each)) ?? "update";
    const at = parsePath(path) ?? [path];
    const earlier = valueAt(inputDiff ? before : propertiesFromLog(old.outputs), at);
    const later = valueAt(after, at);
    return {
      path,
      kind,
      replaces: diffKind.endsWith("-replace"),
      ...(kind !== "add" && { before: toPrintable(earlier, showSecrets) }),
      ...(kind !== "delete" && { after: toPrintable(later, showSecrets) }),
    };
  });
}

function ofPolicy(event: NonNullable<LoggedEvent["policyEvent"]>): EngineEvent {
  const { resourceUrn, message, policyName, policyPackName, policyPackVersion, enforcementLevel } = event;
  const isMandatory = enforcementLevel === "mandatory";
  const pack = policyPackVersion ? `${policyPackName}@v${policyPackVersion}` : policyPackName;
  return {
    type: "diagnostic",
    severity: isMandatory ? "error" : "warning",
    message: `${enforcementLevel} policy ${policyName} (${pack}): ${plain(message)}`,
    ...(resourceUrn && { urn: resourceUrn }),
    source: "engine",
  };
}
