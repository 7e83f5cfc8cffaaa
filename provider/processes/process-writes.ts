/** The recent writes of this process and of other processes of this machine, shared by all sessions. */
import { statSync } from "node:fs";
import { addTo } from "../../definitions/group-by";
import { Ages } from "../core/ages";
import { systemClock } from "../core/clock";
import { recentWrites } from "../core/time-limits";
import { SharedLines } from "./shared-lines";

export type Event = "made" | "deleted";

/** What happened to an object, and when. */
export interface Entry {
  place: string;
  event: Event;
  id: string;
  at: number;
  /** Hash of what identifies the object by its arguments; empty where that is not known. */
  target: string;
}

/** From so many on, those of this process are dropped that every read shows by now. */
const manyEntries = 1000;

/** Entries by place: each resource asks for its own. */
export class Places {
  #entries = new Map<string, Entry[]>();
  #count = 0;
  #most: number;

  /** From `most` entries on, those are dropped that every read shows by now. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** `isRecent`: whether a read may not show yet what was written then. */
  add(entry: Entry, isRecent: (at: number) => boolean = () => true): void {
    if (this.#count >= this.#most) this.#keep(isRecent);
    addTo(this.#entries, entry.place, entry);
    this.#count++;
  }

  in(place: string): readonly Entry[] {
    return this.#entries.get(place) ?? [];
  }

  #keep(isRecent: (at: number) => boolean): void {
    const left = [...this.#entries.values()].flat().filter(({ at }) => isRecent(at));
    [this.#entries, this.#count, this.#most] = [new Map(), 0, Math.max(manyEntries, 2 * left.length)];
    for (const entry of left) this.add(entry);
  }
}

/**
 * What this process has written, and what others have, for all its sessions: a fleet has one for each of its stacks, and a file of each
 * would be read by all others.
 */
export class ProcessWrites {
  readonly #written = new Places(manyEntries);
  #lines: SharedLines;
  #since = performance.now();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(readonly parent: string | undefined) {
    this.#lines = this.#begin();
  }

  /** Those of this process: one instance for each folder for temporary files. */
  static in(parent?: string): ProcessWrites {
    const writes = byFolder.get(parent) ?? new ProcessWrites(parent);
    byFolder.set(parent, writes);
    return writes;
  }

  add(entry: Entry, isRecent: (at: number) => boolean): void {
    this.#written.add(entry, isRecent);
    // The file of a process that goes on is read by others as a whole.
    if (performance.now() - this.#since > recentWrites.expiry)
      [this.#lines, this.#since, this.#readAt] = [this.#begin(), performance.now(), Number.NEGATIVE_INFINITY];
    const { place, event, id, at, target } = entry;
    this.#lines.publish(place, [event, id, at, target].join(" "));
  }

  in(place: string): Entry[] {
    this.#readOthers();
    const ofOthers = [...this.#lines.find(place)].map((text): Entry => {
      const [event, id = "", at, target = ""] = text.split(" ");
      return { place, event: event as Event, id, at: Number(at), target };
    });
    return [...this.#written.in(place), ...ofOthers];
  }

  /** A refresh asks for each of its objects: their files are read once in a while. */
  #readOthers(): void {
    const now = performance.now();
    if (now - this.#readAt <= recentWrites.maxAge) return;
    this.#lines.read();
    this.#readAt = now;
  }

  #begin(): SharedLines {
    return new SharedLines({
      folder: "recent",
      prefix: "writes.",
      header: "",
      isStale: ({ path }) =>
        Ages.by(systemClock).of(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > recentWrites.expiry,
      parent: this.parent,
    });
  }
}

const byFolder = new Map<string | undefined, ProcessWrites>();
