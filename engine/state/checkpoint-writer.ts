/**
 * Writes the state of a stack again and again while an operation runs. The text of a resource is made once and used
 * until the resource changes: a large state costs what changes in it, not what it is.
 *
 * Serves: the checkpoint file, and the .bak file beside it.
 */
import { randomUUID } from "node:crypto";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { writeDurably } from "../../fs/atomic-write";
import { keepCopy } from "../../fs/files";
import type { ResourceState } from "../resource/state";
import { manifest, wrap } from "./checkpoint";
import { assertIntegrity, made } from "./integrity";
import type { StateCodec } from "./serializer";
import type { Deployment } from "./snapshot";

export class StateWriter {
  private readonly texts = new WeakMap<ResourceState, string>();
  /** Number of writes so far. */
  writes = 0;

  constructor(
    readonly file: string,
    private readonly id: string,
    private readonly around: Record<string, unknown>,
    private readonly codec: StateCodec,
  ) {}

  /** To be called when a resource was changed in place. */
  changed(state: ResourceState): void {
    this.texts.delete(state);
  }

  private *lazily(states: readonly ResourceState[]): Generator<string> {
    for (const state of states) yield this.texts.get(state) ?? JSON.stringify(this.codec.write(state));
  }

  private text(state: ResourceState): string {
    let text = this.texts.get(state);
    if (text === undefined) {
      text = JSON.stringify(this.codec.write(state));
      this.texts.set(state, text);
    }
    return text;
  }

  /** With `last`, nothing changes any more while the file is written, and no text is kept for another write. */
  async write(d: Deployment, { last = false } = {}): Promise<void> {
    assertIntegrity(d.resources, made("the new state"));
    const content = this.content(d, last);
    await keepCopy(this.file, `${this.file}.bak`);
    await writeDurably(this.file, content);
    this.writes++;
  }

  /** Writes the state, whatever is wrong with it, where there may be room when its own disk has none; undefined when there is none either. */
  async rescue(d: Deployment): Promise<string | undefined> {
    for (const folder of [tmpdir(), homedir()]) {
      const file = path.join(folder, `${randomUUID()}-${path.basename(this.file)}`);
      try {
        await writeDurably(file, this.content(d, true), { mode: 0o600 });
        return file;
      } catch {}
    }
    return undefined;
  }

  private content(d: Deployment, last: boolean): Generator<string> {
    const secrets = this.codec.crypter && {
      secrets_providers: { type: "passphrase", state: { salt: this.codec.crypter.salt } },
    };
    const latest = JSON.stringify({ manifest: manifest(), metadata: {}, ...d.rest, ...secrets });
    // Made at once where resources may change while the file is written.
    const resources = last ? this.lazily(d.resources) : d.resources.map((r) => this.text(r));
    // What is under way still changes: its text is not kept.
    const pending = d.pendingOperations.map((p) => JSON.stringify({ ...p, resource: this.codec.write(p.resource) }));
    const mark = `@${randomUUID()}@`;
    const around = JSON.stringify(wrap(this.id, this.around, mark, d.resources));
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

/** How much text of a state is put together at once, in characters: the whole of it is several times in memory. */
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
