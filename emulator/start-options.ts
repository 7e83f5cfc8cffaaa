/** The emulator's public interface: start options and the handle on a running emulator. */

import { z } from "zod";
import type { Data } from "./domain/data-schema";
import { describeIssue } from "./domain/describe-issue";
import type { SentEmail } from "./domain/emails/sent-emails";
import type { Settings, SettingsInput } from "./domain/emulator-settings";
import type { EventAction } from "./domain/enums-by-edition";
import type { Actor, PartyAction } from "./domain/envelope-lifecycle";
import type { Keys } from "./domain/new-account";
import type { Delivery } from "./domain/notifications/delivery";
import type { Members } from "./domain/notifications/payload";
import type { Seed } from "./domain/seed/seed-schema";
import { isHost } from "./http/allowed-hosts";
import type { Counts, LogEntry } from "./http/request-log";

/** Start options: where to listen, where to keep data, and any of the settings. */
export interface Options extends SettingsInput {
  /** Port; 0 for any free one. Default: the port in the data file if it is free, else any free one. */
  port?: number | undefined;
  /** Address to listen on. Default: 127.0.0.1. */
  host?: string | undefined;
  /** Other host names under which clients call it, such as a container's. Loopback names and the address are always allowed. */
  allowHosts?: readonly string[] | undefined;
  /** Other hosts whose webhooks are called, such as containers': names or addresses. Loopback URLs always are. */
  notifyHosts?: readonly string[] | undefined;
  /**
   * What the status page and the control endpoints require: 12 to 200 letters, digits, `.`, `_`, `~` and `-`. Default: nothing on loopback,
   * beyond it a random token.
   */
  controlToken?: string | undefined;
  /** HTTPS with a self-signed certificate generated at start (`true`), or with these files. Default: false. */
  tls?: boolean | { certFile: string; keyFile: string } | undefined;
  /** Data file, read if it exists. Default: data in memory only. */
  file?: string | undefined;
  /** First data, unless the file exists. Default: a partner and an ordinary account. */
  seed?: Seed | undefined;
  /** Current time in milliseconds since 1970. Default: the computer's clock. */
  clock?: (() => number) | undefined;
  /** Maximum number of entries in the request log. Default: 10000. */
  logSize?: number | undefined;
  /** Called for each request. */
  log?: ((entry: LogEntry) => void) | undefined;
}

const aFunction = z.custom<never>((value) => typeof value === "function", "must be a function");
const hostNames = z.array(z.string(), "must be a list of names");
const allowedName = z.string().refine(isHost, "must be a name or an address alone, such as esign or 172.18.0.3");

/** The options that are no settings. What a host, a certificate or a seed must be is decided where it is used. */
const serverOptions = z.object({
  port: z.number().int().min(0).max(65_535).optional(),
  host: z.string().min(1).optional(),
  allowHosts: z.array(allowedName, "must be a list of names").optional(),
  notifyHosts: hostNames.optional(),
  controlToken: z.string().optional(),
  tls: z.union([z.boolean(), z.strictObject({ certFile: z.string(), keyFile: z.string() })]).optional(),
  file: z.string().min(1).optional(),
  clock: aFunction.optional(),
  logSize: z.number().int().nonnegative().optional(),
  log: aFunction.optional(),
});

/** Rejects what programs without types pass, such as a port from the environment. The error lists each invalid member. */
export function validateServerOptions(options: unknown): void {
  const { error } = serverOptions.safeParse(options, { error: describeIssue });
  if (error) throw new Error(`Options of the emulator: ${z.prettifyError(error)}`);
}

/** Checks a token that a user sets: it goes into a header, a cookie and a URL. */
export function requireToken(token: string): void {
  if (/^[\w.~-]{12,200}$/.test(token)) return;
  throw new Error("The control token must be 12 to 200 letters, digits, dots, underscores, tildes and hyphens.");
}

/** A running emulator. */
export interface Emulator {
  /** Base URL, without `/v1`. */
  readonly url: string;
  readonly port: number;
  readonly keys: Keys;
  /**
   * What the status page and the control endpoints require, as `Authorization: Bearer <token>` or once as `?token=`. Only if it
   * listens beyond loopback, or was started with one.
   */
  readonly controlToken: string | undefined;
  /** The certificate in PEM, for clients that should trust it; only with `tls`. */
  readonly certificate: string | undefined;
  /** The data file. */
  readonly file: string | undefined;
  readonly settings: Settings;
  /** The emulator's time. */
  readonly now: Date;
  /** Restores the state at the start: seed, keys, settings, log, sent emails and time. */
  reset(): Promise<void>;
  /** Stops the emulator. Resolves when the data is persisted and all connections are closed. */
  close(): Promise<void>;
  /** Changes the given settings only. Setting `faults` or `faultSeed` restarts the faults' counters. */
  configure(settings: SettingsInput): void;
  /** A copy of the data. */
  data(): Data;
  /** The request log, oldest first. */
  requests(): LogEntry[];
  counts(): Counts;
  clearLog(): void;
  /** Sent emails, oldest first. */
  sentEmails(): SentEmail[];
  /** Webhook notifications, oldest first. */
  deliveries(): Delivery[];
  /** Resolves when no notification is pending. */
  waitForDeliveries(): Promise<void>;
  /** Advances the clock, by at most a century; what becomes due happens in order, each at its own time. */
  advance(milliseconds: number): Promise<void>;
  /** Gives an account a new key and returns it; the old one is revoked. */
  rotateKey(account: string): Promise<string>;
  /** Suspends an account, or resumes it. */
  suspend(account: string, suspended?: boolean): Promise<void>;
  /** Does what a party does, or lets processing fail. Default party: the one whose turn it is. */
  performAction(envelope: string, action: PartyAction, party?: string, actor?: Actor): Promise<void>;
  /**
   * Sends an event to an account's webhooks, also one that the emulator never causes, such as `add-user`: about the account's newest
   * envelope and first template, or sample values. `members` are set in the notification besides, or instead.
   */
  notify(account: string, action: EventAction, members?: Members): Promise<void>;
  /** Sends the event of a delivery to its webhook again. */
  redeliver(delivery: string): void;
}
