/** Calls registered webhooks when something happens. Only addresses on loopback are called; the others are written down. */
import { createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { WebhookType } from "../sdk/webhooks";
import type { Webhook } from "./data";
import { isLoopback } from "./loopback";
import type { Settings } from "./settings";

/** Something that webhooks are told of. */
export interface Event {
  type: WebhookType;
  /** Id of the account. */
  account: string;
  /** The service's time. */
  date: string;
  /** Nested parts of the notification, by name. */
  parts: Record<string, unknown>;
}

/** A notification to one webhook. */
export interface Delivery {
  /** Id of the webhook. */
  webhook: string;
  account: string;
  url: string;
  type: WebhookType;
  /** Time of the event. */
  date: string;
  /** `elsewhere`: not on loopback, so not called. `suspended`: it has not answered 200 for three days. */
  state: "waiting" | "delivered" | "failed" | "elsewhere" | "suspended" | "dropped";
  /** What each attempt met: the HTTP status, or why there was none. */
  attempts: (number | string)[];
}

const PATIENCE = 3 * 24 * 3600_000;
const KEPT = 1000;
const MOST_WAITING = 1000;

export class Notifier {
  readonly #deliveries: Delivery[] = [];
  /** The last delivery to each webhook: one after the other, so that events arrive in their order. */
  readonly #chains = new Map<string, Promise<void>>();
  /** Since when a webhook has not answered 200. */
  readonly #failing = new Map<string, number>();
  #waiting = 0;
  #stop = new AbortController();

  constructor(
    readonly settings: () => Settings["notifications"],
    readonly now: () => number,
  ) {}

  /** Tells every webhook of the event that is registered for it, or for all. Returns at once. */
  tell(event: Event, webhooks: readonly Webhook[]): void {
    if (!this.settings().enabled) return;
    for (const webhook of webhooks) {
      if (webhook.type === event.type || webhook.type === "all") this.#enqueue(event, webhook);
    }
  }

  /** Deliveries, oldest first. */
  all(): Delivery[] {
    return structuredClone(this.#deliveries);
  }

  /** Resolves when nothing is waiting to be delivered. */
  async settled(): Promise<void> {
    while (this.#chains.size > 0) await Promise.all(this.#chains.values());
  }

  clear(): void {
    this.close();
    this.#stop = new AbortController();
    this.#deliveries.length = 0;
    this.#failing.clear();
  }

  /** Ends what is under way. */
  close(): void {
    this.#stop.abort();
  }

  #enqueue(event: Event, webhook: Webhook): void {
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
    if (this.#deliveries.length > KEPT) this.#deliveries.shift();
    if (!isLoopback(new URL(webhook.url).hostname)) delivery.state = "elsewhere";
    else if (this.#suspended(webhook.id)) delivery.state = "suspended";
    else if (this.#waiting >= MOST_WAITING) delivery.state = "dropped";
    else {
      this.#waiting++;
      const before = this.#chains.get(webhook.id) ?? Promise.resolve();
      const chain: Promise<void> = before
        .then(() => this.#deliver(delivery, event, this.#stop.signal))
        .finally(() => {
          this.#waiting--;
          if (this.#chains.get(webhook.id) === chain) this.#chains.delete(webhook.id);
        });
      this.#chains.set(webhook.id, chain);
    }
  }

  #suspended(webhook: string): boolean {
    const since = this.#failing.get(webhook);
    return since !== undefined && this.now() - since > PATIENCE;
  }

  async #deliver(delivery: Delivery, event: Event, stop: AbortSignal): Promise<void> {
    const { retries, backoff, timeout } = this.settings();
    for (let attempt = 0; attempt <= retries && !stop.aborted; attempt++) {
      if (attempt > 0) await wait(backoff * 2 ** (attempt - 1), undefined, { signal: stop }).catch(() => {});
      try {
        const response = await fetch(delivery.url, {
          method: "POST",
          ...this.#message(event),
          redirect: "manual",
          signal: AbortSignal.any([stop, AbortSignal.timeout(timeout)]),
        });
        await response.body?.cancel();
        delivery.attempts.push(response.status);
        if (response.status === 200) {
          delivery.state = "delivered";
          this.#failing.delete(delivery.webhook);
          return;
        }
      } catch (error) {
        const { cause, message } = error as Error & { cause?: { code?: string } };
        delivery.attempts.push(cause?.code ?? message);
      }
    }
    delivery.state = "failed";
    if (!this.#failing.has(delivery.webhook)) this.#failing.set(delivery.webhook, this.now());
  }

  #message(event: Event): { headers: Record<string, string>; body: string } {
    const { style, secret } = this.settings();
    const base = { action: event.type, action_date: event.date, company_id: event.account };
    const parts = Object.entries(event.parts);
    const body =
      style === "json"
        ? JSON.stringify({ ...base, ...event.parts })
        : new URLSearchParams({
            ...base,
            ...Object.fromEntries(parts.map(([k, v]) => [k, JSON.stringify(v)])),
          }).toString();
    const type = style === "json" ? "application/json" : "application/x-www-form-urlencoded";
    const signature =
      secret === undefined ? {} : { signature: createHmac("sha256", secret).update(body).digest("base64") };
    return { headers: { "content-type": type, ...signature }, body };
  }
}
