/** What the Pulumi CLI writes for machines, as events and resources of the built-in engine. */
import type { EngineEvent, ResourceView, StepInfo } from "../../../engine/index";
import { SIG_KEY, SignatureKind } from "../../../engine/resource/property-value";
import { nameOf } from "../../../engine/resource/urn";
import { verbs } from "../../display/verbs";

interface StateMetadata {
  id?: string;
  parent?: string;
  custom?: boolean;
  retainOnDelete?: boolean;
  inputs?: Record<string, unknown>;
}

interface StepMetadata {
  op: string;
  urn: string;
  type: string;
  old?: StateMetadata | null;
  new?: StateMetadata | null;
}

export interface LoggedEvent {
  resourcePreEvent?: { metadata: StepMetadata };
  resOutputsEvent?: { metadata: StepMetadata };
  resOpFailedEvent?: { metadata: StepMetadata };
}

/** The steps in an event log (`--event-log`). Secrets in it are closed. */
export function stepsOf(log: string, preview: boolean): Extract<EngineEvent, { type: "step" }>[] {
  return log.split("\n").flatMap((line) => (line === "" ? [] : stepsIn(JSON.parse(line) as LoggedEvent, preview)));
}

/** The steps in one of its events. */
export function stepsIn(
  { resourcePreEvent, resOutputsEvent, resOpFailedEvent }: LoggedEvent,
  preview: boolean,
): Extract<EngineEvent, { type: "step" }>[] {
  if (preview) return toStep(resourcePreEvent?.metadata, "planned");
  return [...toStep(resOutputsEvent?.metadata, "done"), ...toStep(resOpFailedEvent?.metadata, "failed")];
}

function toStep(
  metadata: StepMetadata | undefined,
  status: "planned" | "done" | "failed",
): Extract<EngineEvent, { type: "step" }>[] {
  // An operation that the built-in engine does not have has no effect on an account either.
  if (metadata === undefined || !(verbs as string[]).includes(metadata.op)) return [];
  const { op, urn, type } = metadata;
  const state = metadata.new ?? metadata.old ?? {};
  const isDeletion = op === "delete" || op === "delete-replaced";
  const step: StepInfo = {
    op: op as StepInfo["op"],
    urn,
    type,
    name: nameOf(urn),
    custom: state.custom ?? false,
    ...(state.parent && { parent: state.parent }),
    ...(state.id && { id: state.id }),
    ...(state.inputs !== undefined && (isDeletion || op.startsWith("create")) && { inputs: state.inputs }),
    ...(isDeletion && metadata.old?.retainOnDelete && { retained: true }),
  };
  return [{ type: "step" as const, status, step }];
}

interface ExportedResource extends StateMetadata {
  urn: string;
  type: string;
  provider?: string;
  protect?: boolean;
  delete?: boolean;
  deletedWith?: string;
  outputs?: Record<string, unknown>;
}

/** The resources in what `pulumi stack export --show-secrets` prints: with their secrets, and without. */
export function resourcesOf(exported: string): { open: ResourceView[]; closed: ResourceView[] } {
  const { deployment } = JSON.parse(exported) as { deployment?: { resources?: ExportedResource[] } };
  const resources = deployment?.resources ?? [];
  const view = (showSecrets: boolean) => resources.map((resource) => viewOf(resource, showSecrets));
  return { open: view(true), closed: view(false) };
}

function viewOf(resource: ExportedResource, showSecrets: boolean): ResourceView {
  const { urn, type, id, parent, provider, deletedWith } = resource;
  const { custom = false, protect = false, inputs = {}, outputs = {} } = resource;
  const values = (properties: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, openValue(value, showSecrets)]));
  return {
    urn,
    type,
    name: nameOf(urn),
    ...(id !== undefined && { id }),
    ...(parent !== undefined && { parent }),
    ...(provider !== undefined && { provider }),
    custom,
    protect,
    delete: resource.delete === true,
    ...(deletedWith && { deletedWith }),
    inputs: values(inputs),
    outputs: values(outputs),
  };
}

function openValue(value: unknown, showSecrets: boolean): unknown {
  if (value === null || typeof value !== "object") return value;
  const { [SIG_KEY]: kind, plaintext } = value as Record<string, unknown>;
  if (kind !== SignatureKind.secret) return value;
  return showSecrets && typeof plaintext === "string" ? JSON.parse(plaintext) : "[secret]";
}
