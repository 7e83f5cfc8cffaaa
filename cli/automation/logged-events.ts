/** The engine's events in the form of Pulumi's event log. */
import type { EngineEvent, PropertyDiff, StateInfo, StepInfo } from "../../engine/index";
import { STACK_TYPE } from "../../engine/resource/urn";

/** Returns a function that turns each event of a run into those of the log. */
export function toLoggedEvents(): (event: EngineEvent) => object[] {
  const begun = new Set<string>();
  let isPreview = false;
  let stack: StepInfo | undefined;
  const step = ({ status, step: info }: Extract<EngineEvent, { type: "step" }>): object[] => {
    if (info.type === STACK_TYPE) stack = info;
    const metadata = toMetadata(info);
    const key = `${info.op} ${info.urn}`;
    const planning = isPreview ? { planning: true } : {};
    const pre = begun.has(key) ? [] : [{ resourcePreEvent: { metadata, ...planning } }];
    begun.add(key);
    if (status === "started") return pre;
    if (status === "failed") return [...pre, { resOpFailedEvent: { metadata, status: 0, steps: 0 } }];
    return [...pre, { resOutputsEvent: { metadata, ...planning } }];
  };
  return (event) => {
    switch (event.type) {
      case "start":
        begun.clear();
        isPreview = event.preview;
        return [{ preludeEvent: { config: {} } }];
      case "step":
        return step(event);
      // Those of a stack are logged when the program has set them, too.
      case "outputs":
        return stack === undefined ? [] : [{ resOutputsEvent: { metadata: toMetadata(withOutputs(stack, event)) } }];
      case "diagnostic":
        return toDiagnostic(event);
      case "end":
        return [
          {
            summaryEvent: {
              maybeCorrupt: false,
              durationSeconds: Math.ceil(event.result.durationMs / 1000),
              resourceChanges: event.result.changes,
              PolicyPacks: {},
              isPreview,
              result: event.result.ok ? "succeeded" : "failed",
            },
          },
        ];
      default:
        return [];
    }
  };
}

type Diagnostic = Extract<EngineEvent, { type: "diagnostic" }>;

function toDiagnostic({ severity, message, urn, stderr, ephemeral }: Diagnostic): object[] {
  if (severity === "debug") return [];
  return [
    {
      diagnosticEvent: {
        ...(urn !== undefined && { urn }),
        ...(severity !== "info" && { prefix: `${severity}: ` }),
        message: `${message}\n`,
        color: "never",
        severity: severity === "info" && stderr ? "info#err" : severity,
        ...(ephemeral && { ephemeral }),
      },
    },
  ];
}

function withOutputs(stack: StepInfo, { outputs, before }: Extract<EngineEvent, { type: "outputs" }>): StepInfo {
  const { old, new: state } = stack.states ?? {};
  const states = { ...(old && { old: { ...old, outputs: before } }), ...(state && { new: { ...state, outputs } }) };
  return { ...stack, states };
}

const kinds = { add: "add", delete: "delete", update: "update" } as const;

const toDetail = ({ kind, replaces }: PropertyDiff) => ({
  diffKind: replaces ? `${kinds[kind]}-replace` : kinds[kind],
  inputDiff: true,
});

function toMetadata({ op, urn, type, custom, diffs, states }: StepInfo): object {
  const paths = diffs?.map(({ path }) => path) ?? [];
  return {
    op,
    urn,
    type,
    old: toState(states?.old),
    new: toState(states?.new),
    keys: diffs?.filter(({ replaces }) => replaces).map(({ path }) => path) ?? [],
    diffs: [...new Set(paths.map((path) => path.split(/[.[]/)[0] as string))],
    detailedDiff: diffs === undefined ? null : Object.fromEntries(diffs.map((diff) => [diff.path, toDetail(diff)])),
    logical: op !== "create-replacement" && op !== "delete-replaced",
    provider: (states?.new ?? states?.old)?.provider ?? (custom ? undefined : ""),
  };
}

const toState = (state: StateInfo | undefined): object | null =>
  state === undefined ? null : { id: "", parent: "", provider: "", ...state };
