/** What happens by itself at some time. */
import { parseTimestamp } from "../../sdk/api/scalars";
import type { Account, Envelope } from "./data-schema";
import { EMULATOR, EnvelopeLifecycle } from "./envelope-lifecycle";
import { suspend, suspensionTime } from "./notifications/suspension";
import type { Context } from "./request-context";

const HOUR = 3600_000;

interface TimedStep {
  at: number;
  run: () => void;
}

/** Runs every step that is due, in order of time; returns when the next one is due. */
export function tick(context: Context): number {
  const now = context.now.getTime();
  for (;;) {
    let next: TimedStep | undefined;
    for (const step of steps(context)) {
      if (!next || step.at < next.at) next = step;
    }
    if (!next || next.at > now) return next?.at ?? Number.POSITIVE_INFINITY;
    next.run();
  }
}

function* steps(context: Context): Generator<TimedStep> {
  for (const account of context.data.accounts) {
    for (const envelope of account.envelopes) {
      const step = nextStep(envelope);
      if (step) yield { at: step.at, run: () => step.run(lifecycleAt(context, account, envelope, step.at)) };
    }
    for (const webhook of account.webhooks) {
      const at = suspensionTime(webhook);
      if (at !== undefined) yield { at, run: () => suspend(context, account, webhook, new Date(at)) };
    }
  }
}

function lifecycleAt(context: Context, account: Account, envelope: Envelope, at: number): EnvelopeLifecycle {
  return new EnvelopeLifecycle(context, account, envelope, EMULATOR, new Date(at));
}

/** The next step of an envelope. */
function nextStep(envelope: Envelope): { at: number; run: (lifecycle: EnvelopeLifecycle) => void } | undefined {
  if (envelope.ready !== undefined) return { at: Date.parse(envelope.ready), run: (lifecycle) => lifecycle.send() };
  if (envelope.status !== "sent") return undefined;
  const after = (since: string | undefined, hours: number | undefined) =>
    since === undefined || hours === undefined
      ? Number.POSITIVE_INFINITY
      : parseTimestamp(since).getTime() + hours * HOUR;
  const expires = after(envelope.sent, envelope.expireHours);
  const reminds = after(envelope.reminded, envelope.remindHours);
  if (expires === Number.POSITIVE_INFINITY && reminds === Number.POSITIVE_INFINITY) return undefined;
  return expires <= reminds
    ? { at: expires, run: (lifecycle) => lifecycle.expire() }
    : { at: reminds, run: (lifecycle) => lifecycle.remind() };
}
