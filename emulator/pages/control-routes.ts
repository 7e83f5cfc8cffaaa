/** The table of control endpoints. */
import type { ServerResponse } from "node:http";
import { z } from "zod";
import { describeIssue } from "../domain/describe-issue";
import { renderEmail } from "../domain/emails/sent-emails";
import type { SettingsInput } from "../domain/emulator-settings";
import { actionsOf, type EventAction, emailTypesOf } from "../domain/enums-by-edition";
import { partyActions } from "../domain/envelope-lifecycle";
import { LONGEST_SPAN } from "../domain/limits";
import { type PageContext, sendEmailPage } from "./page-context";

interface ControlRequest extends PageContext {
  /** Parts of the path that the pattern captures. */
  parts: string[];
  body: unknown;
  response: ServerResponse;
}

interface ControlRoute {
  method: string;
  /** Below `/_control`; `:name` captures a part. */
  path: string;
  /** One sentence for the index. */
  description: string;
  /** Returns the response body; undefined if it has sent the response itself. */
  run: (request: ControlRequest) => unknown;
}

/** An invalid request to a control endpoint. */
export class ControlError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const ok = { ok: true };

/** Example values to show an email template before anything is sent. */
const sampleValues = {
  "client name": "Clara Client",
  "contract title": "Service agreement",
  "contract url": "https://sign.example/agreement",
  "acknowledge url": "https://sign.example/acknowledge",
  "contract password": "482917",
  "contract intro": "Here is the agreement that we talked about.",
  "widget verify url": "https://sign.example/verify",
};

