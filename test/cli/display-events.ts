/** Events of a run as the engine sends them, of an account whose wording, webhook and logo change, and what is shown of them. */
import pc from "picocolors";
import { createDisplay, type DisplayOptions } from "../../cli/display/display";
import type { DisplayEvent } from "../../cli/display/shown-step";
import type { EngineEvent, PropertyDiff, RunResult, StepInfo } from "../../engine/events";

export const plain = pc.createColors(false);

export function shown(events: DisplayEvent[], options: Partial<DisplayOptions> = {}): string {
  let out = "";
  const write = (text: string) => {
    out += text;
  };
  const display = createDisplay({
    write,
    colours: plain,
    engine: "built-in engine",
    live: false,
    now: () => 0,
    ...options,
  });
  for (const event of events) display.event(event);
  display.close();
  return out;
}

type Event<T extends EngineEvent["type"]> = Extract<EngineEvent, { type: T }>;
/** A preview of an update, if nothing else is said. */
export const start = (more: Partial<Event<"start">> = {}): EngineEvent => ({
  type: "start",
  operation: "update",
  preview: true,
  project: "shop",
  stack: "dev",
  sdkVersion: "3.248.0",
  ...more,
});
export const end = (more: Partial<RunResult> = {}): EngineEvent => ({
  type: "end",
  result: {
    operation: "update",
    preview: true,
    ok: true,
    cancelled: false,
    changes: { same: 2, create: 1, update: 1, replace: 1, delete: 1 },
    durationMs: 4200,
    outputs: {},
    stateWrites: 0,
    ...more,
  },
});
const stepEvent =
  (status: Event<"step">["status"]) =>
  (step: StepInfo, elapsedMs?: number): EngineEvent => ({
    type: "step",
    status,
    step,
    ...(elapsedMs !== undefined && { elapsedMs }),
  });
export const planned = stepEvent("planned");
export const started = stepEvent("started");
export const done = stepEvent("done");
export const failed = stepEvent("failed");
export const prints = (message: string): EngineEvent => ({
  type: "diagnostic",
  severity: "info",
  message,
  source: "program",
});
/** What is waited for; without a message, that has ended. */
export const waits = (message: string): EngineEvent => ({
  type: "diagnostic",
  severity: "info",
  message,
  source: "program",
  ephemeral: true,
});
export const error = (urn: string, message: string): EngineEvent => ({
  type: "diagnostic",
  severity: "error",
  source: "engine",
  message,
  urn,
});
export const outputs = (outputs: Record<string, unknown>, before: Record<string, unknown>): EngineEvent => ({
  type: "outputs",
  outputs,
  before,
});
export const changed = (path: string, before: unknown, after: unknown, replaces = false): PropertyDiff => ({
  path,
  kind: "update",
  replaces,
  before,
  after,
});

const urn = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
export const stackUrn = urn("pulumi:pulumi:Stack", "shop-dev");

const dynamic = (kind: string, name: string, op: StepInfo["op"], more: Partial<StepInfo> = {}): StepInfo => {
  const type = `pulumi-nodejs:dynamic/esign:${kind}`;
  return { op, urn: urn(type, name), type, name, parent: stackUrn, custom: true, ...more };
};
export const stack: StepInfo = {
  op: "same",
  urn: stackUrn,
  type: "pulumi:pulumi:Stack",
  name: "shop-dev",
  custom: false,
};
/** Explicit, with another key. */
export const changedProvider: StepInfo = {
  ...stack,
  op: "update",
  urn: urn("pulumi:providers:esign", "firm"),
  type: "pulumi:providers:esign",
  name: "firm",
  custom: true,
  diffs: [changed("apiKey", "[secret]", "[secret]")],
};
const content = (word: string) => `<p>\n  ${word} {client name},\n  please sign.\n</p>\n`;
export const subjectChange = dynamic("BrandingEmail", "email-send", "update", {
  diffs: [
    changed("subject", "Please sign", "Your signature, please"),
    changed("content", content("Hello"), content("Dear")),
  ],
});
export const newWebhook = dynamic("Webhook", "signed", "create", {
  inputs: { type: "signed-envelope-complete", url: "[secret]" },
});
/** Without what differs. */
export const webhookUpdate = dynamic("Webhook", "hook", "update");
const movedWebhook = dynamic("Webhook", "rejected", "replace", {
  diffs: [changed("account", "17", "[unknown]", true)],
});
export const goneWebhook = dynamic("Webhook", "old", "delete", { inputs: { type: "all", url: "https://a.example" } });
export const sameBranding = dynamic("Branding", "branding", "same");

/** Those of a preview and an update, of a program that prints these lines. */
export const planPrinting = (...lines: string[]): EngineEvent[] => [
  start(),
  ...lines.map(prints),
  ...[stack, sameBranding, newWebhook, subjectChange, movedWebhook, goneWebhook].map((step) => planned(step)),
  {
    ...error(newWebhook.urn, "adopting an equal webhook\nthat is there already"),
    severity: "warning",
    source: "provider",
  } as EngineEvent,
  outputs({ logo: "https://a/1.png", id: "[unknown]" }, { logo: "https://a/1.png" }),
  end(),
];
export const updatePrinting = (...lines: string[]): EngineEvent[] => [
  start({ preview: false }),
  ...lines.map(prints),
  done(sameBranding, 1),
  started(newWebhook),
  started(subjectChange),
  done(newWebhook, 310),
  done(subjectChange, 95),
  outputs({ logo: "https://a/2.png", id: "12" }, { logo: "https://a/1.png", gone: true }),
  end({ preview: false }),
];
export const planEvents = planPrinting("loading 7 emails");
export const updateEvents = updatePrinting("loading 7 emails");
