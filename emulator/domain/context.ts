/** What handlers work on: the data, the clock, the settings, and the effects that follow a change. */
import { formatTimestamp } from "../../sdk/api/scalars";
import type { EventType } from "./enums";
import type { Code } from "./errors";
import type { SentEmail } from "./outbox";
import type { Account, Data, Envelope } from "./schema";
import { newId } from "./seed";
import type { Settings } from "./settings";
import type { Event } from "./webhook-delivery";

/** A list of the service that can lag behind its writes. */
export type Listed = "webhooks" | "companies" | "envelopes";

/** A record of a list, by what it is called. */
interface Listable {
  id?: string;
  fingerprint?: string;
}
const nameOf = ({ id, fingerprint }: Listable): string => id ?? fingerprint!;

/** A write that a list does not show yet. */
interface Hidden {
  account: string;
  list: Listed;
  id: string;
  /** What the list showed before, and where; nothing for a new record. */
  before: { record: unknown; index: number } | undefined;
  until: number;
  listings: number;
}

/** What becomes of a request besides its answer, once the change is kept. */
export type Effect = { email: SentEmail } | { event: Event };

export interface WorldParts {
  data: Data;
  settings: Settings;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Says how a key is refused from now on. */
  retire: (key: string, code: Code) => void;
  /** The service's own address. */
  url: () => string;
  /** Called for each account whose data changed, with the envelope of it that did. */
  changed: (account?: Account, envelope?: Envelope) => void;
}

export class World {
  /** Emails and events of the request that is being handled. */
  effects: Effect[] = [];
  #hidden: Hidden[] = [];

  constructor(readonly parts: WorldParts) {}

  get data(): Data {
    return this.parts.data;
  }

  get settings(): Settings {
    return this.parts.settings;
  }

  /** The service's time, as wrong as it is set to be. */
  get now(): Date {
    return new Date(this.parts.clock() + this.settings.clockSkew);
  }

  /** The service's time in its own notation. */
  get stamp(): string {
    return formatTimestamp(this.now);
  }

  retire(key: string, code: Code): void {
    this.parts.retire(key, code);
  }

  get url(): string {
    return this.parts.url();
  }

  /** Tells the account's webhooks of an event, once the change is kept. */
  tell(account: Account, type: EventType, date: string, parts: Event["parts"]): void {
    this.effects.push({ event: { type, account: account.id, date, parts } });
  }

  /** The account that a key opens; with `test`, when it is the key whose writes change nothing. */
  byKey(key: string): { account: Account; test: boolean } | undefined {
    for (const account of this.data.accounts) {
      if (account.key === key) return { account, test: false };
      if (account.testKey === key) return { account, test: true };
    }
    return undefined;
  }

  byId(id: string): Account | undefined {
    return this.data.accounts.find((account) => account.id === id);
  }

  companies(partner: Account): Account[] {
    return this.data.accounts.filter((account) => account.parent === partner.id);
  }

  envelope(fingerprint: string): { account: Account; envelope: Envelope } | undefined {
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

  changed(account?: Account, envelope?: Envelope): void {
    this.parts.changed(account, envelope);
  }

  /** Says that a record of a list was written, so that the list can lag behind. */
  wrote(account: Account, list: Listed, id: string, before?: { record: unknown; index: number }): void {
    const { ms, lists } = this.settings.listLag;
    if (ms === 0 && lists === 0) return;
    this.#hidden.push({ account: account.id, list, id, before, until: this.parts.clock() + ms, listings: lists });
  }

  /** The records as the list shows them now. Counts as one listing. */
  visible<T extends Listable>(account: Account, list: Listed, records: readonly T[]): T[] {
    const now = this.parts.clock();
    this.#hidden = this.#hidden.filter((hidden) => hidden.until > now || hidden.listings > 0);
    const shown = [...records];
    for (const hidden of this.#hidden.toReversed()) {
      if (hidden.account !== account.id || hidden.list !== list) continue;
      hidden.listings--;
      const at = shown.findIndex((record) => nameOf(record) === hidden.id);
      if (!hidden.before) {
        if (at >= 0) shown.splice(at, 1);
      } else if (at >= 0) shown[at] = hidden.before.record as T;
      else shown.splice(hidden.before.index, 0, hidden.before.record as T);
    }
    const { listOrder } = this.settings;
    if (listOrder === "newest") shown.reverse();
    if (listOrder === "id") shown.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    return shown;
  }

  /** A copy in which a request can be carried out without any trace. */
  rehearsal(): World {
    return new World({ ...this.parts, data: structuredClone(this.data), changed: () => {}, retire: () => {} });
  }
}
