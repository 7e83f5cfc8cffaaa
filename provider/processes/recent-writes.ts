/**
 * Objects that were created or deleted so recently that reads may not show it yet. All processes, runs and stacks of this machine share
 * them; a state also says when its own object was created. The key is an object's ID, which is never used twice.
 */
import { keyedHash } from "../../fs/machine-key";
import { longestLag } from "../../sdk/http/read-lag";
import { Ages } from "../core/ages";
import type { Clock } from "../core/clock";
import { hashOf } from "../core/hash";
import type { AccountHandle } from "../core/resource-definition";
import { type Entry, type Event, Places, type ProcessWrites } from "./process-writes";
import type { RunMember } from "./run-registry";

export class RecentWrites {
  readonly #own = new Places();
  readonly #ages: Ages;

  /** `shared`: of all processes of this machine. */
  constructor(
    readonly clock: Pick<Clock, "now" | "date">,
    readonly shared: ProcessWrites,
    readonly run: Pick<RunMember, "claim">,
  ) {
    this.#ages = Ages.by(clock);
  }

  /** Those of one kind in one account. */
  of(account: AccountHandle, kind: string): RecentObjects {
    return new RecentObjects(this, account, kind);
  }

  /** `isShared`: false for what a state says of its own object. */
  add(places: readonly string[], entry: Omit<Entry, "place">, isShared: boolean): void {
    if (this.timeLeft(entry.at) === 0) return;
    for (const place of places) {
      if (isShared) this.shared.add({ ...entry, place }, (at) => this.timeLeft(at) > 0);
      else this.#own.add({ ...entry, place });
    }
  }

  /** Of these places, what reads may not show yet. */
  in(places: readonly string[]): Entry[] {
    return [...new Set(places)]
      .flatMap((place) => [...this.#own.in(place), ...this.shared.in(place)])
      .filter(({ at }) => this.timeLeft(at) > 0);
  }

  /** Milliseconds after which every read shows what was written at a time of day. Of a time to come, as clocks differ, no more. */
  timeLeft(at: number): number {
    const age = this.#ages.of(at);
    return age >= longestLag ? 0 : Math.min(longestLag, longestLag - age);
  }
}

/** Those of one kind in one account. */
class RecentObjects {
  constructor(
    readonly writes: RecentWrites,
    readonly account: AccountHandle,
    readonly kind: string,
  ) {}

  /** Records what this process has done now. `name`: what identifies the object by its arguments. */
  async record(event: Event, id: string, name?: string): Promise<void> {
    const target = name === undefined ? "" : hashOfName(name);
    this.writes.add(await this.#places(), { event, id, at: this.writes.clock.date(), target }, true);
  }

  /** An account has one name here, whichever way it is reached. A service that is reset, as an emulator is, has the same IDs in another run. */
  async claim(id: string): Promise<boolean> {
    const { companyId = "", client } = this.account;
    const account = await client.keyFingerprint().catch(() => companyId);
    return this.writes.run.claim(`${this.#place(account)} ${id}`);
  }

  /** Records when a state says that its object was made, or not later than that. */
  note(id: string, madeAt: number | undefined): void {
    if (madeAt === undefined) return;
    this.writes.add([this.#placeHere], { event: "made", id, at: madeAt, target: "" }, false);
  }

  /** The IDs of those that exist and a read may lack, with the milliseconds for which it may. `name`: only what may be identified by it. */
  async made(name?: string): Promise<Map<string, number>> {
    const entries = await this.#entries();
    // A plan, without any, makes no key of the machine.
    const targets = name === undefined || entries.length === 0 ? undefined : ["", hashOfName(name)];
    const deleted = entries.filter(({ event }) => event === "deleted").map(({ id }) => id);
    const made = entries.filter(
      ({ event, id, target }) =>
        event === "made" && !deleted.includes(id) && (targets === undefined || targets.includes(target)),
    );
    return new Map(made.map(({ id, at }) => [id, this.writes.timeLeft(at)]));
  }

  /** The IDs of those that no longer exist and a read may have. */
  async deleted(): Promise<string[]> {
    return (await this.#entries()).filter(({ event }) => event === "deleted").map(({ id }) => id);
  }

  async #entries(): Promise<Entry[]> {
    return this.writes.in([this.#placeHere, ...(await this.#places())]);
  }

  /** Its name in this session, also where settings are missing. */
  get #placeHere(): string {
    return `${this.account.companyId ?? ""} ${this.kind}`;
  }

  /** Its names for all processes: a subaccount may be reached through its partner, and with its own key. */
  async #places(): Promise<string[]> {
    const { companyId, client } = this.account;
    const fingerprint = await client.keyFingerprint().catch(() => undefined);
    return [companyId, fingerprint].flatMap((name) => (name === undefined ? [] : [this.#place(name)]));
  }

  #place(account: string): string {
    return hashOf(`${this.account.baseUrl} ${account} ${this.kind}`);
  }
}

/** There may be a short secret in it, such as that of a webhook's URL, so its hash is keyed. Where that fails, nothing is known of it. */
function hashOfName(name: string): string {
  try {
    return keyedHash("recent", name);
  } catch {
    return "";
  }
}
