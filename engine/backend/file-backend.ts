/**
 * The state in files: the layout and format of the CLI's own file backend ("diy"), so that each continues what the
 * other has written.
 *
 *     <dir>/.pulumi/meta.yaml                                            version: 1
 *     <dir>/.pulumi/stacks/<project>/<stack>.json, .json.bak             the state, and the one before
 *     <dir>/.pulumi/history/<project>/<stack>/<stack>-<ns>.history.json, .checkpoint.json
 *     <dir>/.pulumi/backups/<project>/<stack>/<stack>.<ns>.json
 *     <dir>/.pulumi/locks/organization/<project>/<stack>/<uuid>.json
 *
 * Used for: the file:// backend.
 */
import { createReadStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { writeDurably } from "../../fs/atomic-write";
import { undefinedIfMissing } from "../../fs/file-errors";
import { parseJsonText } from "../../fs/json-text";
import { makeFolder } from "../../fs/make-folder";
import { isEmptied, keepCopy, namesIn, readText } from "../../fs/optional-files";
import { EngineError, messageOf } from "../errors";
import { renameStack, rewriteUrnsDeep } from "../resource/rename-urns";
import type { PendingOperation, ResourceState } from "../resource/resource-state";
import type { Crypter } from "../secrets/crypter";
import { type Checkpoint, newManifest, parseCheckpoint, wrapCheckpoint } from "../state/checkpoint";
import { CheckpointWriter } from "../state/checkpoint-writer";
import { hasCiphertext, type ResourceSerializer } from "../state/serializer";
import { folderOf } from "./folder-of-url";
import { StackLocks } from "./lock";

let lastStamp = 0n;
/** Nanoseconds since 1970, as names of files; never the same twice, and later than `after`: a clock may have been set back. */
function nanoseconds(after = 0n): string {
  const now = BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  const last = after > lastStamp ? after : lastStamp;
  lastStamp = now > last ? now : last + 1n;
  return String(lastStamp);
}

export class FileBackend {
  /** Absolute path of the folder that contains `.pulumi`. */
  readonly folder: string;

  readonly #project: string;

  constructor(
    readonly url: string,
    project: string,
    /** What a relative folder is relative to. Default: the current folder, as for the CLI. */
    base = "",
  ) {
    this.#project = project;
    if (!url.startsWith("file://"))
      throw new EngineError(
        `the built-in engine keeps state in files only, not at ${url}. Use the Pulumi CLI for that backend, or set PULUMI_BACKEND_URL to file://<folder>`,
      );
    this.folder = path.resolve(folderOf(url, base), ".pulumi");
  }

  get #metaFile(): string {
    return path.join(this.folder, "meta.yaml");
  }

  /** Refuses layouts of other versions. A missing file, or one that a power failure has emptied, means a folder not used yet. */
  async open(): Promise<void> {
    const text = await readText(this.#metaFile);
    if (text === undefined || isEmptied(text)) {
      const old = (await namesIn(path.join(this.folder, "stacks"))).filter((n) => n.endsWith(".json"));
      if (old.length > 0)
        throw new EngineError(
          `${this.folder} has the layout of old versions of the CLI (stacks without projects). Run \`pulumi state upgrade\` with the Pulumi CLI first`,
        );
      return;
    }
    const version = versionIn(text);
    if (version === undefined)
      throw new EngineError(
        `${this.#metaFile} is damaged: it does not say the version of the folder's layout. If there are folders of projects in ${path.join(this.folder, "stacks")}, remove the file, or write "version: 1" into it`,
      );
    if (version !== 1)
      throw new EngineError(
        `${this.folder} has layout version ${String(version)}; the built-in engine supports version 1. Use the Pulumi CLI for it`,
      );
  }

  async #init(): Promise<void> {
    const text = await readText(this.#metaFile);
    if (text === undefined || isEmptied(text)) await writeDurably(this.#metaFile, "version: 1\n");
  }

  stackFile(stack: string): string {
    return path.join(this.folder, "stacks", this.#project, `${stack}.json`);
  }
  /** The tags of a stack, as the CLI stores them. */
  #tagsFile(stack: string): string {
    return path.join(this.folder, "stacks", this.#project, `${stack}.pulumi-tags`);
  }
  async tags(stack: string): Promise<Record<string, string>> {
    const { version, tags = {} } = ((await readObject(this.#tagsFile(stack))) ?? { version: 1 }) as {
      version?: number;
      tags?: Record<string, string>;
    };
    if (version !== 1)
      throw new EngineError(`${this.#tagsFile(stack)} has version ${version}; the built-in engine supports version 1`);
    return tags;
  }
  /** Without tags there is no file. */
  async writeTags(stack: string, tags: Record<string, string>): Promise<void> {
    const file = this.#tagsFile(stack);
    if (Object.keys(tags).length === 0) await rm(file, { force: true });
    else await writeDurably(file, JSON.stringify({ version: 1, tags }));
  }
  historyFolder(stack: string): string {
    return path.join(this.folder, "history", this.#project, stack);
  }
  #backupFolder(stack: string): string {
    return path.join(this.folder, "backups", this.#project, stack);
  }

  async stacks(): Promise<string[]> {
    const names = await namesIn(path.join(this.folder, "stacks", this.#project));
    return [
      ...new Set(names.map((n) => /^(.+?)\.json(\.gz|\.zst)?$/.exec(n)?.[1]).filter((n) => n !== undefined)),
    ].sort();
  }

  /** Stacks with a `.bak` file but no state file: removed stacks, and stacks whose state was lost. */
  async stacksWithBackupOnly(): Promise<string[]> {
    const names = await namesIn(path.join(this.folder, "stacks", this.#project));
    const existing = new Set(await this.stacks());
    return names
      .flatMap((n) => /^(.+)\.json\.bak$/.exec(n)?.[1] ?? [])
      .filter((n) => !existing.has(n))
      .sort();
  }

  /** Does not list the folder: each command and run calls it, and there may be thousands of stacks. */
  async exists(stack: string): Promise<boolean> {
    for (const ending of ["", ".gz", ".zst"])
      if ((await undefinedIfMissing(stat(this.stackFile(stack) + ending))) !== undefined) return true;
    return false;
  }

  locks(stack: string): StackLocks {
    return new StackLocks(stack, path.join(this.folder, "locks", "organization", this.#project, stack));
  }

  /** Reads a stack's file, and rejects a state that contains anything unknown. */
  async load(stack: string): Promise<Checkpoint> {
    const file = this.stackFile(stack);
    const text = await readText(file);
    if (text === undefined) {
      const other = (await namesIn(path.dirname(file))).find(
        (n) => /^\.json\.(gz|zst)$/.test(n.slice(stack.length)) && n.startsWith(stack),
      );
      if (other !== undefined)
        throw new EngineError(
          `the state of ${stack} is compressed (${other}), which the built-in engine does not read. Use the Pulumi CLI, or have it write plain state (without PULUMI_DIY_BACKEND_GZIP)`,
        );
      throw new EngineError(`no stack named '${stack}' found in ${this.folder}`, "no-stack");
    }
    if (isEmptied(text)) throw new EngineError(await this.describeLoss(stack, "empty"), "integrity");
    let content: unknown;
    try {
      content = parseJsonText(text);
    } catch (cause) {
      throw new EngineError(
        `${file} is not JSON: ${messageOf(cause)}. The state before it is ${file}.bak`,
        "integrity",
        {
          cause,
        },
      );
    }
    return parseCheckpoint(content, file, hasCiphertext(text));
  }

  /** The number of resources in the state before the last one. 0 if there is none. */
  async resourcesInBackup(stack: string): Promise<number> {
    try {
      const text = await readText(`${this.stackFile(stack)}.bak`);
      const { latest } = parseCheckpoint(parseJsonText(text ?? "{}"), "", false);
      return (latest?.resources as unknown[] | undefined)?.length ?? 0;
    } catch {
      return 0;
    }
  }

  /** The message for a state that is missing or empty, as after a power failure or a killed CLI, and how to continue from the `.bak` file. */
  async describeLoss(stack: string, how: "missing" | "empty"): Promise<string> {
    const file = this.stackFile(stack);
    const count = await this.resourcesInBackup(stack);
    if (count === 0) return `the state of ${stack} is ${how}: ${file}. Restore it from a backup`;
    return (
      `the state of ${stack} is ${how}, but the one before it is there, with ${count} resources. ` +
      `To continue from it, copy ${file}.bak to ${file}, then run \`refresh\``
    );
  }

  /** Writes a new, empty stack. */
  async create(stack: string, crypter: Crypter | undefined): Promise<void> {
    await this.#init();
    const latest = {
      manifest: newManifest(),
      ...(crypter && { secrets_providers: { type: "passphrase", state: { salt: crypter.salt } } }),
      metadata: {},
    };
    await writeDurably(this.stackFile(stack), JSON.stringify(wrapCheckpoint(this.stackId(stack), {}, latest, [])));
  }

  stackId(stack: string): string {
    return `organization/${this.#project}/${stack}`;
  }

  writer(stack: string, checkpoint: Checkpoint, serializer: ResourceSerializer): CheckpointWriter {
    return new CheckpointWriter(this.stackFile(stack), this.stackId(stack), checkpoint.outer, serializer);
  }

  /** Copies the state to the backups, as after every operation. */
  async backup(stack: string): Promise<void> {
    await this.#copyState(stack, path.join(this.#backupFolder(stack), `${stack}.${nanoseconds()}.json`));
  }

  /** Adds an entry to the history, with a copy of the state. */
  async addHistory(stack: string, entry: Record<string, unknown>): Promise<void> {
    const last = /\d+$/.exec((await this.#historyNames(stack)).at(-1) ?? "")?.[0] ?? "0";
    const prefix = path.join(this.historyFolder(stack), `${stack}-${nanoseconds(BigInt(last))}`);
    await writeDurably(`${prefix}.history.json`, JSON.stringify(entry));
    await this.#copyState(stack, `${prefix}.checkpoint.json`);
  }

  async #copyState(stack: string, to: string): Promise<void> {
    const file = this.stackFile(stack);
    // Copied as a stream, since memory use is highest at the end of a run.
    if (await this.exists(stack)) await writeDurably(to, createReadStream(file));
  }

  /** Entries of the history, newest first, with their versions: `count` entries from number `from` on. */
  async history(
    stack: string,
    from = 0,
    count = Number.POSITIVE_INFINITY,
  ): Promise<(Record<string, unknown> & { version: number })[]> {
    const entries: (Record<string, unknown> & { version: number })[] = [];
    const names = (await this.#historyNames(stack)).map((name, i) => ({ name, version: i + 1 })).reverse();
    for (const { name, version } of names.slice(from, from + count)) {
      const file = path.join(this.historyFolder(stack), `${name}.history.json`);
      const entry = await readObject(file);
      if (entry === undefined) continue;
      if (typeof entry.kind !== "string") throw damaged(file, "it does not say what was done");
      entries.push({ ...entry, version });
    }
    return entries;
  }

  /** The state after a version of the history. */
  async historyState(stack: string, version: number): Promise<Checkpoint | undefined> {
    const name = (await this.#historyNames(stack))[version - 1];
    const file = path.join(this.historyFolder(stack), `${name}.checkpoint.json`);
    const text = name === undefined ? undefined : await readText(file);
    return text === undefined || isEmptied(text)
      ? undefined
      : parseCheckpoint(parseObject(text, file), file, hasCiphertext(text));
  }

  /** The files of the history without their endings, oldest first. */
  async #historyNames(stack: string): Promise<string[]> {
    const names = await namesIn(this.historyFolder(stack));
    return names.flatMap((name) => /^(.+)\.history\.json$/.exec(name)?.[1] ?? []).sort();
  }

  /** The file of a stack's state under another name. */
  renamed(from: string, to: string, { outer: around, latest }: Checkpoint): string {
    const fix = renameStack(from, to);
    const each = (r: ResourceState): ResourceState => rewriteUrnsDeep(r, fix);
    const { resources, pending_operations: pending } = (latest ?? {}) as {
      resources?: ResourceState[];
      pending_operations?: PendingOperation[];
    };
    const moved = {
      ...latest,
      ...(resources && { resources: resources.map(each) }),
      ...(pending && { pending_operations: pending.map((p) => ({ ...p, resource: each(p.resource) })) }),
    };
    return JSON.stringify(wrapCheckpoint(this.stackId(to), around, latest && moved, moved.resources ?? []));
  }

  /** True if a stack has exactly this state. */
  async holds(stack: string, state: string): Promise<boolean> {
    return (await readText(this.stackFile(stack))) === state;
  }

  /** Copies a stack's state, history and tags to another name; the old name keeps its state until {@link remove}. */
  async move(from: string, to: string, state: string): Promise<void> {
    if (!(await this.holds(to, state))) await writeDurably(this.stackFile(to), state);
    const history = await namesIn(this.historyFolder(from));
    if (history.length > 0) await makeFolder(this.historyFolder(to));
    for (const name of history.filter((n) => n.startsWith(`${from}-`)))
      await rename(
        path.join(this.historyFolder(from), name),
        path.join(this.historyFolder(to), to + name.slice(from.length)),
      );
    const tags = await readText(this.#tagsFile(from));
    if (tags !== undefined) await writeDurably(this.#tagsFile(to), tags);
  }

  /**
   * Removes a stack and its history, the state last: until it is gone, the removal can be repeated. The state stays as the .bak
   * file, and the backups stay.
   */
  async remove(stack: string): Promise<void> {
    const file = this.stackFile(stack);
    await keepCopy(file, `${file}.bak`);
    await rm(this.#tagsFile(stack), { force: true });
    await rm(this.historyFolder(stack), { recursive: true, force: true });
    await rm(file, { force: true });
  }
}

/** The layout's version in meta.yaml; undefined if it says none. */
function versionIn(text: string): unknown {
  try {
    return (parse(text) as { version?: unknown } | null)?.version ?? undefined;
  } catch {
    return undefined;
  }
}

/** The object in a file beside the state; undefined if the file is missing, or a power failure has emptied it. */
async function readObject(file: string): Promise<Record<string, unknown> | undefined> {
  const text = await readText(file);
  return text === undefined || isEmptied(text) ? undefined : parseObject(text, file);
}

function parseObject(text: string, file: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = parseJsonText(text);
  } catch (cause) {
    throw damaged(file, `it is not JSON: ${messageOf(cause)}`, cause);
  }
  if (content === null || typeof content !== "object" || Array.isArray(content))
    throw damaged(file, "it has no object");
  return content as Record<string, unknown>;
}

/** Of a file that no state needs. */
const damaged = (file: string, what: string, cause?: unknown): EngineError =>
  new EngineError(`${file} is damaged: ${what}. Restore it from a backup, or remove it`, "integrity", { cause });
