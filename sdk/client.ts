/** The client: a method for every endpoint value, with its types derived. */
import type { z } from "zod";
import type { Areas } from "./areas";
import type { Endpoint, ListShape } from "./endpoint";

/** How to reach an account. Defaults are in parentheses. */
export interface ConnectOptions {
  /** Base address, without `/v1`. HTTPS, except for loopback (§5). */
  baseUrl: string;
  /** The account's key (§5), or a function that finds it when the first request needs it. */
  apiKey: string | (() => Promise<string>);
  /** Most requests in flight at once, shared by all clients of one address and key in this process (8). */
  maxConcurrency?: number;
  /** Most requests begun per second, shared likewise (no limit). */
  requestsPerSecond?: number;
  /** Milliseconds for one call, attempts and waits included (30000). */
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
  readonly baseUrl: string;
  /** A short hash of the key: tells keys apart without showing them. */
  keyFingerprint(): Promise<string>;
};
