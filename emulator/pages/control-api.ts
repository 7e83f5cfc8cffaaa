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
import { type Backstage, showEmail } from "./context";

interface Asked extends Backstage {
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
  run: (asked: Asked) => unknown;
}

/** What is wrong with a request to a control endpoint. */
class Mistake extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  throw new Mistake(400, z.prettifyError(parsed.error));
}

const ok = { ok: true };

/** Example values, so that a branding e-mail can be looked at before anything is sent. */
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
    run: ({ service, world }) => ({
      url: service.url,
      now: world.now.toISOString(),
      settings: service.settings,
      accounts: world.data.accounts.map((account) => ({
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
    run: ({ service, world }) => ({
      ...service.keys,
      accounts: Object.fromEntries(world.data.accounts.map((account) => [account.id, account.key])),
    }),
  },
  {
    method: "GET",
    path: "/data",
    description: "All data, as it stands in the file.",
    run: ({ service }) => service.data(),
  },
  { method: "GET", path: "/settings", description: "The settings.", run: ({ service }) => service.settings },
  {
    method: "PATCH",
    path: "/settings",
    description: "Changes the settings that the body names.",
    run: ({ service, body }) => configure(service, read(z.record(z.string(), z.unknown()), body)),
  },
  {
    method: "POST",
    path: "/faults",
    description: "Adds a fault, or a list of faults, to those that are on. All count anew.",
    run: ({ service, body }) =>
      configure(service, { faults: [...service.settings.faults, ...([body].flat() as never[])] }),
  },
  {
    method: "DELETE",
    path: "/faults",
    description: "Switches all faults off.",
    run: ({ service }) => configure(service, { faults: [] }),
  },
  {
    method: "GET",
    path: "/requests",
    description: "The request log, oldest first.",
    run: ({ service }) => ({ requests: service.requests() }),
  },
  {
    method: "DELETE",
    path: "/requests",
    description: "Empties the request log and the counts.",
    run: ({ service }) => {
      service.clearLog();
      return ok;
    },
  },
  {
    method: "GET",
    path: "/counts",
    description: "How many requests there were.",
    run: ({ service }) => service.counts(),
  },
  {
    method: "GET",
    path: "/emails",
    description: "E-mails that were sent, oldest first.",
    run: ({ service }) => ({ emails: service.sentEmails() }),
  },
  {
    method: "GET",
    path: "/emails/:id",
    description: "One e-mail, as a page.",
    run: ({ outbox, parts, response }) =>
      showEmail(response, outbox.find(parts[0]!) ?? absent(`There is no e-mail ${parts[0]}.`)),
  },
  {
    method: "GET",
    path: "/deliveries",
    description: "Notifications to webhooks, oldest first.",
    run: ({ service }) => ({ deliveries: service.deliveries() }),
  },
  {
    method: "POST",
    path: "/clock",
    description: 'Turns the clock forward: {"advance": milliseconds}.',
    run: async ({ service, body }) => {
      const { advance } = read(z.strictObject({ advance: z.number().nonnegative().max(LONGEST_SPAN) }), body);
      await service.advance(advance);
      return { now: service.now.toISOString() };
    },
  },
  {
    method: "POST",
    path: "/reset",
    description: "Begins anew from the seed, with the keys of the start.",
    run: async ({ service }) => {
      await service.reset();
      return ok;
    },
  },
  {
    method: "POST",
    path: "/accounts/:id/rotate-key",
    description: "Gives an account a new key.",
    run: async ({ service, world, parts }) => ({ key: await service.rotateKey(account(world, parts[0]!)) }),
  },
  {
    method: "POST",
    path: "/accounts/:id/suspend",
    description: "Suspends an account.",
    run: async ({ service, world, parts }) => {
      await service.suspend(account(world, parts[0]!));
      return ok;
    },
  },
  {
    method: "POST",
    path: "/accounts/:id/resume",
    description: "Ends a suspension.",
    run: async ({ service, world, parts }) => {
      await service.suspend(account(world, parts[0]!), false);
      return ok;
    },
  },
  {
    method: "POST",
    path: "/accounts/:id/notify",
    description: 'Tells an account\'s webhooks of an event: {"type": "add-user", "parts": {…}}.',
    run: async ({ service, world, parts, body }) => {
      const event = read(
        z.strictObject({ type: z.enum(eventTypes), parts: z.record(z.string(), z.unknown()).optional() }),
        body,
      );
      await service.notify(account(world, parts[0]!), event.type, event.parts);
      return ok;
    },
  },
  {
    method: "GET",
    path: "/accounts/:id/emails/:type",
    description: "A branding e-mail with example values, as a page.",
    run: ({ service, world, parts, response }) => {
      const owner = world.byId(account(world, parts[0]!))!;
      const type =
        emailTypesOf(service.settings).find((t) => t === parts[1]) ?? absent(`There is no e-mail ${parts[1]}.`);
      const rest = { id: "sample", date: world.stamp };
      showEmail(response, renderEmail(owner, type, "clara@example.com", sample, rest));
    },
  },
  ...partyActions.map((action) => ({
    method: "POST",
    path: `/envelopes/:fingerprint/${action}`,
    description: `${action === "fail" ? "Lets processing fail." : `Does what a party does: ${action}.`}${action === "fail" ? "" : ' {"party": id}; without it the one whose turn it is.'}`,
    run: async ({ service, world, parts, body }: Asked) => {
      if (!world.envelope(parts[0]!)) absent(`There is no envelope ${parts[0]}.`);
      const { party } = read(z.strictObject({ party: z.coerce.string().optional() }), body);
      await service.performAction(parts[0]!, action, party);
      return { envelope_status: world.envelope(parts[0]!)?.envelope.status };
    },
  })),
];

function absent(message: string): never {
  throw new Mistake(404, message);
}

function account(world: Backstage["world"], id: string): string {
  return world.byId(id)?.id ?? absent(`There is no account ${id}.`);
}

function configure(service: Backstage["service"], settings: SettingsInput) {
  try {
    service.configure(settings);
  } catch (error) {
    throw new Mistake(400, (error as Error).message);
  }
  return service.settings;
}

const patterns = controls.map((route) => ({
  route,
  pattern: new RegExp(`^/_control${route.path.replace(/:\w+/g, "([^/]+)")}/?$`),
}));

/** Answers a control endpoint. */
export async function control(
  backstage: Backstage,
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
    const parts = found.pattern.exec(address.pathname)!.slice(1).map(unescaped);
    const result = await found.route.run({ ...backstage, parts, body, response });
    if (result !== undefined) answer(200, result);
  } catch (error) {
    if (error instanceof Mistake) answer(error.status, { message: error.message });
    else if (error instanceof InvalidAction) answer(400, { message: error.message });
    else throw error;
  }
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return absent(`There is no ${part}: it is not escaped UTF-8.`);
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Mistake(400, "The body must be JSON.");
  }
}
