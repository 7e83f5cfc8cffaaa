/** Hooks in this process, over real HTTP against the local service: each phase has a process of its own in the engine, here a session. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import type { Clock } from "../../provider/core/clock";
import { providerText } from "../../provider/core/provider-text";
import type { Properties } from "../../provider/core/pulumi-values";
import { unwrap } from "../../provider/core/pulumi-values";
import { createHandlers, type Handler } from "../../provider/hooks";
import { endPendingCreate } from "../../provider/recovery/pending-create-file";
import type { HandlerName } from "../../provider/resources/index";
import { Session } from "../../provider/session/session";
import { instanceIdIn, metadataKey } from "../../provider/state/metadata";
import { allEndpoints, type Client, connect } from "../../sdk";
import type { BrandingEmailRecord } from "../../sdk/api/branding";
import { pluginHandlers } from "../plugin/handlers";
import { virtualClock } from "../virtual-clock";

/** True where the tests of the provider try the plugin (see `test/plugin/handlers.ts`) instead of the handlers of the dynamic form. */
export const isPlugin = process.env.ESIGN_ADAPTER === "plugin";

export interface Phase extends Record<HandlerName, Handler> {
  session: Session;
  /** The messages that were shown. */
  said: string[];
}

/** A service, and phases of an engine that work on it. */
export class Stage {
  directory = "";
  /** How long the hooks wait. */
  clock: Clock = virtualClock;

  /** With the settings of the partner's account, unless there are others. */
  constructor(
    readonly service: Emulator,
    public settings: Record<string, string> = { apiKey: service.keys.partner, baseUrl: service.url },
  ) {
    this.forget();
  }

  /** Begins in an empty folder. */
  forget(): void {
    this.directory = mkdtempSync(join(tmpdir(), "esign-provider-"));
  }

  /** Begins again: the service as it was at first, an empty folder, and the partner's settings with these. */
  async renew(more: Record<string, string> = {}): Promise<void> {
    await this.service.reset();
    this.forget();
    this.clock = virtualClock;
    this.settings = { apiKey: this.service.keys.partner, baseUrl: this.service.url, ...more };
  }

  /** The engine has answered the program: what was created is in the state. */
  acknowledge({ outs }: { outs: Properties }): void {
    endPendingCreate(this.directory, instanceIdIn(unwrap(outs[metadataKey])));
  }

  /** A client of the partner's account, as many of whose requests may be in progress as of the hooks: some are held. */
  get client() {
    const { maxConcurrency } = this.settings;
    const limits = maxConcurrency !== undefined && { maxConcurrency: Number(maxConcurrency) };
    return connect({ baseUrl: this.service.url, apiKey: this.service.keys.partner, ...limits });
  }

  /** The requests that were to change something. */
  writes() {
    return this.service.requests().filter(({ method }) => method !== "GET");
  }

  /** The invitation's email template as it is now, without the time, which nothing restores. */
  async template() {
    const { branding_emails } = await this.client.branding.emails();
    const { branding_email_updated: _, ...template } = branding_emails.find(
      ({ branding_email_type: type }) => type === "email-send",
    )!;
    return template;
  }

  async create(handler: HandlerName, args: Properties, phase = this.phase()): Promise<Managed> {
    const { id, outs } = await phase[handler].create(wired(handler, args));
    return new Managed(this, handler, id, wired(handler, outs), phase.said.join());
  }

  /** A session alone, with the settings. */
  session(): Session {
    const session = new Session({
      ...{ directory: this.directory, environment: {}, log: () => undefined },
      ...{ clock: this.clock, temporary: this.directory },
    });
    session.connection.configure({ get: (key) => this.settings[key.replace(/^esign:/, "")] });
    return session;
  }

