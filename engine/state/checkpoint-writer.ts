/**
 * Writes the state of a stack repeatedly during an operation. The JSON text of a resource is cached until the resource changes, so that
 * the cost of a write depends on what changed, not on the size of the state.
 *
 * Used for: the checkpoint file, and the .bak file beside it.
 */
import { randomUUID } from "node:crypto";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { writeDurably } from "../../fs/atomic-write";
import { keepCopy } from "../../fs/optional-files";
import type { ResourceState } from "../resource/resource-state";
import { newManifest, wrapCheckpoint } from "./checkpoint";
import { assertIntegrity, newState } from "./damaged-state";
import type { ResourceSerializer } from "./serializer";
import type { Snapshot } from "./snapshot";

export class CheckpointWriter {
  readonly #texts = new WeakMap<ResourceState, string>();
  /** Number of writes so far. */
  writes = 0;

  readonly #id: string;
  readonly #outer: Record<string, unknown>;
  readonly #serializer: ResourceSerializer;

  constructor(
    readonly file: string,
    id: string,
    outer: Record<string, unknown>,
    serializer: ResourceSerializer,
  ) {
    this.#id = id;
    this.#outer = outer;
    this.#serializer = serializer;
  }

  /** To be called when a resource was changed in place. */
  invalidate(state: ResourceState): void {
    this.#texts.delete(state);
  }

  *#lazyTexts(states: readonly ResourceState[]): Generator<string> {
    for (const state of states) yield this.#texts.get(state) ?? JSON.stringify(this.#serializer.serialize(state));
  }

  #textOf(state: ResourceState): string {
    let text = this.#texts.get(state);
    if (text === undefined) {
      text = JSON.stringify(this.#serializer.serialize(state));
      this.#texts.set(state, text);
    }
    return text;
  }

  /** With `last`, resources do not change during the write, and no text is cached. */
  async write(snapshot: Snapshot, { last = false } = {}): Promise<void> {
    assertIntegrity(snapshot.resources, newState("the new state"));
    const content = this.#content(snapshot, last);
    await keepCopy(this.file, `${this.file}.bak`);
    await writeDurably(this.file, content);
    this.writes++;
  }

  /** Writes the state, valid or not, to another disk; resolves to the file, undefined if that fails too. */
  async writeEmergencyCopy(snapshot: Snapshot): Promise<string | undefined> {
    for (const folder of [tmpdir(), homedir()]) {
      const file = path.join(folder, `${randomUUID()}-${path.basename(this.file)}`);
      try {
        await writeDurably(file, this.#content(snapshot, true), { mode: 0o600 });
        return file;
      } catch {}
    }
    return undefined;
  }

  #content(snapshot: Snapshot, last: boolean): Generator<string> {
    const secrets = this.#serializer.crypter && {
      secrets_providers: { type: "passphrase", state: { salt: this.#serializer.crypter.salt } },
    };
    const latest = JSON.stringify({ manifest: newManifest(), metadata: {}, ...snapshot.unknownFields, ...secrets });
    // Created before the write, if resources may change during it.
    const resources = last ? this.#lazyTexts(snapshot.resources) : snapshot.resources.map((r) => this.#textOf(r));
    // A resource in progress still changes, so its text is not cached.
    const pending = snapshot.pendingOperations.map((p) =>
      JSON.stringify({ ...p, resource: this.#serializer.serialize(p.resource) }),
    );
    const mark = `@${randomUUID()}@`;
    const around = JSON.stringify(wrapCheckpoint(this.#id, this.#outer, mark, snapshot.resources));
    const [head, tail] = around.split(JSON.stringify(mark)) as [string, string];
    const before = head + latest.slice(0, -1);
    return chunks(pieces(before, list("resources", resources), list("pending_operations", pending), "}", tail));
  }
}

/** A field that is a list, as pieces of text; nothing when the list is empty. It is never the first field. */
function* list(field: string, texts: Iterable<string>): Generator<string> {
  let before = `,"${field}":[`;
  for (const text of texts) {
    yield before;
    yield text;
    before = ",";
  }
  if (before === ",") yield "]";
}

function* pieces(...parts: (string | Iterable<string>)[]): Generator<string> {
  for (const part of parts)
    if (typeof part === "string") yield part;
    else yield* part;
}

/** Size of the chunks in which the text of a state is written, in characters: joining all of it would need several times its memory. */
const CHUNK = 1 << 18;

function* chunks(pieces: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}
