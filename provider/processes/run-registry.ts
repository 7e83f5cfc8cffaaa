/**
 * What the provider instances of one run publish to one another: those of this process in memory, for the others by a file. With the plugin
 * each explicit provider has a process of its own.
 */
import { addTo } from "../../definitions/group-by";
import { currentProcess, namesEndedProcess } from "../../fs/process-identity";
import { hashOf } from "../core/hash";
import { Claims } from "./claims";
import { SharedLines } from "./shared-lines";

/** What was published, by keys. */
export class Published {
  /** @param find the words of each line with a key */
  constructor(readonly find: (key: string) => Iterable<readonly string[]>) {}

  has(key: string): boolean {
    for (const _ of this.find(key)) return true;
    return false;
  }
}

/** One run, for all its provider instances in this process. */
export class RunRegistry {
  readonly claims: Claims;
  readonly #members = new Set<RunMember>();
  /** By key, what the instances of this process have published. */
  readonly #published = new Map<string, { by: RunMember; text: string }[]>();
  readonly #lines: SharedLines;

  /**
   * @param name what the processes of one run, and no others, have in common
   * @param parent the folder for temporary files
   * @param ended called when the last of its instances has left it
   */
  constructor(
    name: string,
    parent: string | undefined,
    readonly ended: () => void,
  ) {
    this.claims = new Claims(name, parent);
    this.#lines = new SharedLines({
      folder: "runs",
      prefix: `${hashOf(name)}.`,
      header: JSON.stringify(currentProcess()),
      isStale: ({ header }) => namesEndedProcess(header),
      parent,
    });
  }

  add(member: RunMember): void {
    this.#members.add(member);
  }

  publish(by: RunMember, key: string, text: string): void {
    addTo(this.#published, key, { by, text });
    this.#lines.publish(key, text);
  }

  /** What all but one of the instances have published until now. */
  publishedBesides(member: RunMember): Published {
    this.#lines.read();
    return new Published((key) => this.#find(key, member));
  }

  *#find(key: string, besides: RunMember): Iterable<string[]> {
    for (const { by, text } of this.#published.get(key) ?? []) if (by !== besides) yield text.split(" ");
    for (const text of this.#lines.find(key)) yield text.split(" ");
  }

  /** What an instance has published is over for those of this process; for others with the last of them. */
  remove(member: RunMember): void {
    this.#members.delete(member);
    for (const [key, published] of this.#published) {
      const left = published.filter(({ by }) => by !== member);
      if (left.length === 0) this.#published.delete(key);
      else this.#published.set(key, left);
    }
    if (this.#members.size > 0) return;
    this.#lines.close();
    this.claims.close();
    this.ended();
  }
}

/** One provider instance of a run. Without a registry there is one instance, and nothing is published. */
export class RunMember {
  #registry: RunRegistry | undefined;

  constructor(registry: RunRegistry | undefined) {
    this.#registry = registry;
    registry?.add(this);
  }

  /** @param key a word by which the others find it */
  publish(key: string, ...words: readonly (string | number)[]): void {
    this.#registry?.publish(this, key, words.join(" "));
  }

  /** What the other instances have published until now. */
  get published(): Published {
    return this.#registry?.publishedBesides(this) ?? new Published(() => []);
  }

  /** Takes an object for one create of the run. False if another has it. */
  claim(object: string): boolean {
    return this.#registry?.claims.claim(object) ?? true;
  }

  /** The run has ended, and this process goes on. */
  close(): void {
    this.#registry?.remove(this);
    this.#registry = undefined;
  }
}
