/** Calls webhooks on events: those of this machine, and of hosts that the user names. For others the notification is only recorded. */

import { createHmac } from "node:crypto";
import { setMaxListeners } from "node:events";
import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from "../../../sdk/api/notification-headers";
import type { Webhook } from "../data-schema";
import type { Settings } from "../emulator-settings";
import { type EventAction, isSubscribed } from "../enums-by-edition";
import { newId } from "../identifiers";
import { mostDeliveries, mostWaitingDeliveries } from "../limits";
import type { NotifyHosts } from "./notify-hosts";
import { formatNotification, type WebhookEvent } from "./payload";

/** A notification to one webhook. */
export interface Delivery {
  id: string;
  /** ID of the webhook. */
  webhook: string;
  account: string;
  url: string;
  /** What happened: the notification's `action`. */
  type: EventAction;
  /** Time of the event. */
  date: string;
  /** What is sent. */
  body: string;
  /** Whether the header with the signature is sent. */
  signed: boolean;
  /** `skipped-external`: neither a loopback URL nor one of a host in `notifyHosts`, so not called. `suspended`: no 200 for three days. */
  state: "waiting" | "delivered" | "failed" | "skipped-external" | "suspended" | "dropped";
  /** The HTTP status of each attempt, or the error. */
  attempts: (number | string)[];
}

interface Message {
  type: string;
  body: string;
  /** Signs the body, if the webhook has a secret and notifications are signed. */
  secret: string | undefined;
  /** Whether the header with the time is sent. */
  timed: boolean;
}

interface DispatcherOptions {
  settings: () => Settings;
  hosts: NotifyHosts;
  /** The time of sending in milliseconds, as receivers have it. */
  now: () => number;
  /** Called with the outcome of each delivery, unless it was aborted. */
  onOutcome: (delivery: Delivery, succeeded: boolean) => Promise<void>;
}

export class WebhookDispatcher {
  /** Deliveries with their events, oldest first. */
  readonly #log: { delivery: Delivery; event: WebhookEvent }[] = [];
  /** The last delivery to each webhook: one at a time, so that events arrive in order. */
  readonly #queues = new Map<string, Promise<void>>();
  #waiting = 0;
  #stop = newStop();

  constructor(readonly options: DispatcherOptions) {}

  /** Notifies every webhook that is subscribed to the event. Returns at once. */
  dispatch(event: WebhookEvent, webhooks: readonly Webhook[]): void {
    for (const webhook of webhooks) {
      if (isSubscribed(webhook.type, event.action)) this.send(event, webhook);
    }
  }

  /** Notifies one webhook. Returns at once. */
  send(event: WebhookEvent, webhook: Webhook): void {
    const settings = this.options.settings();
    const { enabled, minimal, signed } = settings.notifications;
    if (!enabled) return;
    const secret = signed ? webhook.secret : undefined;
    const { edition, embeddedSigning } = settings;
    const { type, body } = formatNotification(event, { edition, minimal, embeddedSigning });
    const delivery: Delivery = {
      id: newId((id) => this.find(id) !== undefined),
      webhook: webhook.id,
      account: event.account,
      url: webhook.url,
      type: event.action,
      date: event.date,
      body,
      signed: secret !== undefined,
      state: "waiting",
      attempts: [],
    };
    this.#log.push({ delivery, event });
    if (this.#log.length > mostDeliveries) this.#log.shift();
    if (!this.options.hosts.includes(new URL(webhook.url))) delivery.state = "skipped-external";
    else if (webhook.suspended !== undefined) delivery.state = "suspended";
    else if (this.#waiting >= mostWaitingDeliveries) delivery.state = "dropped";
    else this.#enqueue(delivery, { type, body, secret, timed: minimal || signed });
  }

  /** Deliveries, oldest first. */
  all(): Delivery[] {
    return this.#log.map(({ delivery }) => structuredClone(delivery));
  }

  /** A delivery by its ID, with its event. */
  find(id: string): { delivery: Delivery; event: WebhookEvent } | undefined {
    return this.#log.find(({ delivery }) => delivery.id === id);
  }

  /** Resolves when no delivery is pending. */
  async whenIdle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values());
  }

