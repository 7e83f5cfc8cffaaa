/** The local service while it runs: its listener, its clock, its data, and what can be done to it from outside. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { parseUrl } from "../sdk/text/url";
import { World } from "./domain/context";
import type { EventType } from "./domain/enums";
import { type Actor, type PartyAction, Process, tick } from "./domain/envelope-lifecycle";
import { ApiError, InvalidAction } from "./domain/errors";
import { Outbox, type SentEmail } from "./domain/outbox";
import type { Account, Data } from "./domain/schema";
import { fromSeed, newSecret } from "./domain/seed";
import { LONGEST_SPAN, LONGEST_WAIT, parseSettings, type Settings, type SettingsInput } from "./domain/settings";
import { Store } from "./domain/store";
import { type Delivery, type Event, Notifier } from "./domain/webhook-delivery";
import { answerUnreadable } from "./http/bad-request";
import { Faults } from "./http/fault-injection";
import { type Running, serve } from "./http/handle-request";
import { Limiter } from "./http/rate-limit";
import { type Counts, type LogEntry, RequestLog } from "./http/request-log";
import { cut, write } from "./http/response";
import { type Certificate, selfSigned } from "./http/self-signed";
import type { Backstage } from "./pages/context";
import { site } from "./pages/index";
import type { Keys, Options, Service } from "./types";

type Fixed = Pick<Options, "host" | "tls" | "file" | "seed" | "clock" | "logSize" | "log">;

const SHORTEST_WAIT = 20;

export class LocalService implements Service {
  url = "";
  port = 0;
  readonly #fixed: Fixed;
  readonly #given: SettingsInput;
  #changes: SettingsInput = {};
  readonly #certificate: Certificate | undefined;
  readonly #outbox = new Outbox();
  readonly #notifier: Notifier;
  readonly #running: Running;
  #store!: Store;
  /** Gives the seed's objects the same ids and keys with each reset. */
  readonly #start = randomBytes(32);
  /** The keys that a reset brings back. */
  #first!: Keys;
  #server!: Server;
  /** Milliseconds that the clock was turned forward. */
  #turned = 0;
  #due = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(fixed: Fixed, given: SettingsInput) {
    this.#fixed = fixed;
    this.#given = given;
    const settings = parseSettings(given);
    if (typeof fixed.tls === "object") {
      this.#certificate = {
        cert: readFileSync(fixed.tls.certFile, "utf8"),
        key: readFileSync(fixed.tls.keyFile, "utf8"),
      };
    } else if (fixed.tls) this.#certificate = selfSigned();
    this.#running = {
      // The world is there as soon as the data is read.
      world: undefined as unknown as World,
      settings,
      faults: new Faults(settings),
      limiter: new Limiter(settings.rateLimit),
      log: new RequestLog(fixed.logSize ?? 10_000, fixed.log),
      retired: new Map(),
      scheme: this.#certificate ? "https" : "http",
      tick: () => this.#tick(),
      keep: () => this.#keep(),
    };
    this.#notifier = new Notifier(
      () => this.settings.notifications,
      () => this.now.getTime(),
    );
  }

  async listen(port: number | undefined): Promise<void> {
    const { file, seed, host = "127.0.0.1" } = this.#fixed;
    // Also where the file has the data: a seed that is wrong is to be told now, and not by a reset.
    const fresh = fromSeed(seed, new Date(this.#clock()), this.#start);
    this.#store = await Store.open(file, fresh);
    this.#build();
    this.#first = this.keys;
    const { data } = this.#store;
    try {
      this.#server = await this.#bind(port ?? data.port ?? 0, host, port === undefined);
    } catch (error) {
      await this.#store.close();
      throw error;
    }
    this.port = (this.#server.address() as AddressInfo).port;
    const everywhere = host === "0.0.0.0" || host === "::";
    const name = everywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
    this.url = `${this.#running.scheme}://${name}:${this.port}`;
    if (file !== undefined && port === undefined && data.port === undefined) {
      data.port = this.port;
      this.#store.changed();
    }
    this.#limitConnections();
    await this.#keep();
  }

  /** Listens. A port that is only preferred gives way to any free one. */
  async #bind(port: number, host: string, preferred: boolean): Promise<Server> {
    const listener: RequestListener = (request, response) => void this.#serve(request, response);
    // Without a host the service knows its own; Node's refusal would be none of the interface's.
    const options = { keepAliveTimeout: 60_000, requireHostHeader: false };
    const server = this.#certificate
      ? createTlsServer({ ...options, ...this.#certificate, minVersion: "TLSv1.2" }, listener)
      : createServer(options, listener);
    server.on("connection", () => this.#running.log.connected());
    server.on("clientError", answerUnreadable);
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => resolve());
      });
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      if (preferred && port !== 0) return this.#bind(0, host, false);
      throw new Error(`Port ${port} on ${host} is taken by another program.`);
    }
  }

  #clock = () => (this.#fixed.clock ?? Date.now)() + this.#turned;

  #build(): void {
    this.#due = 0;
    this.#running.world = new World({
      data: this.#store.data,
      settings: this.settings,
      clock: this.#clock,
      url: () => this.url,
      retire: (key, code) => this.#running.retired.set(key, code),
      changed: (account, envelope) => {
        // Any change may bring forward what is due next.
        this.#due = 0;
        this.#store.changed(account, envelope);
      },
    });
  }

  get #world(): World {
    return this.#running.world;
  }

  get settings(): Settings {
    return this.#running.settings;
  }

  get file(): string | undefined {
    return this.#fixed.file;
  }

  get certificate(): string | undefined {
    return this.#certificate?.cert;
  }

  get now(): Date {
    return this.#world.now;
  }

  get keys(): Keys {
    const { accounts } = this.#store.data;
    const partner = accounts.find((account) => account.partner);
    const ordinary = accounts.find((account) => !account.partner && account.parent === undefined);
    return { partner: partner?.key ?? "", account: ordinary?.key ?? "", test: partner?.testKey ?? "" };
  }

  configure(changes: SettingsInput): void {
    this.#apply(parseSettings({ ...this.#given, ...this.#changes, ...changes }), changes);
    this.#changes = { ...this.#changes, ...changes };
  }

  #apply(settings: Settings, changes: SettingsInput): void {
    const running = this.#running;
    running.settings = settings;
    running.world.parts.settings = settings;
    if ("faults" in changes || "faultSeed" in changes) running.faults = new Faults(settings);
    if ("rateLimit" in changes) running.limiter = new Limiter(settings.rateLimit);
    this.#limitConnections();
    this.#due = 0;
  }

  #limitConnections(): void {
    // Not 0: to Node 20 it is no limit, to later ones it is none at all.
    this.#server.maxConnections = this.settings.rateLimit.connections ?? Number.POSITIVE_INFINITY;
  }

  async reset(): Promise<void> {
    const { partner, account, test } = this.#first;
    this.#turned = 0;
    const fresh = fromSeed(this.#fixed.seed, new Date(this.#clock()), this.#start);
    const [first, last] = [fresh.accounts[0]!, fresh.accounts.at(-1)!];
    first.key = partner;
    first.testKey = test;
    last.key = account;
    if (this.#store.data.port !== undefined) fresh.port = this.#store.data.port;
    this.#changes = {};
    this.#store.replace(fresh);
    this.#apply(parseSettings(this.#given), { faults: [], rateLimit: {} });
    this.#build();
    this.#outbox.clear();
    this.#notifier.clear();
    this.#running.retired.clear();
    this.#running.log.clear();
    await this.#keep();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#notifier.close();
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
    return this.#running.log.entries();
  }

  counts(): Counts {
    return this.#running.log.counts();
  }

  clearLog(): void {
    this.#running.log.clear();
  }

  sentEmails(): SentEmail[] {
    return this.#outbox.all();
  }

  deliveries(): Delivery[] {
    return this.#notifier.all();
  }

  waitForDeliveries(): Promise<void> {
    return this.#notifier.settled();
  }

  async advance(milliseconds: number): Promise<void> {
    if (!(milliseconds >= 0 && milliseconds <= LONGEST_SPAN)) {
      throw new InvalidAction(
        `The clock is turned forward, by a century at most, which is ${LONGEST_SPAN} milliseconds.`,
      );
    }
    this.#turned += milliseconds;
    this.#tick();
    await this.#keep();
  }

  async rotateKey(id: string): Promise<string> {
    const account = this.#account(id);
    this.#world.retire(account.key, 10005);
    account.key = newSecret("key_");
    this.#world.changed(account);
    await this.#keep();
    return account.key;
  }

  async suspend(id: string, suspended = true): Promise<void> {
    const account = this.#account(id);
    if (suspended) account.suspended = true;
    else delete account.suspended;
    this.#world.changed(account);
    await this.#keep();
  }

  async performAction(fingerprint: string, action: PartyAction, partyId?: string, actor?: Actor): Promise<void> {
    this.#tick();
    const found = this.#world.envelope(fingerprint);
    if (!found) throw new InvalidAction(`The local service has no envelope ${fingerprint}.`);
    const { parties } = found.envelope;
    const party =
      partyId === undefined
        ? (parties.find((p) => p.status === "in progress") ?? parties[0]!)
        : parties.find((p) => p.id === partyId);
    if (!party) throw new InvalidAction(`The envelope has no party ${partyId}.`);
    const process = new Process(this.#world, found.account, found.envelope, actor);
    try {
      if (action === "fail") process.fail();
      else process[action](party);
    } catch (error) {
      // The words of its code are about a request of the interface, which this is not.
      if (!(error instanceof ApiError)) throw error;
      throw new InvalidAction(`The envelope is not ready for "${action}": ${error.detail}.`);
    }
    await this.#keep();
  }

  async notify(id: string, type: EventType, parts: Event["parts"] = {}): Promise<void> {
    this.#world.tell(this.#account(id), type, this.#world.stamp, parts);
    await this.#keep();
  }

  get #backstage(): Backstage {
    return { service: this, world: this.#world, outbox: this.#outbox };
  }

  #account(id: string): Account {
    const account = this.#world.byId(id);
    if (!account) throw new InvalidAction(`The local service has no account ${id}.`);
    return account;
  }

  #tick(): void {
    if (this.now.getTime() >= this.#due) this.#due = tick(this.#world);
  }

  async #keep(): Promise<void> {
    this.#tick();
    const world = this.#world;
    const effects = world.effects.splice(0);
    try {
      await this.#store.commit();
    } catch (error) {
      // They follow when the change is kept after all.
      world.effects.unshift(...effects);
      throw error;
    }
    for (const effect of effects) {
      if ("email" in effect) this.#outbox.add(effect.email);
      else this.#notifier.tell(effect.event, this.#world.byId(effect.event.account)?.webhooks ?? []);
    }
    this.#wake();
  }

  /** Sees to it that what is due happens in time, also when nobody asks. */
  #wake(): void {
    clearTimeout(this.#timer);
    if (this.#due === Number.POSITIVE_INFINITY) return;
    const delay = Math.min(Math.max(this.#due - this.now.getTime(), SHORTEST_WAIT), LONGEST_WAIT);
    this.#timer = setTimeout(() => void this.#keep().catch(() => {}), delay).unref();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { url: target = "/" } = request;
      // Put behind a host, so that a path which begins with two slashes is one and names no host.
      const whole = target.startsWith("/") ? `http://service${target}` : target;
      const address = parseUrl(whole, "http://service");
      const known = address && (await site(this.#backstage, request, response, address));
      if (!known) await serve(this.#running, request, response, address ?? new URL("http://service/-"));
    } catch (error) {
      // The client went away, a refusal outside the interface, or a defect: nothing may take the service down.
      if (response.headersSent || response.destroyed) return cut(response);
      const status = error instanceof ApiError ? error.status : 500;
      write(response, status, JSON.stringify({ http: status, message: (error as Error).message }));
    }
  }
}
