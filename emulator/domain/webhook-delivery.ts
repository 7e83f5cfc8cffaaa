/** Calls webhooks on events. Only loopback URLs are called; for others the notification is only recorded. */
import { createHmac } from "node:crypto";
import { lookup } from "node:dns";
import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { isLoopback } from "../../sdk/text/url";
import { toJson } from "./big-ids-json";
import type { EventType } from "./enums";
import type { Webhook } from "./schema";
import type { Settings } from "./settings";

/** An event that webhooks receive. */
export interface WebhookEvent {
  type: EventType;
  /** ID of the account. */
  account: string;
  /** The emulator's time. */
  date: string;
  /** Nested parts of the notification, by name. */
  parts: Record<string, unknown>;
}

/** A notification to one webhook. */
export interface Delivery {
  /** ID of the webhook. */
  webhook: string;
  account: string;
  url: string;
  type: EventType;
  /** Time of the event. */
  date: string;
  /** `skipped-external`: not a loopback URL, so not called. `suspended`: no 200 for three days. */
  state: "waiting" | "delivered" | "failed" | "skipped-external" | "suspended" | "dropped";
  /** The HTTP status of each attempt, or the error. */
  attempts: (number | string)[];
}

interface Message {
  headers: Record<string, string>;
  body: string;
}

const SUSPEND_AFTER = 3 * 24 * 3600_000;
const MAX_DELIVERIES = 1000;
const MAX_PENDING = 1000;

export class WebhookDispatcher {
  readonly #deliveries: Delivery[] = [];
  /** The last delivery to each webhook: one at a time, so that events arrive in order. */
  readonly #queues = new Map<string, Promise<void>>();
  /** Since when an endpoint has not returned 200, by {@link endpointOf}. */
  readonly #failing = new Map<string, number>();
  #waiting = 0;
  #stop = new AbortController();

  constructor(
    readonly settings: () => Settings["notifications"],
    readonly now: () => number,
  ) {}

  /** Notifies every webhook that is subscribed to the event, or to all. Returns at once. */
  dispatch(event: WebhookEvent, webhooks: readonly Webhook[]): void {
    if (!this.settings().enabled) return;
    for (const webhook of webhooks) {
      if (webhook.type === event.type || webhook.type === "all") this.#enqueue(event, webhook);
    }
  }

  /** Deliveries, oldest first. */
  all(): Delivery[] {
    return structuredClone(this.#deliveries);
  }

  /** Resolves when no delivery is pending. */
  async whenIdle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values());
  }

  clear(): void {
    this.close();
    this.#stop = new AbortController();
    this.#deliveries.length = 0;
    this.#failing.clear();
  }

  /** Aborts deliveries in progress. */
  close(): void {
    this.#stop.abort();
  }

  #enqueue(event: WebhookEvent, webhook: Webhook): void {
    const delivery: Delivery = {
      webhook: webhook.id,
      account: event.account,
      url: webhook.url,
      type: event.type,
      date: event.date,
      state: "waiting",
      attempts: [],
    };
    this.#deliveries.push(delivery);
    if (this.#deliveries.length > MAX_DELIVERIES) this.#deliveries.shift();
    if (!isLoopback(new URL(webhook.url).hostname)) delivery.state = "skipped-external";
    else if (this.#suspended(delivery)) delivery.state = "suspended";
    else if (this.#waiting >= MAX_PENDING) delivery.state = "dropped";
    else {
      this.#waiting++;
      const before = this.#queues.get(webhook.id) ?? Promise.resolve();
      const queue: Promise<void> = before
        .then(() => this.#deliver(delivery, event, this.#stop.signal))
        .finally(() => {
          this.#waiting--;
          if (this.#queues.get(webhook.id) === queue) this.#queues.delete(webhook.id);
        });
      this.#queues.set(webhook.id, queue);
    }
  }

  #suspended(delivery: Delivery): boolean {
    const since = this.#failing.get(endpointOf(delivery));
    return since !== undefined && this.now() - since > SUSPEND_AFTER;
  }

  async #deliver(delivery: Delivery, event: WebhookEvent, stop: AbortSignal): Promise<void> {
    const { retries, backoff, timeout } = this.settings();
    for (let attempt = 0; attempt <= retries && !stop.aborted; attempt++) {
      if (attempt > 0) await wait(backoff * 2 ** (attempt - 1), undefined, { signal: stop }).catch(() => {});
      try {
        const signal = AbortSignal.any([stop, AbortSignal.timeout(timeout)]);
        const status = await post(delivery.url, this.#message(event), signal);
        delivery.attempts.push(status);
        if (status === 200) {
          delivery.state = "delivered";
          this.#failing.delete(endpointOf(delivery));
          return;
        }
      } catch (error) {
        // A timeout is the cause of the abort error.
        const { code, cause, message } = error as Error & { code?: string };
        delivery.attempts.push(cause instanceof Error ? cause.message : (code ?? message));
      }
    }
    delivery.state = "failed";
    // An abort says nothing about the endpoint.
    if (stop.aborted) return;
    const endpoint = endpointOf(delivery);
    if (!this.#failing.has(endpoint)) this.#failing.set(endpoint, this.now());
  }

  #message(event: WebhookEvent): Message {
    const { style, secret } = this.settings();
    const base = { action: event.type, action_date: event.date, company_id: event.account };
    const parts = Object.entries(event.parts);
    const body =
      style === "json"
        ? toJson({ ...base, ...event.parts })
        : new URLSearchParams({
            ...base,
            ...Object.fromEntries(parts.map(([k, v]) => [k, toJson(v)])),
          }).toString();
    const type = style === "json" ? "application/json" : "application/x-www-form-urlencoded";
    const signature =
      secret === undefined ? {} : { signature: createHmac("sha256", secret).update(body).digest("base64") };
    return { headers: { "content-type": type, ...signature }, body };
  }
}

/** A webhook with its URL: a webhook with a new URL is not suspended. */
const endpointOf = ({ webhook, url }: Delivery) => `${webhook} ${url}`;

/**
 * Sends a notification; returns the status. Without fetch, which blocks some ports and URLs with credentials; senders of
 * webhooks do neither.
 */
function post(url: string, { headers, body }: Message, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const address = new URL(url);
    const request = address.protocol === "https:" ? overHttps : overHttp;
    const options = { method: "POST", headers: { ...headers, "content-length": Buffer.byteLength(body) }, signal };
    request(address, { ...options, agent: false, lookup: lookupLoopback }, (response) => {
      resolve(response.statusCode ?? 0);
      response.on("error", () => {}).resume();
    })
      .on("error", reject)
      .end(body);
  });
}

/** Names below `localhost` are this machine (RFC 6761), but not every resolver implements it. */
const lookupLoopback: LookupFunction = (name, options, done) =>
  lookup(name.endsWith(".localhost") ? "localhost" : name, options, done);