export const controls: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "",
    description: "Lists the control endpoints.",
    run: () => ({ controls: controls.map(({ run, ...rest }) => rest) }),
  },
  {
    method: "GET",
    path: "/state",
    description: "URL, time, settings and accounts, without keys.",
    run: ({ emulator, context }) => ({
      url: emulator.url,
      now: context.now.toISOString(),
      settings: emulator.settings,
      accounts: context.data.accounts.map((account) => ({
        id: account.id,
        name: account.name,
        partner: account.partner,
        parent: account.parent ?? null,
        suspended: account.suspended ?? false,
        webhooks: account.webhooks.length,
        envelopes: account.envelopes.length,
      })),
    }),
  },
  {
    method: "GET",
    path: "/keys",
    description: "API keys of all accounts.",
    run: ({ emulator, context }) => ({
      ...emulator.keys,
      accounts: Object.fromEntries(context.data.accounts.map((account) => [account.id, account.key])),
    }),
  },
  {
    method: "GET",
    path: "/data",
    description: "All data, as in the data file.",
    run: ({ emulator }) => emulator.data(),
  },
  { method: "GET", path: "/settings", description: "Returns the settings.", run: ({ emulator }) => emulator.settings },
  {
    method: "PATCH",
    path: "/settings",
    description: "Changes the settings in the body.",
    run: ({ emulator, body }) => configure(emulator, parseBody(z.record(z.string(), z.unknown()), body)),
  },
  {
    method: "POST",
    path: "/faults",
    description: "Adds a fault or a list of faults, and restarts the counters of all faults.",
    run: ({ emulator, body }) =>
      configure(emulator, { faults: [...emulator.settings.faults, ...([body].flat() as never[])] }),
  },
  {
    method: "DELETE",
    path: "/faults",
    description: "Removes all faults.",
    run: ({ emulator }) => configure(emulator, { faults: [] }),
  },
  {
    method: "GET",
    path: "/requests",
    description: "The request log, oldest first.",
    run: ({ emulator }) => ({ requests: emulator.requests() }),
  },
  {
    method: "DELETE",
    path: "/requests",
    description: "Clears the request log and the counts.",
    run: ({ emulator }) => {
      emulator.clearLog();
      return ok;
    },
  },
  {
    method: "GET",
    path: "/counts",
    description: "Numbers of requests, by method, endpoint, status, fault and key fingerprint.",
    run: ({ emulator }) => emulator.counts(),
  },
  {
    method: "GET",
    path: "/emails",
    description: "Sent emails, oldest first.",
    run: ({ emulator }) => ({ emails: emulator.sentEmails() }),
  },
  {
    method: "GET",
    path: "/emails/:id",
    description: "A sent email, as a page.",
    run: ({ outbox, parts, response }) =>
      sendEmailPage(response, outbox.find(parts[0]!) ?? throwNotFound(`The email ${parts[0]} does not exist.`)),
  },
  {
    method: "GET",
    path: "/deliveries",
    description: "Webhook notifications, oldest first.",
    run: ({ emulator }) => ({ deliveries: emulator.deliveries() }),
  },
  {
    method: "POST",
    path: "/deliveries/:id/redeliver",
    description: "Sends a notification to its webhook again.",
    run: ({ emulator, parts }) => {
      emulator.redeliver(parts[0]!);
      return ok;
    },
  },
  {
    method: "POST",
    path: "/clock",
    description: 'Advances the clock: {"advance": milliseconds}.',
    run: async ({ emulator, body }) => {
      const { advance } = parseBody(z.strictObject({ advance: z.number().nonnegative().max(LONGEST_SPAN) }), body);
      await emulator.advance(advance);
      return { now: emulator.now.toISOString() };
    },
  },
  {
    method: "POST",
    path: "/reset",
    description: "Restores the seed with the same keys, and settings, time and log as at the start.",
    run: async ({ emulator }) => {
      await emulator.reset();
      return ok;
    },
  },
  {
    method: "POST",
    path: "/accounts/:id/rotate-key",
    description: "Gives an account a new API key.",
    run: async ({ emulator, context, parts }) => ({ key: await emulator.rotateKey(accountId(context, parts[0]!)) }),
  },
  {
    method: "POST",
    path: "/accounts/:id/suspend",
    description: "Suspends an account.",
    run: async ({ emulator, context, parts }) => {
      await emulator.suspend(accountId(context, parts[0]!));
      return ok;
    },
  },
  {
    method: "POST",
    path: "/accounts/:id/resume",
    description: "Resumes a suspended account.",
    run: async ({ emulator, context, parts }) => {
      await emulator.suspend(accountId(context, parts[0]!), false);
      return ok;
    },
  },
  {
    method: "POST",
    path: "/accounts/:id/notify",
    description: 'Sends an event to an account\'s webhooks: {"action": "add-user", "members": {…}}.',
    run: async ({ emulator, context, parts, body }) => {
      const { action, members } = parseBody(
        z.strictObject({
          action: z.enum(actionsOf(emulator.settings) as [EventAction, ...EventAction[]]),
          members: z.record(z.string(), z.json()).optional(),
        }),
        body,
      );
      await emulator.notify(accountId(context, parts[0]!), action, members);
      return ok;
    },
  },
  {
    method: "GET",
    path: "/accounts/:id/emails/:type",
    description: "An email template with example values, as a page.",
    run: ({ emulator, context, parts, response }) => {
      const account = context.findAccount(accountId(context, parts[0]!))!;
      const type =
        emailTypesOf(emulator.settings).find((name) => name === parts[1]) ??
        throwNotFound(`The email template ${parts[1]} does not exist.`);
      const details = { id: "sample", date: context.timestamp };
      sendEmailPage(response, renderEmail(account, type, "clara@example.com", sampleValues, details));
    },
  },
  ...partyActions.map((action) => ({
    method: "POST",
    path: `/envelopes/:fingerprint/${action}`,
    description:
      action === "fail"
        ? "Lets processing fail."
        : `Does what a party does: ${action}. {"party": id}; default: the party whose turn it is.`,
    run: async ({ emulator, context, parts, body }: ControlRequest) => {
      if (!context.findEnvelope(parts[0]!)) throwNotFound(`The envelope ${parts[0]} does not exist.`);
      const { party } = parseBody(z.strictObject({ party: z.coerce.string().optional() }), body);
      await emulator.performAction(parts[0]!, action, party);
      return { envelope_status: context.findEnvelope(parts[0]!)?.envelope.status };
    },
  })),
];

export function throwNotFound(message: string): never {
  throw new ControlError(404, message);
}

function accountId(context: PageContext["context"], id: string): string {
  return context.findAccount(id)?.id ?? throwNotFound(`The account ${id} does not exist.`);
}

function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body ?? {}, { error: describeIssue });
  if (parsed.success) return parsed.data;
  throw new ControlError(400, z.prettifyError(parsed.error));
}

function configure(emulator: PageContext["emulator"], settings: SettingsInput) {
  try {
    emulator.configure(settings);
  } catch (error) {
    throw new ControlError(400, (error as Error).message);
  }
  return emulator.settings;
}
