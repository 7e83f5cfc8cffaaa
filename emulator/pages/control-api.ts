/** The control endpoints: what tests in any language use to steer the service. JSON in, JSON out, outside the interface. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { emailTypesOf, eventTypes } from "../domain/enums";
import { partyActions } from "../domain/envelope-lifecycle";
import { InvalidAction } from "../domain/errors";
import { renderEmail } from "../domain/outbox";
import { LONGEST_SPAN, type SettingsInput } from "../domain/settings";
import { readBody } from "../http/request-body";
import { write } from "../http/response";
import { type PageContext, sendEmailPage } from "./context";

interface ControlRequest extends PageContext {
  /** Parts of the path that the pattern catches. */
  parts: string[];
  body: unknown;
  response: ServerResponse;
}

interface ControlRoute {
  method: string;
  /** Below `/_control`; `:name` catches a part. */
  path: string;
  /** One sentence for the index. */
  description: string;
  /** The answer's body; nothing when the handler has answered itself. */
  run: (asked: ControlRequest) => unknown;
}

/** What is wrong with a request to a control endpoint. */
class ControlError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  throw new ControlError(400, z.prettifyError(parsed.error));
}

const ok = { ok: true };

/** Example values, so that a email template can be looked at before anything is sent. */
const sample = {
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
    description: "This list.",
    run: () => ({ controls: controls.map(({ run, ...rest }) => rest) }),
  },
  {
    method: "GET",
    path: "/state",
    description: "Address, time, settings and accounts, without keys.",
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
    description: "Keys of all accounts.",
    run: ({ emulator, context }) => ({
      ...emulator.keys,
      accounts: Object.fromEntries(context.data.accounts.map((account) => [account.id, account.key])),
    }),
  },
  {
    method: "GET",
    path: "/data",
    description: "All data, as it stands in the file.",
    run: ({ emulator }) => emulator.data(),
  },
  { method: "GET", path: "/settings", description: "The settings.", run: ({ emulator }) => emulator.settings },
  {
    method: "PATCH",
    path: "/settings",
    description: "Changes the settings that the body names.",
    run: ({ emulator, body }) => configure(emulator, parseBody(z.record(z.string(), z.unknown()), body)),
  },
  {
    method: "POST",
    path: "/faults",
    description: "Adds a fault, or a list of faults, to those that are on. All count anew.",
    run: ({ emulator, body }) =>
      configure(emulator, { faults: [...emulator.settings.faults, ...([body].flat() as never[])] }),
  },
  {
    method: "DELETE",
    path: "/faults",
    description: "Switches all faults off.",
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
    description: "Empties the request log and the counts.",
    run: ({ emulator }) => {
      emulator.clearLog();
      return ok;
    },
  },
  {
    method: "GET",
    path: "/counts",
    description: "How many requests there were.",
    run: ({ emulator }) => emulator.counts(),
  },
  {
    method: "GET",
    path: "/emails",
    description: "E-mails that were sent, oldest first.",
    run: ({ emulator }) => ({ emails: emulator.sentEmails() }),
  },
  {
    method: "GET",
    path: "/emails/:id",
    description: "One e-mail, as a page.",
    run: ({ outbox, parts, response }) =>
      sendEmailPage(response, outbox.find(parts[0]!) ?? throwNotFound(`There is no e-mail ${parts[0]}.`)),
  },
  {
    method: "GET",
    path: "/deliveries",
    description: "Notifications to webhooks, oldest first.",
    run: ({ emulator }) => ({ deliveries: emulator.deliveries() }),
  },
  {
    method: "POST",
    path: "/clock",
    description: 'Turns the clock forward: {"advance": milliseconds}.',
    run: async ({ emulator, body }) => {
      const { advance } = parseBody(z.strictObject({ advance: z.number().nonnegative().max(LONGEST_SPAN) }), body);
      await emulator.advance(advance);
      return { now: emulator.now.toISOString() };
    },
  },
  {
    method: "POST",
    path: "/reset",
    description: "Begins anew from the seed, with the keys of the start.",
    run: async ({ emulator }) => {
      await emulator.reset();
      return ok;
    },
  },
  {
    method: "POST",
    path: "/accounts/:id/rotate-key",
    description: "Gives an account a new key.",
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
    description: "Ends a suspension.",
    run: async ({ emulator, context, parts }) => {
      await emulator.suspend(accountId(context, parts[0]!), false);
      return ok;
    },
  },
  {
    method: "POST",
    path: "/accounts/:id/notify",
    description: 'Tells an account\'s webhooks of an event: {"type": "add-user", "parts": {…}}.',
    run: async ({ emulator, context, parts, body }) => {
      const event = parseBody(
        z.strictObject({ type: z.enum(eventTypes), parts: z.record(z.string(), z.unknown()).optional() }),
        body,
      );
      await emulator.notify(accountId(context, parts[0]!), event.type, event.parts);
      return ok;
    },
  },
  {
    method: "GET",
    path: "/accounts/:id/emails/:type",
    description: "A branding e-mail with example values, as a page.",
    run: ({ emulator, context, parts, response }) => {
      const owner = context.findAccount(accountId(context, parts[0]!))!;
      const type =
        emailTypesOf(emulator.settings).find((t) => t === parts[1]) ?? throwNotFound(`There is no e-mail ${parts[1]}.`);
      const rest = { id: "sample", date: context.timestamp };
      sendEmailPage(response, renderEmail(owner, type, "clara@example.com", sample, rest));
    },
  },
  ...partyActions.map((action) => ({
    method: "POST",
    path: `/envelopes/:fingerprint/${action}`,
    description: `${action === "fail" ? "Lets processing fail." : `Does what a party does: ${action}.`}${action === "fail" ? "" : ' {"party": id}; without it the one whose turn it is.'}`,
    run: async ({ emulator, context, parts, body }: ControlRequest) => {
      if (!context.findEnvelope(parts[0]!)) throwNotFound(`There is no envelope ${parts[0]}.`);
      const { party } = parseBody(z.strictObject({ party: z.coerce.string().optional() }), body);
      await emulator.performAction(parts[0]!, action, party);
      return { envelope_status: context.findEnvelope(parts[0]!)?.envelope.status };
    },
  })),
];