  clear(): void {
    this.close();
    this.#stop = newStop();
    this.#log.length = 0;
  }

  /** Aborts deliveries in progress. */
  close(): void {
    this.#stop.abort();
  }

  #enqueue(delivery: Delivery, message: Message): void {
    this.#waiting++;
    const before = this.#queues.get(delivery.webhook) ?? Promise.resolve();
    // The signal of now: what a reset ends does not go on after it.
    const { signal } = this.#stop;
    const queue: Promise<void> = before
      .then(() => this.#deliver(delivery, message, signal))
      .finally(() => {
        this.#waiting--;
        if (this.#queues.get(delivery.webhook) === queue) this.#queues.delete(delivery.webhook);
      });
    this.#queues.set(delivery.webhook, queue);
  }

  async #deliver(delivery: Delivery, message: Message, stop: AbortSignal): Promise<void> {
    const { retries, backoff, timeout } = this.options.settings().notifications;
    for (let attempt = 0; attempt <= retries && !stop.aborted; attempt++) {
      if (attempt > 0) await wait(backoff * 2 ** (attempt - 1), undefined, { signal: stop }).catch(() => {});
      try {
        const limits = { stop, timeout, lookup: this.options.hosts.lookup };
        const status = await post(delivery.url, message, this.options.now(), limits);
        delivery.attempts.push(status);
        if (status === 200) {
          delivery.state = "delivered";
          return this.options.onOutcome(delivery, true);
        }
      } catch (error) {
        // What stopped it is the cause of the abort error.
        const { code, cause, message } = error as Error & { code?: string };
        delivery.attempts.push(cause instanceof Error ? cause.message : (code ?? message));
      }
    }
    delivery.state = "failed";
    // An abort says nothing about the endpoint.
    if (!stop.aborted) await this.options.onOutcome(delivery, false);
  }
}

/** Each delivery in progress listens to it: any number, of which Node would warn at the eleventh. */
function newStop(): AbortController {
  const controller = new AbortController();
  setMaxListeners(Number.POSITIVE_INFINITY, controller.signal);
  return controller;
}

interface Limits {
  stop: AbortSignal;
  /** Milliseconds until the end of the response. */
  timeout: number;
  lookup: LookupFunction;
}

/**
 * Sends a notification; returns the status. Without fetch, which blocks some ports and URLs with credentials; senders of
 * webhooks do neither. With a timer of its own: with Node 20, a signal of `AbortSignal.any` does not fire when a timeout among its sources
 * was garbage-collected.
 */
function post(
  url: string,
  { type, body, secret, timed }: Message,
  now: number,
  { stop, timeout, lookup }: Limits,
): Promise<number> {
  const headers = {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    ...(timed && { [TIMESTAMP_HEADER]: String(Math.floor(now / 1000)) }),
    ...(secret !== undefined && { [SIGNATURE_HEADER]: createHmac("sha256", secret).update(body).digest("base64") }),
  };
  return new Promise((resolve, reject) => {
    const address = new URL(url);
    // Certificates of local servers are seldom trusted, so they are not checked.
    const options = { method: "POST", headers, signal: stop, agent: false as const, lookup, rejectUnauthorized: false };
    const send = address.protocol === "https:" ? overHttps : overHttp;
    const request = send(address, options, (response) => {
      resolve(response.statusCode ?? 0);
      response.on("error", () => {}).resume();
    });
    const timer = setTimeout(() => request.destroy(new Error("aborted due to timeout")), timeout);
    request
      .on("error", reject)
      .on("close", () => clearTimeout(timer))
      .end(body);
  });
}
