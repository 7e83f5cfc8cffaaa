/** The local service while it runs: its listener, its clock, its data, and what can be done to it from outside. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseUrl } from "../sdk/text/url";
import { Context } from "./domain/context";
import type { EventType } from "./domain/enums";
import { type Actor, EnvelopeLifecycle, type PartyAction, tick } from "./domain/envelope-lifecycle";
import { ApiError, InvalidAction } from "./domain/errors";
import { Outbox, type SentEmail } from "./domain/outbox";
import type { Account, Data } from "./domain/schema";
import { fromSeed, newSecret } from "./domain/seed";
import { LONGEST_SPAN, LONGEST_WAIT, parseSettings, type Settings, type SettingsInput } from "./domain/settings";
import { Store } from "./domain/store";
import { type Delivery, WebhookDispatcher, type WebhookEvent } from "./domain/webhook-delivery";
import { FaultInjector } from "./http/fault-injection";
import { handleRequest, type ServerState } from "./http/handle-request";
import { listen } from "./http/listener";
import { RateLimiter } from "./http/rate-limit";
import { type Counts, type LogEntry, RequestLog } from "./http/request-log";
import { dropConnection, write } from "./http/response";
import { type Certificate, selfSigned } from "./http/self-signed";
import type { PageContext } from "./pages/context";
import { handlePage } from "./pages/index";
import type { Emulator, Keys, Options } from "./types";

type ServerOptions = Pick<Options, "host" | "tls" | "file" | "seed" | "clock" | "logSize" | "log">;

const SHORTEST_WAIT = 20;

export class EmulatorServer implements Emulator {
  url = "";
  port = 0;
  readonly #options: ServerOptions;
  readonly #initialSettings: SettingsInput;
  #overrides: SettingsInput = {};
  readonly #certificate: Certificate | undefined;
  readonly #outbox = new Outbox();
  readonly #webhooks: WebhookDispatcher;
  readonly #state: ServerState;
  #store!: Store;
  /** Gives the seed's objects the same ids and keys with each reset. */
  readonly #seedBytes = randomBytes(32);
  /** The keys that a reset brings back. */
  #initialKeys!: Keys;
  #server!: Server;
  /** Milliseconds that the clock was turned forward. */
  #clockOffset = 0;
  #nextTickAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ServerOptions, initialSettings: SettingsInput) {
    this.#options = options;
    this.#initialSettings = initialSettings;
    const settings = parseSettings(initialSettings);
    if (typeof options.tls === "object") {
      this.#certificate = {
        cert: readFileSync(options.tls.certFile, "utf8"),
        key: readFileSync(options.tls.keyFile, "utf8"),
      };
    } else if (options.tls) this.#certificate = selfSigned();
    this.#state = {
      // The context is there as soon as the data is read.
      context: undefined as unknown as Context,
      settings,
      faults: new FaultInjector(settings),
      limiter: new RateLimiter(settings.rateLimit),
      log: new RequestLog(options.logSize ?? 10_000, options.log),
      revokedKeys: new Map(),
      scheme: this.#certificate ? "https" : "http",
      tick: () => this.#tick(),
      persist: () => this.#persist(),
    };
    this.#webhooks = new WebhookDispatcher(
      () => this.settings.notifications,
      () => this.now.getTime(),
    );
  }

  async listen(port: number | undefined): Promise<void> {
    const { file, seed, host = "127.0.0.1" } = this.#options;
    // Also where the file has the data: a seed that is wrong is to be told now, and not by a reset.
    const fresh = fromSeed(seed, new Date(this.#clock()), this.#seedBytes);
    this.#store = await Store.open(file, fresh);
    this.#createContext();
    this.#initialKeys = this.keys;
    const { data } = this.#store;
    try {
      this.#server = await listen({
        host,
        port: port ?? data.port ?? 0,
        isPreferred: port === undefined,
        certificate: this.#certificate,
        onRequest: (request, response) => void this.#handle(request, response),
        onConnection: () => this.#state.log.connected(),
      });
    } catch (error) {
      await this.#store.close();
      throw error;
    }
    this.port = (this.#server.address() as AddressInfo).port;
    const everywhere = host === "0.0.0.0" || host === "::";
    const name = everywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
    this.url = `${this.#state.scheme}://${name}:${this.port}`;
    if (file !== undefined && port === undefined && data.port === undefined) {
      data.port = this.port;
      this.#store.markChanged();
    }
    this.#limitConnections();
    await this.#persist();
  }

  #clock = () => (this.#options.clock ?? Date.now)() + this.#clockOffset;

  #createContext(): void {
    this.#nextTickAt = 0;
    this.#state.context = new Context({
      data: this.#store.data,
      settings: this.settings,
      clock: this.#clock,
      url: () => this.url,
      revokeKey: (key, code) => this.#state.revokedKeys.set(key, code),
      markChanged: (account, envelope) => {
        // Any change may bring forward what is due next.
        this.#nextTickAt = 0;
        this.#store.markChanged(account, envelope);
      },
    });
  }

  get #context(): Context {
    return this.#state.context;
  }

  get settings(): Settings {
    return this.#state.settings;
  }

  get file(): string | undefined {
    return this.#options.file;
  }

  get certificate(): string | undefined {
    return this.#certificate?.cert;
  }

  get now(): Date {
    return this.#context.now;
  }

  get keys(): Keys {
    const { accounts } = this.#store.data;
    const partner = accounts.find((account) => account.partner);
    const ordinary = accounts.find((account) => !account.partner && account.parent === undefined);
    return { partner: partner?.key ?? "", account: ordinary?.key ?? "", test: partner?.testKey ?? "" };
  }

  configure(changes: SettingsInput): void {
    this.#applySettings(parseSettings({ ...this.#initialSettings, ...this.#overrides, ...changes }), changes);
    this.#overrides = { ...this.#overrides, ...changes };
  }

  #applySettings(settings: Settings, changes: SettingsInput): void {
    const state = this.#state;
    state.settings = settings;
    state.context.options.settings = settings;
    if ("faults" in changes || "faultSeed" in changes) state.faults = new FaultInjector(settings);
    if ("rateLimit" in changes) state.limiter = new RateLimiter(settings.rateLimit);
    this.#limitConnections();
    this.#nextTickAt = 0;
  }

  #limitConnections(): void {
    // Not 0: to Node 20 it is no limit, to later ones it is none at all.
    this.#server.maxConnections = this.settings.rateLimit.connections ?? Number.POSITIVE_INFINITY;
  }

  async reset(): Promise<void> {
    const { partner, account, test } = this.#initialKeys;
    this.#clockOffset = 0;
    const fresh = fromSeed(this.#options.seed, new Date(this.#clock()), this.#seedBytes);
    const [first, last] = [fresh.accounts[0]!, fresh.accounts.at(-1)!];
    first.key = partner;
    first.testKey = test;
    last.key = account;
    if (this.#store.data.port !== undefined) fresh.port = this.#store.data.port;
    this.#overrides = {};
    this.#store.replace(fresh);
    this.#applySettings(parseSettings(this.#initialSettings), { faults: [], rateLimit: {} });
    this.#createContext();
    this.#outbox.clear();
    this.#webhooks.clear();
    this.#state.revokedKeys.clear();
    this.#state.log.clear();
    await this.#persist();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#webhooks.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    // Requests under way get their answer; one that hangs on purpose does not hold the end up.
    const limit = setTimeout(() => this.#server.closeAllConnections(), 500);
    await closed;
    clearTimeout(limit);
    await this.#store.close();
  }

  data(): Data {
    return structuredClone(this.#store.data);
  }

  requests(): LogEntry[] {
    return this.#state.log.entries();
  }

  counts(): Counts {
    return this.#state.log.counts();
  }

  clearLog(): void {
    this.#state.log.clear();
  }

  sentEmails(): SentEmail[] {
    return this.#outbox.all();
  }

  deliveries(): Delivery[] {
    return this.#webhooks.all();
  }

  waitForDeliveries(): Promise<void> {
    return this.#webhooks.whenIdle();
  }

  async advance(milliseconds: number): Promise<void> {
    if (!(milliseconds >= 0 && milliseconds <= LONGEST_SPAN)) {
      throw new InvalidAction(
        `The clock is turned forward, by a century at most, which is ${LONGEST_SPAN} milliseconds.`,
      );
    }
    this.#clockOffset += milliseconds;
    this.#tick();
    await this.#persist();
  }

  async rotateKey(id: string): Promise<string> {
    const account = this.#account(id);
    this.#context.revokeKey(account.key, 10005);
    account.key = newSecret("key_");
    this.#context.markChanged(account);
    await this.#persist();
    return account.key;
  }

  async suspend(id: string, suspended = true): Promise<void> {
    const account = this.#account(id);
    if (suspended) account.suspended = true;
    else delete account.suspended;
    this.#context.markChanged(account);
    await this.#persist();
  }

  async performAction(fingerprint: string, action: PartyAction, partyId?: string, actor?: Actor): Promise<void> {
    this.#tick();
    const target = this.#context.findEnvelope(fingerprint);
    if (!target) throw new InvalidAction(`The local service has no envelope ${fingerprint}.`);
    const { parties } = target.envelope;
    const party =
      partyId === undefined
        ? (parties.find((p) => p.status === "in progress") ?? parties[0]!)
        : parties.find((p) => p.id === partyId);
    if (!party) throw new InvalidAction(`The envelope has no party ${partyId}.`);
    const lifecycle = new EnvelopeLifecycle(this.#context, target.account, target.envelope, actor);
    try {
      if (action === "fail") lifecycle.fail();
      else lifecycle[action](party);
    } catch (error) {
      // The words of its code are about a request of the interface, which this is not.
      if (!(error instanceof ApiError)) throw error;
      throw new InvalidAction(`The envelope is not ready for "${action}": ${error.detail}.`);
    }
    await this.#persist();
  }

  async notify(id: string, type: EventType, parts: WebhookEvent["parts"] = {}): Promise<void> {
    this.#context.emit(this.#account(id), type, this.#context.timestamp, parts);
    await this.#persist();
  }

  get #page(): PageContext {
    return { emulator: this, context: this.#context, outbox: this.#outbox };
  }

  #account(id: string): Account {
    const account = this.#context.findAccount(id);
    if (!account) throw new InvalidAction(`The local service has no account ${id}.`);
    return account;
  }

  #tick(): void {
    if (this.now.getTime() >= this.#nextTickAt) this.#nextTickAt = tick(this.#context);
  }

  async #persist(): Promise<void> {
    this.#tick();
    const context = this.#context;
    const effects = context.effects.splice(0);
    try {
      await this.#store.commit();
    } catch (error) {
      // They follow when the change is kept after all.
      context.effects.unshift(...effects);
      throw error;
    }
    for (const effect of effects) {
      if ("email" in effect) this.#outbox.add(effect.email);
      else this.#webhooks.dispatch(effect.event, this.#context.findAccount(effect.event.account)?.webhooks ?? []);
    }
    this.#scheduleTick();
  }

  /** Sees to it that what is due happens in time, also when nobody asks. */
  #scheduleTick(): void {
    clearTimeout(this.#timer);
    if (this.#nextTickAt === Number.POSITIVE_INFINITY) return;
    const delay = Math.min(Math.max(this.#nextTickAt - this.now.getTime(), SHORTEST_WAIT), LONGEST_WAIT);
    this.#timer = setTimeout(() => void this.#persist().catch(() => {}), delay).unref();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { url: target = "/" } = request;
      // Put behind a host, so that a path which begins with two slashes is one and names no host.
      const whole = target.startsWith("/") ? `http://service${target}` : target;
      const address = parseUrl(whole, "http://service");
      const known = address && (await handlePage(this.#page, request, response, address));
      if (!known) await handleRequest(this.#state, request, response, address ?? new URL("http://service/-"));
    } catch (error) {
      // The client went away, a refusal outside the interface, or a defect: nothing may take the service down.
      if (response.headersSent || response.destroyed) return dropConnection(response);
      const status = error instanceof ApiError ? error.status : 500;
      write(response, status, JSON.stringify({ http: status, message: (error as Error).message }));
    }
  }
}
