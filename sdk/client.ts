/** The client: a method for every endpoint value, with its types derived. */
import { z } from "zod";
import { faultOfBase, faultOfKey } from "./access";
import { type Areas, allEndpoints } from "./areas";
import { Connection, type Settings } from "./call";
import { faultsOf, type Operation, operation } from "./check";
import { CompanyKeys } from "./company-keys";
import type { KeySource } from "./credentials";
import type { Endpoint, ListShape } from "./endpoint";
import { InputError } from "./errors";
import { listing } from "./listing";
import { Redactor } from "./redact";
import type { Manners } from "./walk";
import { idInput } from "./wire";

/** How to reach an account. Defaults are in parentheses. */
export interface ConnectOptions {
  /** Base address, without `/v1`. HTTPS, except for loopback (§5). */
  baseUrl: string;
  /**
   * The account's key (§5), or a function that finds it when the first request needs it. The function is asked again, with
   * the key that was refused, after an answer 401.
   */
  apiKey: string | ((refused?: string) => string | Promise<string>);
  /** Most requests in flight at once, shared by all clients of one address in this process (8). */
  maxConcurrency?: number;
  /** Most requests begun per second, shared by all clients of one address and key in this process (no limit). */
  requestsPerSecond?: number;
  /**
   * Milliseconds for one call, attempts and waits between them included (30000). The clock starts with the call's first
   * turn: the time that it waits behind other calls of this process does not count.
   */
  timeout?: number;
  /** Records asked for per page of a list (50). */
  pageSize?: number;
  /** Most repetitions of a call that is safe to repeat (5). */
  retries?: number;
  /** Let values through that this version does not know, such as a new webhook type (false). */
  allowUnknownValues?: boolean;
  /** Called before each attempt. Holds no key. */
  onRequest?: (event: RequestEvent) => void;
  /** Called after each attempt. Holds no key. */
  onResponse?: (event: ResponseEvent) => void;
}

/** An attempt that is about to be sent. */
export interface RequestEvent {
  operation: string;
  method: string;
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
}

/** How an attempt ended. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status; absent when no answer came. */
  status?: number;
  /** Milliseconds from the begin of the attempt. */
  elapsed: number;
  /** What went wrong, redacted. */
  error?: string;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call early. */
  signal?: AbortSignal;
  /** Milliseconds for this call, instead of the client's. */
  timeout?: number;
}

type RequiredKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

/** zod infers an index signature for an object without members, which would refuse every member when intersected. */
type Members<T> = string extends keyof T ? unknown : T;
/** What a caller gives: path parameters and form fields in one object. */
export type Input<E> = E extends Endpoint<infer P, infer F> ? Members<z.input<P>> & Members<z.input<F>> : never;
/** What a call resolves to. */
export type Reply<E> = E extends Endpoint<infer _P, infer _F, infer R> ? z.output<R> : never;
/** One item of a list endpoint. */
export type Item<E> = E extends { list: { items: infer K extends string } }
  ? Reply<E> extends { [k in K]: readonly (infer T)[] }
    ? T
    : never
  : never;

/** Where to begin a list and how much to ask for at a time. */
export interface PageOptions extends CallOptions {
  /** Position of the first record, counted from 1 (1). */
  offset?: number;
  /** Records per page (the client's `pageSize`). */
  limit?: number;
}

/** A list: iterate over its items, over its pages, or take one page. Nothing is asked before that. */
export interface Listing<T, P> extends AsyncIterable<T> {
  /** One page, the one that {@link PageOptions} name. */
  page(): Promise<P>;
  /** Page after page, to the end. */
  pages(): AsyncIterable<P>;
  /** All items in memory. */
  all(): Promise<T[]>;
}

/** The method that an endpoint becomes. */
export type Call<E> = E extends { list: ListShape }
  ? (options?: PageOptions) => Listing<Item<E>, Reply<E>>
  : [RequiredKeys<Input<E>>] extends [never]
    ? (input?: Input<E>, options?: CallOptions) => Promise<Reply<E>>
    : (input: Input<E>, options?: CallOptions) => Promise<Reply<E>>;