function throwNotFound(message: string): never {
  throw new ControlError(404, message);
}

function accountId(context: PageContext["context"], id: string): string {
  return context.findAccount(id)?.id ?? throwNotFound(`There is no account ${id}.`);
}

function configure(emulator: PageContext["emulator"], settings: SettingsInput) {
  try {
    emulator.configure(settings);
  } catch (error) {
    throw new ControlError(400, (error as Error).message);
  }
  return emulator.settings;
}

const patterns = controls.map((route) => ({
  route,
  pattern: new RegExp(`^/_control${route.path.replace(/:\w+/g, "([^/]+)")}/?$`),
}));

/** Answers a control endpoint. */
export async function handleControl(
  page: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  address: URL,
): Promise<void> {
  const answer = (status: number, body: unknown) => write(response, status, `${JSON.stringify(body, null, 2)}\n`);
  try {
    const fitting = patterns.filter(({ pattern }) => pattern.test(address.pathname));
    const found = fitting.find(({ route }) => route.method === request.method);
    if (!found) {
      const message = "There is no such control; GET /_control lists them.";
      answer(fitting.length > 0 ? 405 : 404, { message });
      return;
    }
    const text = (await readBody(request)).toString("utf8");
    const body = text === "" ? undefined : json(text);
    const parts = found.pattern.exec(address.pathname)!.slice(1).map(decodePart);
    const result = await found.route.run({ ...page, parts, body, response });
    if (result !== undefined) answer(200, result);
  } catch (error) {
    if (error instanceof ControlError) answer(error.status, { message: error.message });
    else if (error instanceof InvalidAction) answer(400, { message: error.message });
    else throw error;
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return throwNotFound(`There is no ${part}: it is not escaped UTF-8.`);
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlError(400, "The body must be JSON.");
  }
}