  /** The hooks of a new phase; those of the same `run` are as the processes of an engine's run. */
  phase(settings: Record<string, string> = {}, run = "", environment: NodeJS.ProcessEnv = {}): Phase {
    const said: string[] = [];
    const say = (line: string) => said.push(line);
    const session = new Session({
      directory: this.directory,
      environment,
      log: say,
      clock: this.clock,
      temporary: this.directory,
      ...(run !== "" && { engine: run }),
    });
    const handlers = isPlugin ? pluginHandlers(session, environment) : createHandlers(session);
    const config = { ...this.settings, ...settings };
    void handlers.webhook.configure({ config: { get: (key) => config[key.replace(/^esign:/, "")] } });
    return { ...handlers, session, said };
  }
}

/** A resource as the state has it. A hook changes nothing in it: what the state has afterwards is another one. */
export class Managed {
  constructor(
    readonly world: Stage,
    readonly handler: HandlerName,
    readonly id: string,
    readonly outs: Properties,
    /** What the hook said. */
    readonly said = "",
    readonly inputs: Properties = {},
  ) {}

  /** With other properties in the state. */
  having(properties: Properties): Managed {
    return new Managed(this.world, this.handler, this.id, wired(this.handler, properties));
  }

  plan(args: Properties, phase = this.world.phase()) {
    return phase[this.handler].diff(this.id, this.outs, wired(this.handler, args));
  }

  async differs(args: Properties, phase = this.world.phase()): Promise<boolean> {
    return (await this.plan(args, phase)).changes;
  }

  async update(args: Properties, phase = this.world.phase()): Promise<Managed> {
    const { outs } = await phase[this.handler].update(this.id, this.outs, wired(this.handler, args));
    return new Managed(this.world, this.handler, this.id, wired(this.handler, outs), phase.said.join());
  }

  /** With an empty id when it is gone. */
  async read(phase = this.world.phase()): Promise<Managed> {
    const { id, props = {}, inputs = {} } = await phase[this.handler].read(this.id, this.outs);
    const { handler } = this;
    return new Managed(this.world, handler, id, wired(handler, props), phase.said.join(), wired(handler, inputs));
  }

  /** Answers what it said. */
  async delete(phase = this.world.phase()): Promise<string> {
    await phase[this.handler].delete(this.id, this.outs);
    return phase.said.join();
  }
}

export async function stage(options: Parameters<typeof start>[0] = {}): Promise<Stage> {
  return new Stage(await start({ clock: virtualClock.date, ...options }));
}

/** Properties as the engine hands them on: with the provider's text, through the wire, without secret envelopes. */
export function wired(handler: HandlerName, properties: Properties): Properties {
  return unwrap(JSON.parse(JSON.stringify({ ...properties, __provider: providerText(handler) }))) as Properties;
}

/** The picture at an address, which may be another one each time. */
export async function pictureAt(url: string | null | undefined): Promise<string | undefined> {
  if (!url) return undefined;
  return Buffer.from(await (await fetch(url)).arrayBuffer()).toString("base64");
}

/** Each read that needs no argument, so that what is added to the API is in it, too. */
const reads = allEndpoints.filter(
  ({ endpoint: { method, params } }) => method === "GET" && Object.keys(params.shape).length === 0,
);

/** All that the service tells of an account, but for the times of emails, which cannot be restored. */
export async function snapshot(client: Client): Promise<unknown> {
  const all: Record<string, unknown> = {};
  for (const { group, operation, endpoint } of reads) {
    const call = (client[group] as unknown as Record<string, () => Promise<object> & { all(): Promise<object[]> }>)[
      operation
    ]!;
    const read = endpoint.list === undefined ? call() : call().all();
    // A subaccount has no list of subaccounts.
    all[`${group}.${operation}`] = await (endpoint.partner ? read.catch(() => []) : read);
  }
  const {
    "branding.get": branding,
    "branding.emails": emails,
    ...others
  } = all as {
    "branding.get": Awaited<ReturnType<Client["branding"]["get"]>>;
    "branding.emails": { branding_emails: BrandingEmailRecord[] };
  };
  return {
    ...others,
    branding: { ...branding, branding_logo: await pictureAt(branding.branding_logo) },
    emails: emails.branding_emails.map(({ branding_email_updated: _, ...email }) => email),
  };
}
