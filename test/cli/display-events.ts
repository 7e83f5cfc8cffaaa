/** Events of a run as the engine sends them: an account whose wording, webhook and logo change. */
import type { EngineEvent, RunResult, StepInfo } from "../../engine/events";

const urn = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
export const stackUrn = urn("pulumi:pulumi:Stack", "shop-dev");

const dynamic = (type: string, name: string, op: StepInfo["op"], more: Partial<StepInfo> = {}): StepInfo => ({
  op,
  urn: urn(`pulumi-nodejs:dynamic/esign:${type}`, name),
  type: `pulumi-nodejs:dynamic/esign:${type}`,
  name,
  parent: stackUrn,
  custom: true,
  ...more,
});

export const stack: StepInfo = {
  op: "same",
  urn: stackUrn,
  type: "pulumi:pulumi:Stack",
  name: "shop-dev",
  custom: false,
};

export const subjectChange = dynamic("BrandingEmail", "email-send", "update", {
  diffs: [
    { path: "subject", kind: "update", replaces: false, before: "Please sign", after: "Your signature, please" },
    {
      path: "content",
      kind: "update",
      replaces: false,
      before: "<p>\n  Hello {client name},\n  please sign.\n</p>\n",
      after: "<p>\n  Dear {client name},\n  please sign.\n</p>\n",
    },
  ],
});
export const newWebhook = dynamic("Webhook", "signed", "create", {
  inputs: { type: "signed-envelope-complete", url: "[secret]" },
});
export const movedWebhook = dynamic("Webhook", "rejected", "replace", {
  diffs: [{ path: "account", kind: "update", replaces: true, before: "17", after: "[unknown]" }],
});
export const goneWebhook = dynamic("Webhook", "old", "delete", { inputs: { type: "all", url: "https://a.example" } });
export const sameBranding = dynamic("Branding", "branding", "same");

const steps = [stack, sameBranding, newWebhook, subjectChange, movedWebhook, goneWebhook];
const changes: RunResult["changes"] = { same: 2, create: 1, update: 1, replace: 1, delete: 1 };
const result = (more: Partial<RunResult>): RunResult => ({
  operation: "update",
  preview: false,
  ok: true,
  cancelled: false,
  changes,
  durationMs: 4200,
  outputs: {},
  stateWrites: 0,
  ...more,
});

const start = (preview: boolean): EngineEvent => ({
  type: "start",
  operation: "update",
  preview,
  project: "shop",
  stack: "dev",
  sdkVersion: "3.248.0",
});

export const planEvents: EngineEvent[] = [
  start(true),
  { type: "diagnostic", severity: "info", message: "loading 7 e-mails", source: "program" },
  ...steps.map((step): EngineEvent => ({ type: "step", status: "planned", step })),
  {
    type: "diagnostic",
    severity: "warning",
    message: "adopting an equal webhook\nthat is there already",
    urn: newWebhook.urn,
    source: "provider",
  },
  { type: "outputs", outputs: { logo: "https://a/1.png", id: "[unknown]" }, before: { logo: "https://a/1.png" } },
  { type: "end", result: result({ preview: true }) },
];

export const updateEvents: EngineEvent[] = [
  start(false),
  { type: "diagnostic", severity: "info", message: "loading 7 e-mails", source: "program" },
  { type: "step", status: "done", step: sameBranding, elapsedMs: 1 },
  { type: "step", status: "started", step: newWebhook },
  { type: "step", status: "started", step: subjectChange },
  { type: "step", status: "done", step: newWebhook, elapsedMs: 310 },
  { type: "step", status: "done", step: subjectChange, elapsedMs: 95 },
  { type: "outputs", outputs: { logo: "https://a/2.png", id: "12" }, before: { logo: "https://a/1.png", gone: true } },
  { type: "end", result: result({}) },
];

export const failedEvents: EngineEvent[] = [
  start(false),
  { type: "step", status: "started", step: newWebhook },
  { type: "cancelling", inFlight: 1 },
  { type: "step", status: "failed", step: newWebhook, elapsedMs: 12_300 },
  {
    type: "diagnostic",
    severity: "error",
    message: "webhooks.create: POST /v1/webhooks was answered 400: the URL cannot be reached (code 10309)",
    urn: newWebhook.urn,
    source: "provider",
  },
  { type: "end", result: result({ ok: false, cancelled: true, changes: {}, durationMs: 62_000 }) },
];

export const quietEvents: EngineEvent[] = [
  start(true),
  ...[stack, sameBranding].map((step): EngineEvent => ({ type: "step", status: "planned", step })),
  { type: "outputs", outputs: { logo: "x" }, before: { logo: "x" } },
  { type: "end", result: result({ preview: true, changes: { same: 2 }, durationMs: 900 }) },
];
