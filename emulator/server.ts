/**
 * A running emulator: it holds the listener, the clock and the data.
 */
import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { notify, performAction, redeliver, rotateKey, setSuspended } from "./control-actions";
import { InvalidAction } from "./domain/api-errors";
import type { Data } from "./domain/data-schema";
import { Outbox, type SentEmail } from "./domain/emails/sent-emails";
import { parseSettings, type Settings, type SettingsInput } from "./domain/emulator-settings";
import type { EventAction } from "./domain/enums-by-edition";
import type { Actor, PartyAction } from "./domain/envelope-lifecycle";
import { clockDuration, defaultLogSize, LONGEST_SPAN, LONGEST_WAIT, latestTime } from "./domain/limits";
import { firstKeys, type Keys, setFirstKeys } from "./domain/new-account";
import { type Delivery, WebhookDispatcher } from "./domain/notifications/delivery";
import { NotifyHosts } from "./domain/notifications/notify-hosts";
import type { Members } from "./domain/notifications/payload";
import { recordOutcome } from "./domain/notifications/suspension";
import { Context } from "./domain/request-context";
import { fromSeed } from "./domain/seed/build-data";
import { Store } from "./domain/store";
import { tick } from "./domain/timed-steps";
import { AllowedHosts } from "./http/allowed-hosts";
import { type Certificate, loadCertificate } from "./http/certificate";
import { FaultInjector } from "./http/fault-injection";
import type { ServerState } from "./http/handle-request";
import { listen, urlHost } from "./http/listener";
import { RateLimiter } from "./http/rate-limit";
import { type Counts, type LogEntry, RequestLog } from "./http/request-log";
import { newControlToken } from "./pages/access";
import type { PageContext } from "./pages/page-context";
import { handleIncoming } from "./request-listener";
import { type Emulator, type Options, requireToken } from "./start-options";

type ServerOptions = Omit<Options, keyof SettingsInput>;

const SHORTEST_WAIT = 20;

const isTime = (milliseconds: number): boolean => milliseconds >= 0 && milliseconds <= latestTime;