/** A connection to one account. `client.webhooks.create({ webhook_type: "all", webhook_url: "https://…" })` */
export type Client = { readonly [A in keyof Areas]: { readonly [O in keyof Areas[A]]: Call<Areas[A][O]> } } & {
  /** The same service as a sub account of this partner; its key is found in the partner's list when first needed. */
  as(companyId: string | number): Client;
  /** The service's base address, in the notation that all ways to write it have in common. */
  readonly baseUrl: string;
  /** A short hash of the key: tells keys apart without showing them. */
  keyFingerprint(): Promise<string>;
};

/** Every endpoint, made ready once. */
const operations: readonly { area: string; name: string; op: Operation }[] = allEndpoints.map((entry) => ({
  area: entry.area,
  name: entry.operation,
  op: operation(`${entry.area}.${entry.operation}`, entry.endpoint),
}));

/**
 * Connects to an account. Nothing is sent before the first call.
 *
 * @throws InputError when an option is wrong; holds all faults.
 */
export function connect(options: ConnectOptions): Client {
  const settings = checked(options);
  const baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, "");
  return clientOf(baseUrl, settings, new Redactor(), options.apiKey);
}

function clientOf(baseUrl: string, settings: Settings, redactor: Redactor, source: string | KeySource): Client {
  const keys = new CompanyKeys(
    () => (client as unknown as Client).companies.list(),
    (key) => redactor.add(key),
  );
  const connection = new Connection(baseUrl, settings, redactor, source, (reply) => keys.learn(reply));
  const manners: Manners = { firstOffset: 1, pageSize: settings.pageSize };
  const subAccounts = new Map<string, Client>();
  const client: Record<string, unknown> = {
    baseUrl,
    keyFingerprint: () => connection.credentials.fingerprint(),
    as(companyId: string | number): Client {
      const id = idInput.safeParse(companyId);
      if (!id.success) throw new InputError({ operation: "as" }, faultsOf(id.error, companyId, "companyId"));
      let subAccount = subAccounts.get(id.data);
      if (subAccount === undefined) {
        subAccount = clientOf(baseUrl, settings, redactor, (refused) => keys.find(id.data, refused));
        subAccounts.set(id.data, subAccount);
      }
      return subAccount;
    },
  };
  for (const { area, name, op } of operations) {
    client[area] ??= {};
    const methods = client[area] as Record<string, unknown>;
    methods[name] =
      op.endpoint.list === undefined
        ? (input: Record<string, unknown> = {}, options?: CallOptions) => connection.call(op, input, options)
        : (options?: PageOptions) =>
            listing(op, (input, callOptions) => connection.call(op, input, callOptions), manners, options);
  }
  return client as unknown as Client;
}

const positive = "must be a positive whole number";
const natural = z.number(positive).int(positive).positive(positive);
const optionsSchema = z.strictObject({
  baseUrl: z.string("must be the service's base address").superRefine((value, ctx) => {
    const fault = faultOfBase(value);
    if (fault !== undefined) ctx.addIssue({ code: "custom", message: fault });
  }),
  apiKey: z.unknown().superRefine((value, ctx) => {
    const fault = typeof value === "function" ? undefined : faultOfKey(value);
    if (fault !== undefined) ctx.addIssue({ code: "custom", message: fault });
  }),
  maxConcurrency: natural.default(8),
  requestsPerSecond: z.number("must be a positive number").positive("must be a positive number").optional(),
  timeout: z.number("must be milliseconds, above 0").positive("must be milliseconds, above 0").default(30_000),
  pageSize: natural.default(50),
  retries: z.number("must be 0 or more").int("must be a whole number").nonnegative("must be 0 or more").default(5),
  allowUnknownValues: z.boolean("must be true or false").default(false),
  onRequest: z.custom<ConnectOptions["onRequest"]>((f) => typeof f === "function", "must be a function").optional(),
  onResponse: z.custom<ConnectOptions["onResponse"]>((f) => typeof f === "function", "must be a function").optional(),
});

function checked(options: ConnectOptions): Settings {
  const result = optionsSchema.safeParse(options);
  if (!result.success) throw new InputError({ operation: "connect" }, faultsOf(result.error, options));
  return result.data as Settings;
}
