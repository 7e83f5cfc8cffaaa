/** The local service: listens, takes requests through their stages, and offers tests a handle on everything. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type Answer, cut, isSpoiler, send, write } from "./answer";
import { type Asked, admit, perform, refusal } from "./api";
import { type Code, Refusal, refuse } from "./codes";
import type { Account } from "./data";
import { Faults, type Strike } from "./faults";
import { Limiter } from "./limiter";
import { type Counts, keyFingerprint, type LogEntry, RequestLog } from "./log";
import { Mailbox } from "./mail";
import { basicKey, formFields, isForm, readBody } from "./request";
import { choose, match } from "./router";
import { fromSeed, newSecret, type Seed } from "./seed";
import { type Fault, parseSettings, type Settings, type SettingsInput } from "./settings";
import { Store } from "./store";
import { World } from "./world";

/** How to start the service: where it listens and keeps its data, and any of the settings. */
export interface Options extends SettingsInput {
  /** Port; 0 takes a free one. Default: 0. */
  port?: number | undefined;
  /** Address to listen on. Default: 127.0.0.1. */
  host?: string | undefined;
  /** File to keep the data in. It is read when it exists. Default: the data is kept in memory. */
  file?: string | undefined;
  /** What the data begins with, unless the file exists. Default: a partner and an ordinary account. */
  seed?: Seed | undefined;
  /** Milliseconds since 1970, as the service sees them. Default: the computer's clock. */
  clock?: (() => number) | undefined;
  /** Most entries of the request log. Default: 10000. */
  logSize?: number | undefined;
  /** Called for each request. */
  log?: ((entry: LogEntry) => void) | undefined;
}

/** Keys of the accounts that the data begins with. */
export interface Keys {
  /** Partner-enabled. */
  partner: string;
  /** The ordinary account's. */
  account: string;
  /** The partner's test key, whose writes change nothing. */
  test: string;
}

/** A service that runs. */
export interface Service {
  /** Base address, without `/v1`. */
  readonly url: string;
  readonly port: number;
  readonly keys: Keys;
  /** Begins anew from the seed, with the same keys; settings, log, letters and time as at the start. */
  reset(): Promise<void>;
  /** Stops; resolves when the data is kept and all connections are closed. */
  close(): Promise<void>;
  /** Changes settings; those that are not named stay. Counters of the faults begin anew when `faults` is named. */
  configure(settings: SettingsInput): void;
  readonly settings: Settings;
  /** The data, as a copy. */
  data(): World["data"];
  /** Requests, oldest first. */
  requests(): LogEntry[];
  counts(): Counts;
  clearLog(): void;
  /** Gives an account a new key and answers it; the old one is refused from then on. */
  rotateKey(account: string): Promise<string>;
  /** Suspends an account, or ends that. */
  suspend(account: string, suspended?: boolean): Promise<void>;
  /** Turns the service's clock forward by milliseconds. */
  advance(milliseconds: number): Promise<void>;
}

/** Starts a service of its own in this process. */
export async function start(options: Options = {}): Promise<Service> {
  const { port, host, file, seed, clock, logSize, log, ...settings } = options;
  const service = new LocalService({ host, file, seed, clock, logSize, log }, settings);
  await service.listen(port ?? 0);
  return service;
}

type Fixed = Pick<Options, "host" | "file" | "seed" | "clock" | "logSize" | "log">;

class LocalService implements Service {
  readonly #initial: Settings;
  readonly #given: SettingsInput;
  #changes: SettingsInput = {};
  settings: Settings;
  #faults!: Faults;
  #limiter!: Limiter;
  #store!: Store;
  #world!: World;
  #turned = 0;
  #server!: Server;
  readonly #log: RequestLog;
  readonly #letters = new Mailbox();
  /** Keys that once opened an account, and how they are refused since. */
  readonly #retired = new Map<string, Code>();
  url = "";
  port = 0;

  constructor(
    readonly fixed: Fixed,
    given: SettingsInput,
  ) {
    this.#given = given;
    this.#initial = parseSettings(given);
    this.settings = this.#initial;
    this.#log = new RequestLog(fixed.logSize ?? 10_000, fixed.log);
    this.#arm();
  }

