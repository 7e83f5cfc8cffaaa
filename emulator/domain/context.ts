/** What handlers work on: the data, the clock, the settings, and the effects that follow a change. */
import { formatTimestamp } from "../../sdk/api/scalars";
import type { EventType } from "./enums";
import type { Code } from "./errors";
import { newId } from "./identifiers";
import type { SentEmail } from "./outbox";
import type { Account, Data, Envelope } from "./schema";
import type { Settings } from "./settings";
import type { WebhookEvent } from "./webhook-delivery";

/** A list of the service that can lag behind its writes. */
export type ListName = "webhooks" | "companies" | "envelopes";

/** A record of a list, by what it is called. */
interface Listable {
  id?: string;
  fingerprint?: string;
}
const idOf = ({ id, fingerprint }: Listable): string => id ?? fingerprint!;

/** A write that a list does not show yet. */
interface PendingWrite {
  account: string;
  list: ListName;
  id: string;
  /** What the list showed before, and where; nothing for a new record. */
  previous: { record: unknown; index: number } | undefined;
  until: number;
  listings: number;
}

/** What becomes of a request besides its answer, once the change is kept. */
export type Effect = { email: SentEmail } | { event: WebhookEvent };

export interface ContextOptions {
  data: Data;
  settings: Settings;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Says how a key is refused from now on. */
  revokeKey: (key: string, code: Code) => void;
  /** The service's own address. */
  url: () => string;
  /** Called for each account whose data changed, with the envelope of it that did. */
  markChanged: (account?: Account, envelope?: Envelope) => void;
}

export class Context {
  /** Emails and events of the request that is being handled. */
  effects: Effect[] = [];
  #pending: PendingWrite[] = [];

  constructor(readonly options: ContextOptions) {}

  get data(): Data {
    return this.options.data;
  }

  get settings(): Settings {
    return this.options.settings;
  }

  /** The service's time, as wrong as it is set to be. */
  get now(): Date {
    return new Date(this.options.clock() + this.settings.clockSkew);
  }

  /** The service's time in its own notation. */
  get timestamp(): string {
    return formatTimestamp(this.now);
  }

  revokeKey(key: string, code: Code): void {
    this.options.revokeKey(key, code);
  }

  get url(): string {
    return this.options.url();
  }

  /** Tells the account's webhooks of an event, once the change is kept. */
  emit(account: Account, type: EventType, date: string, parts: WebhookEvent["parts"]): void {
    this.effects.push({ event: { type, account: account.id, date, parts } });
  }

  /** The account that a key opens; with `test`, when it is the key whose writes change nothing. */
  findByKey(key: string): { account: Account; test: boolean } | undefined {
    for (const account of this.data.accounts) {
      if (account.key === key) return { account, test: false };
      if (account.testKey === key) return { account, test: true };
    }
    return undefined;
  }

  findAccount(id: string): Account | undefined {
    return this.data.accounts.find((account) => account.id === id);
  }

  companiesOf(partner: Account): Account[] {
    return this.data.accounts.filter((account) => account.parent === partner.id);
  }

  findEnvelope(fingerprint: string): { account: Account; envelope: Envelope } | undefined {
    for (const account of this.data.accounts) {
      const envelope = account.envelopes.find((e) => e.fingerprint === fingerprint);
      if (envelope) return { account, envelope };
    }
    return undefined;
  }

  /** A fresh id, random: a counter would be a trace of what was created and deleted. */
  newId(taken: (id: string) => boolean = () => false): string {
    return newId(taken);
  }

  markChanged(account?: Account, envelope?: Envelope): void {
    this.options.markChanged(account, envelope);
  }

  /** Says that a record of a list was written, so that the list can lag behind. */
  recordWrite(account: Account, list: ListName, id: string, before?: { record: unknown; index: number }): void {
    const { ms, lists } = this.settings.listLag;
    if (ms === 0 && lists === 0) return;
    this.#pending.push({
      account: account.id,
      list,
      id,
      previous: before,
      until: this.options.clock() + ms,
      listings: lists,
    });
  }

  /** The records as the list shows them now. Counts as one listing. */
  listVisible<T extends Listable>(account: Account, list: ListName, records: readonly T[]): T[] {
    const now = this.options.clock();
    this.#pending = this.#pending.filter((write) => write.until > now || write.listings > 0);
    const shown = [...records];
    for (const write of this.#pending.toReversed()) {
      if (write.account !== account.id || write.list !== list) continue;
      write.listings--;
      const at = shown.findIndex((record) => idOf(record) === write.id);
      if (!write.previous) {
        if (at >= 0) shown.splice(at, 1);
      } else if (at >= 0) shown[at] = write.previous.record as T;
      else shown.splice(write.previous.index, 0, write.previous.record as T);
    }
    const { listOrder } = this.settings;
    if (listOrder === "newest") shown.reverse();
    if (listOrder === "id") shown.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    return shown;
  }

  /** A copy in which a request can be carried out without any trace. */
  dryRun(): Context {
    return new Context({
      ...this.options,
      data: structuredClone(this.data),
      markChanged: () => {},
      revokeKey: () => {},
    });
  }
}
