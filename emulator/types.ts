/** The local service as its users see it: how to start it, and a handle on everything. */

import type { EventType } from "./domain/enums";
import type { Actor, PartyAction } from "./domain/envelope-lifecycle";
import type { SentEmail } from "./domain/outbox";
import type { Data } from "./domain/schema";
import type { Seed } from "./domain/seed";
import type { Settings, SettingsInput } from "./domain/settings";
import type { Delivery, WebhookEvent } from "./domain/webhook-delivery";
import type { Counts, LogEntry } from "./http/request-log";

/** How to start the service: where it listens and keeps its data, and any of the settings. */
export interface Options extends SettingsInput {
  /** Port; 0 takes a free one. Default: the port that the file remembers, if it is free; else a free one. */
  port?: number | undefined;
  /** Address to listen on. Default: 127.0.0.1. */
  host?: string | undefined;
  /** HTTPS: with a certificate made on the spot (`true`), or with the files named. Default: false. */
  tls?: boolean | { certFile: string; keyFile: string } | undefined;
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
export interface Emulator {
  /** Base address, without `/v1`. */
  readonly url: string;
  readonly port: number;
  readonly keys: Keys;
  /** The certificate in PEM, for clients that are to trust it; with `tls` only. */
  readonly certificate: string | undefined;
  /** File that holds the data. */
  readonly file: string | undefined;
  readonly settings: Settings;
  /** The service's time. */
  readonly now: Date;
  /** Begins anew from the seed; keys, settings, log, sent emails and time as at the start. */
  reset(): Promise<void>;
  /** Stops. Resolves when the data is kept and all connections are closed. */
  close(): Promise<void>;
  /** Changes settings; those that are not named stay. The faults count anew when `faults` or `faultSeed` is named. */
  configure(settings: SettingsInput): void;
  /** The data, as a copy. */
  data(): Data;
  /** Requests, oldest first. */
  requests(): LogEntry[];
  counts(): Counts;
  clearLog(): void;
  /** Emails that were sent, oldest first. */
  sentEmails(): SentEmail[];
  /** Notifications to webhooks, oldest first. */
  deliveries(): Delivery[];
  /** Resolves when no notification is waiting. */
  waitForDeliveries(): Promise<void>;
  /** Turns the service's clock forward, by a century at most; what falls due happens at its own time. */
  advance(milliseconds: number): Promise<void>;
  /** Gives an account a new key and answers it; the old one is refused from then on. */
  rotateKey(account: string): Promise<string>;
  /** Suspends an account, or ends that. */
  suspend(account: string, suspended?: boolean): Promise<void>;
  /** Does what a party does, or lets processing fail. The party is the one whose turn it is, unless an id is given. */
  performAction(envelope: string, action: PartyAction, party?: string, actor?: Actor): Promise<void>;
  /** Tells an account's webhooks of an event that this service has no cause for, such as `add-user`. */
  notify(account: string, type: EventType, parts?: WebhookEvent["parts"]): Promise<void>;
}
