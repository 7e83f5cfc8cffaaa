/**
 * The objects that were made or deleted so short a time ago that reads may not show it yet. What this machine has written is shared by
 * all processes, runs and stacks; what a state knows of its own object comes with that. By an object's ID, which is used once.
 */
import { statSync } from "node:fs";
import { keyedHash } from "../../fs/machine-key";
import type { Clock } from "../core/clock";
import { hashOf } from "../core/hash";
import type { AccountHandle } from "../core/resource-definition";
import { longestLag, recentWrites } from "../core/time-limits";
import { Claims } from "./claims";
import { SharedLines } from "./shared-lines";

type Event = "made" | "deleted";

/** What happened to an object, and when. */
interface Entry {
  place: string;
  event: Event;
  id: string;
  at: number;
  /** Hash of what identifies the object by its arguments; empty where that is not known. */
  target: string;
}

/** Of this process. */
const manyEntries = 1000;

/** Entries by place: each resource asks for its own. */
class Places {
  #entries = new Map<string, Entry[]>();
  #count = 0;
  #most: number;

  /** From `most` entries on, those are dropped that every read shows by now. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  add(entry: Entry): void {
    if (this.#count >= this.#most) this.#dropOlderThan(entry.at - longestLag);
    const entries = this.#entries.get(entry.place);
    if (entries === undefined) this.#entries.set(entry.place, [entry]);
    else entries.push(entry);
    this.#count++;
  }

  in(place: string): readonly Entry[] {
    return this.#entries.get(place) ?? [];
  }

  #dropOlderThan(time: number): void {
    const left = [...this.#entries.values()].flat().filter(({ at }) => at > time);
    [this.#entries, this.#count, this.#most] = [new Map(), 0, Math.max(manyEntries, 2 * left.length)];
    for (const entry of left) this.add(entry);
  }
}

/**
 * What this process has written, and what others have, for all its sessions: a fleet has one for each of its stacks, and a file of each
 * would be read by all others.
 */
class ProcessWrites {
  readonly #written = new Places(manyEntries);
  #lines: SharedLines;
  #since = performance.now();
  #others: { readAt: number; entries: Places } | undefined;

  constructor(readonly parent: string | undefined) {
    this.#lines = this.#begin();
  }

  add(entry: Entry): void {
    this.#written.add(entry);
    // The file of a process that goes on is read by others as a whole.
    if (performance.now() - this.#since > recentWrites.useless)
      [this.#lines, this.#since] = [this.#begin(), performance.now()];
    const { place, event, id, at, target } = entry;
    this.#lines.publish([place, event, id, at, target].join(" "));
  }

  in(place: string): Entry[] {
    return [...this.#written.in(place), ...this.#ofOthers.in(place)];
  }

  #begin(): SharedLines {
    return new SharedLines({
      folder: "recent",
      prefix: "writes.",
      header: "",
      isStale: ({ path }) =>
        Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > recentWrites.useless,
      parent: this.parent,
    });
  }

  /** A refresh asks for each of its objects: their files are read once in a while. */
  get #ofOthers(): Places {
    const now = performance.now();
    if (this.#others === undefined || now - this.#others.readAt > recentWrites.maxAge) {
      const entries = new Places();
      for (const line of this.#lines.published) {
        const [place = "", event, id = "", at, target = ""] = line.split(" ");
        entries.add({ place, event: event as Event, id, at: Number(at), target });
      }
      this.#others = { readAt: now, entries };
    }
    return this.#others.entries;
  }
}

/** By the folder for temporary files. */
const claimsIn = new Map<string | undefined, Claims>();
const processWrites = new Map<string | undefined, ProcessWrites>();

export class RecentWrites {
  readonly #process: ProcessWrites;
  readonly #own = new Places();
  readonly claims: Claims;

  /** `parent`: the folder for temporary files. `run`: what the processes of a run have in common; undefined where there is one process. */
  constructor(
    readonly clock: Pick<Clock, "date">,
    parent?: string,
    readonly run?: string,
  ) {
    this.#process = processWrites.get(parent) ?? new ProcessWrites(parent);
    processWrites.set(parent, this.#process);
    this.claims = claimsIn.get(parent) ?? new Claims(parent);
    claimsIn.set(parent, this.claims);
  }

  /** Those of one kind in one account. */
  of(account: AccountHandle, kind: string): RecentObjects {
    return new RecentObjects(this, account, kind);
  }

  /** `isShared`: false for what a state says of its own object. */
  add(places: readonly string[], entry: Omit<Entry, "place">, isShared: boolean): void {
    if (this.timeLeft(entry.at) === 0) return;
    for (const place of places) {
      if (isShared) this.#process.add({ ...entry, place });
      else this.#own.add({ ...entry, place });
    }
  }

  /** Of these places, what reads may not show yet. */
  in(places: readonly string[]): Entry[] {
    return [...new Set(places)]
      .flatMap((place) => [...this.#own.in(place), ...this.#process.in(place)])
      .filter(({ at }) => this.timeLeft(at) > 0);
  }

  /** Milliseconds after which every read shows what was written at a time of day. Of a time to come, as clocks differ, no more. */
  timeLeft(at: number): number {
    const age = this.clock.date() - at;
    return age >= longestLag ? 0 : Math.min(longestLag, longestLag - age);
  }
}

/** Those of one kind in one account. */
export class RecentObjects {
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
    const { run, claims } = this.writes;
    if (run === undefined) return true;
    const { companyId = "", client } = this.account;
    const account = await client.keyFingerprint().catch(() => companyId);
    return claims.claim(hashOf(`${run} ${this.#place(account)} ${id}`));
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
    return hashOf(`${this.account.client.baseUrl} ${account} ${this.kind}`);
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
