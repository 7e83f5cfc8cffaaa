/** What handlers work on: data, clock, settings, and the side effects of a change. */
import { formatTimestamp } from "../../sdk/api/scalars";
import type { Code } from "./api-errors";
import type { Account, Data, Envelope } from "./data-schema";
import type { SentEmail } from "./emails/sent-emails";
import type { Settings } from "./emulator-settings";
import { actionsOf } from "./enums-by-edition";
import { newId } from "./identifiers";
import type { WebhookEvent } from "./notifications/payload";

/** A list that can lag behind writes. */
type ListName = "webhooks" | "companies" | "envelopes" | "users" | "contacts" | "templates";

/** A record of a list, by its ID. */
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
  /** What the list showed before, and where; undefined for a new record. */
  previous: { record: unknown; index: number } | undefined;
  until: number;
  listings: number;
}

/** A side effect of a request, once its change is persisted. */
type SideEffect = { email: SentEmail } | { event: WebhookEvent };

interface ContextOptions {
  /** The current data: another object after a reset, or after changes that could not be saved. */
  data: () => Data;
  settings: Settings;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Rejects a key with this code from now on. */
  revokeKey: (key: string, code: Code) => void;
  /** The emulator's own URL. */
  url: () => string;
  /** Called for each account whose data changed, with the changed envelope if there is one. */
  markChanged: (account?: Account, envelope?: Envelope) => void;
}

export class Context {
  /** Emails and events of the request that is being handled. */
  sideEffects: SideEffect[] = [];
  #pending: PendingWrite[] = [];
  /** What the data was until a write, for reads that lag. */
  #former: { until: number; data: Data }[] = [];

  constructor(readonly options: ContextOptions) {}

  get data(): Data {
    return this.options.data();
  }

  get settings(): Settings {
    return this.options.settings;
  }

  /** The emulator's time, with the skew that the settings define. */
  get now(): Date {
    return new Date(this.options.clock() + this.settings.clockSkew);
  }

  /** The emulator's time in the API's format. */
  get timestamp(): string {
    return formatTimestamp(this.now);
  }

  revokeKey(key: string, code: Code): void {
    this.options.revokeKey(key, code);
  }

  get url(): string {
    return this.options.url();
  }

  /** Notifies the account's webhooks of an event that the edition knows, once the change is persisted. */
  emit(account: Account, event: Omit<WebhookEvent, "account">): void {
    if (actionsOf(this.settings).includes(event.action)) {
      this.sideEffects.push({ event: { ...event, account: account.id } });
    }
  }

  /** The account of a key; `test` for the test key, whose writes change nothing. */
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

  /** A new, random ID: a counter would be a trace of deleted objects. */
  newId(isTaken: (id: string) => boolean = () => false): string {
    return newId(isTaken);
  }

  markChanged(account?: Account, envelope?: Envelope): void {
    this.options.markChanged(account, envelope);
  }

  /** Readers of lists that count from 0, and the offset after their last page. */
  readonly readsFromZero = new Map<string, number>();

  /** Records a write to a list, so that the list can lag behind. */
  recordWrite(account: Account, list: ListName, id: string, previous?: { record: unknown; index: number }): void {
    const { ms, lists } = this.settings.listLag;
    if (ms === 0 && lists === 0) return;
    this.#pending.push({
      account: account.id,
      list,
      id,
      previous,
      until: this.options.clock() + ms,
      listings: lists,
    });
  }

  /** The records that the list shows now. Counts as one listing. */
  listVisible<T extends Listable>(account: Account, list: ListName, records: readonly T[]): T[] {
    const now = this.options.clock();
    this.#pending = this.#pending.filter((write) => write.until > now || write.listings > 0);
    const visible = [...records];
    for (const write of this.#pending.toReversed()) {
      if (write.account !== account.id || write.list !== list) continue;
      write.listings--;
      const index = visible.findIndex((record) => idOf(record) === write.id);
      if (!write.previous) {
        if (index >= 0) visible.splice(index, 1);
      } else if (index >= 0) visible[index] = write.previous.record as T;
      else visible.splice(write.previous.index, 0, write.previous.record as T);
    }
    const { listOrder = list === "envelopes" ? "newest" : "oldest" } = this.settings;
    if (listOrder === "newest") visible.reverse();
    if (listOrder === "id") visible.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    return visible;
  }

  /** Keeps the data as they are before a write, for as long as reads lag behind it. */
  keepFormer(): void {
    const [now, { readLag }] = [this.options.clock(), this.settings];
    this.#former = this.#former.filter(({ until }) => until > now - readLag);
    if (readLag > 0) this.#former.push({ until: now, data: structuredClone(this.data) });
  }

  /** What a read sees: the data as they were a while ago, where reads lag. */
  lagging(): Context {
    const shown = this.options.clock() - this.settings.readLag;
    const former = this.#former.find(({ until }) => until > shown);
    return former === undefined ? this : this.#with(former.data);
  }

  /** A copy in which a request runs without changing anything. */
  dryRun(): Context {
    return this.#with(structuredClone(this.data));
  }

  #with(data: Data): Context {
    return new Context({
      ...this.options,
      data: () => data,
      markChanged: () => {},
      revokeKey: () => {},
    });
  }
}