export class EmulatorServer implements Emulator {
  url = "";
  port = 0;
  controlToken: string | undefined;
  readonly #options: ServerOptions;
  readonly #initialSettings: SettingsInput;
  #overrides: SettingsInput = {};
  readonly #certificate: Certificate | undefined;
  readonly #outbox = new Outbox();
  readonly #webhooks: WebhookDispatcher;
  readonly #state: ServerState;
  #store!: Store;
  /** With each reset the seed's objects get the same IDs and keys. */
  readonly #seedBytes = randomBytes(32);
  /** The keys that a reset restores. */
  #initialKeys!: Keys;
  #server!: Server;
  /** Milliseconds by which the clock was advanced. */
  #clockOffset = 0;
  #nextTickAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor({
    port,
    host,
    allowHosts,
    notifyHosts,
    controlToken,
    tls,
    file,
    seed,
    clock,
    logSize,
    log,
    ...initialSettings
  }: Options) {
    this.#options = { port, host, allowHosts, notifyHosts, controlToken, tls, file, seed, clock, logSize, log };
    const hosts = new NotifyHosts(notifyHosts ?? []);
    if (controlToken !== undefined) requireToken(controlToken);
    this.#initialSettings = initialSettings;
    this.#certificate = loadCertificate(tls, allowHosts ?? []);
    const settings = parseSettings(initialSettings);
    this.#state = {
      // Set as soon as the data is read.
      context: undefined as unknown as Context,
      settings,
      faults: new FaultInjector(settings),
      limiter: new RateLimiter(settings.rateLimit),
      log: new RequestLog(logSize ?? defaultLogSize, log),
      revokedKeys: new Map(),
      scheme: this.#certificate ? "https" : "http",
      allowedHosts: new AllowedHosts("127.0.0.1", []),
      notifyHosts: hosts,
      tick: () => this.#tick(),
      persist: () => this.#persist(),
    };
    this.#webhooks = new WebhookDispatcher({
      settings: () => this.settings,
      hosts,
      // A receiver's clock does not go along with one that is advanced.
      now: () => this.now.getTime() - this.#clockOffset,
      onOutcome: async ({ account, webhook, url }, succeeded) => {
        recordOutcome(this.#context, account, webhook, url, succeeded);
        await this.#persist().catch(() => {});
      },
    });
  }

  async listen(): Promise<void> {
    const { port, file, seed, host = "127.0.0.1", allowHosts = [] } = this.#options;
    if (!isTime(this.#clock())) {
      throw new Error("Options of the emulator: clock must return milliseconds since 1970, before the end of 9999");
    }
    // Even if the file has the data: an invalid seed must be reported now, not by a reset.
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
        onRequest: (request, response) => void handleIncoming(this.#state, this.#page, request, response),
        onConnection: () => this.#state.log.connected(),
      });
    } catch (error) {
      await this.#store.close();
      throw error;
    }
    const bound = this.#server.address() as AddressInfo;
    this.port = bound.port;
    this.#state.allowedHosts = new AllowedHosts(bound.address, [host, ...allowHosts]);
    const { isLocal } = this.#state.allowedHosts;
    this.controlToken = this.#options.controlToken ?? (isLocal ? undefined : newControlToken());
    this.url = `${this.#state.scheme}://${urlHost(host)}:${this.port}`;
    // Not one that was taken for the moment because the remembered one was in use, or with the port 0.
    const remembered = port === undefined ? (data.port ?? this.port) : port === 0 ? data.port : port;
    if (file !== undefined && remembered !== data.port) {
      data.port = remembered;
      this.#store.markChanged();
    }
    this.#limitConnections();
    await this.#persist();
  }

  #clock = () => (this.#options.clock ?? Date.now)() + this.#clockOffset;

  #createContext(): void {
    this.#nextTickAt = 0;
    this.#state.context = new Context({
      data: () => this.#store.data,
      settings: this.settings,
      clock: this.#clock,
      url: () => this.url,
      revokeKey: (key, code) => this.#state.revokedKeys.set(key, code),
      markChanged: (account, envelope) => {
        // Any change may be due earlier than what is scheduled.
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
    return firstKeys(this.#store.data.accounts);
  }

  configure(settings: SettingsInput): void {
    // A setting that is undefined is not mentioned.
    const changes = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
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
    // Not 0: Node 20 reads it as no limit, later versions as no connections.
    this.#server.maxConnections = this.settings.rateLimit.connections ?? Number.POSITIVE_INFINITY;
  }

  async reset(): Promise<void> {
    this.#clockOffset = 0;
    const fresh = fromSeed(this.#options.seed, new Date(this.#clock()), this.#seedBytes);
    setFirstKeys(fresh.accounts, this.#initialKeys);
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
    this.#isClosing = true;
    clearTimeout(this.#timer);
    this.#webhooks.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    // Requests in progress get their response; one that hangs on purpose does not delay the end.
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
    if (!clockDuration.safeParse(milliseconds).success) {
      throw new InvalidAction(`The clock can only be advanced, by at most a century (${LONGEST_SPAN} milliseconds).`);
    }
    if (!isTime(this.#clock() + milliseconds)) throw new InvalidAction("The clock ends with the year 9999.");
    this.#clockOffset += milliseconds;
    this.#tick();
    await this.#persist();
  }

  async rotateKey(account: string): Promise<string> {
    const key = rotateKey(this.#context, account);
    await this.#persist();
    return key;
  }

  async suspend(account: string, suspended = true): Promise<void> {
    setSuspended(this.#context, account, suspended);
    await this.#persist();
  }

  async performAction(envelope: string, action: PartyAction, party?: string, actor?: Actor): Promise<void> {
    this.#tick();
    performAction(this.#context, envelope, action, party, actor);
    await this.#persist();
  }

  async notify(account: string, action: EventAction, members?: Members): Promise<void> {
    notify(this.#context, account, action, members);
    await this.#persist();
  }

  redeliver(id: string): void {
    redeliver(this.#context, this.#webhooks, id);
  }

  get #page(): PageContext {
    return { emulator: this, context: this.#context, outbox: this.#outbox };
  }

  #tick(): void {
    if (this.now.getTime() >= this.#nextTickAt) this.#nextTickAt = tick(this.#context);
  }

  async #persist(): Promise<void> {
    this.#tick();
    const sideEffects = this.#context.sideEffects.splice(0);
    await this.#store.commit().catch((error) => {
      // What was due and could not be saved is due again.
      this.#nextTickAt = 0;
      throw error;
    });
    for (const effect of sideEffects) {
      if ("email" in effect) this.#outbox.add(effect.email);
      else this.#webhooks.dispatch(effect.event, this.#context.findAccount(effect.event.account)?.webhooks ?? []);
    }
    this.#scheduleTick();
  }

  /** Runs what is due on time, even without requests. */
  #scheduleTick(): void {
    clearTimeout(this.#timer);
    // When it is closed, the file may be another emulator's.
    if (this.#isClosing || this.#nextTickAt === Number.POSITIVE_INFINITY) return;
    const delay = Math.min(Math.max(this.#nextTickAt - this.now.getTime(), SHORTEST_WAIT), LONGEST_WAIT);
    this.#timer = setTimeout(() => void this.#persist().catch(() => {}), delay).unref();
  }
}