  async listen(port: number): Promise<void> {
    this.#store = await Store.open(this.fixed.file, () => fromSeed(this.fixed.seed, new Date(this.#now())));
    this.#makeWorld();
    const host = this.fixed.host ?? "127.0.0.1";
    const listener: RequestListener = (request, response) => void this.#serve(request, response);
    this.#server = createServer({ keepAliveTimeout: 60_000 }, listener);
    this.#server.on("connection", () => this.#log.connected());
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => resolve());
    });
    this.port = (this.#server.address() as AddressInfo).port;
    const name = host.includes(":") ? `[${host}]` : host;
    this.url = `http://${name === "0.0.0.0" || name === "[::]" ? "127.0.0.1" : name}:${this.port}`;
    this.#limitConnections();
  }

  #now = () => (this.fixed.clock ?? Date.now)() + this.#turned;

  #makeWorld(): void {
    this.#world = new World({
      data: this.#store.data,
      settings: this.settings,
      clock: this.#now,
      changed: (account) => this.#store.changed(account),
    });
  }

  get keys(): Keys {
    const { accounts } = this.#store.data;
    const partner = accounts.find((account) => account.partner);
    const ordinary = accounts.find((account) => !account.partner && account.parent === undefined);
    return { partner: partner?.key ?? "", account: ordinary?.key ?? "", test: partner?.testKey ?? "" };
  }

  configure(changes: SettingsInput): void {
    const all = { ...this.#given, ...this.#changes, ...changes };
    const settings = parseSettings(all);
    this.#changes = { ...this.#changes, ...changes };
    this.settings = settings;
    this.#world.parts.settings = settings;
    if (changes.faults !== undefined || changes.faultSeed !== undefined) this.#faults = new Faults(settings);
    if (changes.rateLimit !== undefined) this.#limiter = new Limiter(settings.rateLimit);
    this.#limitConnections();
  }

  #arm(): void {
    this.#faults = new Faults(this.settings);
    this.#limiter = new Limiter(this.settings.rateLimit);
  }

  #limitConnections(): void {
    this.#server.maxConnections = this.settings.rateLimit.connections ?? Number.POSITIVE_INFINITY;
  }

  async reset(): Promise<void> {
    const { partner, account, test } = this.keys;
    const fresh = fromSeed(this.fixed.seed, new Date(this.#now()));
    const [first, last] = [fresh.accounts[0]!, fresh.accounts.at(-1)!];
    first.key = partner;
    first.testKey = test;
    last.key = account;
    this.settings = this.#initial;
    this.#changes = {};
    this.#turned = 0;
    this.#arm();
    this.#store.replace(fresh);
    this.#makeWorld();
    this.#letters.clear();
    this.#retired.clear();
    this.#log.clear();
    this.#limitConnections();
    await this.#store.commit();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    // Requests under way get their answer; one that hangs on purpose does not hold the end up.
    const limit = setTimeout(() => this.#server.closeAllConnections(), 500);
    await closed;
    clearTimeout(limit);
    await this.#store.commit();
  }

  data() {
    return structuredClone(this.#store.data);
  }

  requests(): LogEntry[] {
    return this.#log.entries();
  }

  counts(): Counts {
    return this.#log.counts();
  }

  clearLog(): void {
    this.#log.clear();
  }

  #account(id: string): Account {
    const account = this.#world.byId(id);
    if (!account) throw new Error(`The local service has no account ${id}.`);
    return account;
  }

  async rotateKey(id: string): Promise<string> {
    const account = this.#account(id);
    this.#retired.set(account.key, 10005);
    account.key = newSecret("key_");
    this.#store.changed(account);
    await this.#store.commit();
    return account.key;
  }

  async suspend(id: string, suspended = true): Promise<void> {
    const account = this.#account(id);
    if (suspended) account.suspended = true;
    else delete account.suspended;
    this.#store.changed(account);
    await this.#store.commit();
  }

  async advance(milliseconds: number): Promise<void> {
    this.#turned += milliseconds;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = URL.canParse(request.url ?? "/", "http://service")
      ? new URL(request.url ?? "/", "http://service")
      : undefined;
    try {
      await this.#api(request, response, address ?? new URL("http://service/"));
    } catch (error) {
      // The client went away, or a defect of ours: nothing may take the service down.
      if (!response.headersSent && !response.destroyed) {
        write(
          response,
          500,
          JSON.stringify({ http: 500, message: `The local service failed: ${(error as Error).message}` }),
        );
      } else cut(response);
    }
  }

  /** A request of the interface, from its log entry to its answer. */
  async #api(request: IncomingMessage, response: ServerResponse, address: URL): Promise<void> {
    const began = performance.now();
    const method = request.method ?? "GET";
    const key = basicKey(request.headers.authorization);
    const entry: Omit<LogEntry, "n" | "elapsed"> = {
      time: this.#world.now.toISOString(),
      method,
      path: address.pathname + address.search,
      status: 0,
      ...(key === undefined ? {} : { key: keyFingerprint(key) }),
    };
    response.setHeader("date", this.#world.now.toUTCString());
    this.#log.begin();
    try {
      await this.#stages(request, response, address, key, entry);
    } finally {
      this.#log.end({ ...entry, elapsed: Math.round((performance.now() - began) * 10) / 10 });
    }
  }

  async #stages(
    request: IncomingMessage,
    response: ServerResponse,
    address: URL,
    key: string | undefined,
    entry: Omit<LogEntry, "n" | "elapsed">,
  ): Promise<void> {
    const body = await readBody(request);
    const form = isForm(request.headers["content-type"], body) ? formFields(body) : {};
    const matched = match(entry.method, address.pathname);
    const route = matched.kind === "route" ? choose(matched.routes, form) : undefined;
    if (route) entry.operation = route.name;
    if (Object.keys(form).length > 0) entry.fields = Object.keys(form);
    const known = key === undefined ? undefined : this.#world.byKey(key);
    if (known) entry.account = known.account.id;

    const strike: Strike = this.#faults.draw({
      method: entry.method,
      path: address.pathname,
      operation: route?.name,
      account: known?.account.id,
      form,
    });
    const { fault } = strike;
    if (fault) entry.fault = fault.kind;
    const leave = this.#limiter.enter(key ?? "", this.#now());
    if (typeof leave === "number") {
      entry.status = this.#tooMany(response, leave);
      return;
    }
    try {
      const delay = this.settings.latency + strike.delay;
      if (delay > 0) await wait(delay);
      if (response.destroyed) return;
      if (fault?.kind === "cut-before") return cut(response);
      if (fault?.kind === "status") {
        entry.status = this.#plainFault(response, fault);
        return;
      }
      const spoiler = fault && isSpoiler(fault) ? fault : undefined;
      const skipped = spoiler !== undefined && "commit" in spoiler && spoiler.commit === false;
      const answer = skipped
        ? { status: 200, body: { http: 200 } }
        : this.#decide(
            () => {
              if (matched.kind === "unknown") return { status: 404, body: { message: "There is no such address." } };
              if (!known) refuse((key !== undefined && this.#retired.get(key)) || 10002);
              if (matched.kind === "refused") refuse(matched.code);
              if (fault?.kind === "error") throw new Refusal(fault.code as Code, fault.message);
              if (!isForm(request.headers["content-type"], body)) refuse(10007);
              admit(known.account, route!);
              const asked: Asked = {
                route: route!,
                params: matched.params,
                form,
                query: address.searchParams,
                account: known.account,
                test: known.test || fault?.kind === "test",
                origin: `http://${request.headers.host ?? new URL(this.url).host}`,
                from: { ip: request.socket.remoteAddress ?? "", userAgent: request.headers["user-agent"] ?? "" },
              };
              const otherwise = fault?.kind === "other-ids" ? this.#misdirected(asked) : asked;
              return perform(this.#world, otherwise);
            },
            known?.account,
            address.pathname,
          );
      await this.#store.commit();
      if (fault?.kind === "error" && fault.status !== undefined) answer.status = fault.status;
      if (typeof answer.body.code === "number") entry.code = answer.body.code;
      entry.status = await send(response, answer, spoiler);
    } finally {
      leave();
    }
  }

  /** A handler's answer, or the refusal that it threw. */
  #decide(handle: () => Answer, account: Account | undefined, url: string): Answer {
    try {
      return handle();
    } catch (error) {
      if (error instanceof Refusal) return refusal(error, this.settings, account, url);
      throw error;
    }
  }

  /** The same request for another object of the account, as far as there is one. */
  #misdirected(asked: Asked): Asked {
    if (asked.route.endpoint.method !== "GET") return asked;
    const ids: Record<string, string[]> = {
      webhook_id: asked.account.webhooks.map((webhook) => webhook.id),
      company_id: this.#world.companies(asked.account).map((company) => company.id),
      envelope_fingerprint: asked.account.envelopes.map((envelope) => envelope.fingerprint),
    };
    const params = Object.entries(asked.params).map(([name, value]) => [
      name,
      ids[name]?.find((id) => id !== value) ?? value,
    ]);
    return { ...asked, params: Object.fromEntries(params) };
  }

  #tooMany(response: ServerResponse, seconds: number): number {
    const style = this.settings.rateLimit.retryAfter ?? "seconds";
    return write(
      response,
      429,
      JSON.stringify({ http: 429, message: "Too many requests." }),
      undefined,
      this.#retryAfter(seconds, style),
    );
  }

  #retryAfter(seconds: number, style: "seconds" | "date" | "none"): Record<string, string> {
    if (style === "none") return {};
    // A date has no parts of a second, and "0" says nothing: both are rounded up.
    if (style === "seconds") return { "retry-after": String(Math.ceil(seconds)) };
    return { "retry-after": new Date(Math.ceil(this.#world.now.getTime() / 1000 + seconds) * 1000).toUTCString() };
  }

  #plainFault(response: ServerResponse, fault: Extract<Fault, { kind: "status" }>): number {
    const headers =
      fault.retryAfter === undefined ? {} : this.#retryAfter(fault.retryAfter, fault.retryAfterStyle ?? "seconds");
    if (fault.body === "empty") return write(response, fault.status, "", "text/plain", headers);
    if (fault.body === "html") {
      return write(response, fault.status, `<html><body><h1>${fault.status}</h1></body></html>`, "text/html", headers);
    }
    const body = {
      http: fault.status,
      message: fault.status === 429 ? "Too many requests." : "The service is not available.",
    };
    return write(response, fault.status, JSON.stringify(body), undefined, headers);
  }
}
