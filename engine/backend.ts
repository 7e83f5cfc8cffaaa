/**
 * The state in files: the layout and format of the CLI's own file backend ("diy"), so that either carries on where the
 * other stopped.
 *
 *     <dir>/.pulumi/meta.yaml                                            version: 1
 *     <dir>/.pulumi/stacks/<project>/<stack>.json, .json.bak             the state, and the one before
 *     <dir>/.pulumi/history/<project>/<stack>/<stack>-<ns>.history.json, .checkpoint.json
 *     <dir>/.pulumi/backups/<project>/<stack>/<stack>.<ns>.json
 *     <dir>/.pulumi/locks/organization/<project>/<stack>/<uuid>.json
 *
 * Serves: the file:// backend.
 */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { writeDurably } from "../disk/durable-file";
import { EngineError, messageOf } from "./errors";
import { keepCopy, namesIn, readBytes, readText } from "./files";
import { assertIntegrity, magicOf } from "./integrity";
import { Lock, type LockFolder } from "./lock";
import type { Crypter } from "./secrets";
import type { Deployment, PendingOperation, ResourceState, StateCodec } from "./state";

/** Features that a state of version 4 may use and that are carried out; any other is refused. */
const FEATURES: Record<string, (r: ResourceState) => boolean> = {
  taint: (r) => r.taint === true,
  replaceWith: (r) => (r.replaceWith ?? []).length > 0,
};
/** The features that resources make use of: the version is 4 if there are any, so that older CLIs refuse the state. */
const featuresOf = (resources: readonly ResourceState[]): string[] =>
  Object.keys(FEATURES)
    .filter((name) => resources.some(FEATURES[name] as (r: ResourceState) => boolean))
    .sort();
/** Version and features of a deployment, as the file and an export have them. */
export const versionOf = (resources: readonly ResourceState[]): { version: number; features?: string[] } => {
  const features = featuresOf(resources);
  return features.length === 0 ? { version: 3 } : { version: 4, features };
};
/** Refuses versions and features that are not known. */
export function checkVersion(version: unknown, features: unknown, fail: (what: string) => never): void {
  if (version !== 3 && version !== 4) fail(`is a state of version ${String(version)}`);
  const strange = (Array.isArray(features) ? features : []).filter((f) => !(String(f) in FEATURES));
  if (strange.length > 0) fail(`uses the features ${strange.join(", ")}`);
}

/** Who wrote a state; the state's own rule makes its "magic" from it. */
const MANIFEST_VERSION = "embedded-engine-1";

/** The file of a stack, understood but with its secrets closed. */
export interface Checkpoint {
  /** Everything around the deployment. */
  around: Record<string, unknown>;
  /** True if there is anything to decrypt. */
  hasSecrets: boolean;
  /** `checkpoint.latest`; undefined for a stack that never had one. */
  latest: Record<string, unknown> | undefined;
}

let lastStamp = 0n;
/** Nanoseconds since 1970, as names of files; never the same twice. */
function nanoseconds(): string {
  const now = BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  lastStamp = now > lastStamp ? now : lastStamp + 1n;
  return String(lastStamp);
}

export class Backend {
  private readonly base: string;

  constructor(
    readonly url: string,
    private readonly project: string,
  ) {
    if (!url.startsWith("file://"))
      throw new EngineError(
        `the embedded engine keeps state in files only, not at ${url}. Use the Pulumi CLI for that backend, or set PULUMI_BACKEND_URL to file://<folder>`,
      );
    this.base = path.join(folderOf(url), ".pulumi");
  }

  /** Refuses layouts of other versions. A missing file means a folder not used yet. */
  async open(): Promise<void> {
    const text = await readText(path.join(this.base, "meta.yaml"));
    if (text === undefined) {
      const old = (await namesIn(path.join(this.base, "stacks"))).filter((n) => n.endsWith(".json"));
      if (old.length > 0)
        throw new EngineError(
          `${this.base} has the layout of old versions of the CLI (stacks without projects). Run \`pulumi state upgrade\` with the Pulumi CLI first`,
        );
      return;
    }
    const version = (parse(text) as { version?: unknown } | null)?.version;
    if (version !== 1)
      throw new EngineError(
        `${this.base} has layout version ${String(version)}; the embedded engine knows version 1. Use the Pulumi CLI for it`,
      );
  }

  private async init(): Promise<void> {
    const meta = path.join(this.base, "meta.yaml");
    if ((await readText(meta)) === undefined) await writeDurably(meta, "version: 1\n");
  }

  stackFile(stack: string): string {
    return path.join(this.base, "stacks", this.project, `${stack}.json`);
  }
  historyFolder(stack: string): string {
    return path.join(this.base, "history", this.project, stack);
  }
  private backupFolder(stack: string): string {
    return path.join(this.base, "backups", this.project, stack);
  }

  async stacks(): Promise<string[]> {
    const names = await namesIn(path.join(this.base, "stacks", this.project));
    return [
      ...new Set(names.map((n) => /^(.+?)\.json(\.gz|\.zst)?$/.exec(n)?.[1]).filter((n) => n !== undefined)),
    ].sort();
  }

  async exists(stack: string): Promise<boolean> {
    return (await this.stacks()).includes(stack);
  }

  locks(stack: string): LockFolder {
    const folder = path.join(this.base, "locks", "organization", this.project, stack);
    return Lock.folder(folder);
  }

  /** Reads a stack's file and refuses whatever is not known through and through. */
  async load(stack: string): Promise<Checkpoint> {
    const file = this.stackFile(stack);
    const text = await readText(file);
    if (text === undefined) {
      const other = (await namesIn(path.dirname(file))).find(
        (n) => /^\.json\.(gz|zst)$/.test(n.slice(stack.length)) && n.startsWith(stack),
      );
      if (other !== undefined)
        throw new EngineError(
          `the state of ${stack} is compressed (${other}), which the embedded engine does not read. Use the Pulumi CLI, or have it write plain state (without PULUMI_DIY_BACKEND_GZIP)`,
        );
      throw new EngineError(`there is no stack ${stack} in ${this.url}`, "not-found");
    }
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch (cause) {
      throw new EngineError(
        `${file} is not JSON: ${messageOf(cause)}. The state before it is ${file}.bak`,
        "integrity",
        {
          cause,
        },
      );
    }
    return understand(content, file, text.includes('"ciphertext"'));
  }

  /** Writes a new, empty stack. */
  async create(stack: string, crypter: Crypter | undefined): Promise<void> {
    await this.init();
    const latest = {
      manifest: manifest(),
      ...(crypter && { secrets_providers: { type: "passphrase", state: { salt: crypter.salt } } }),
      metadata: {},
    };
    await writeDurably(this.stackFile(stack), JSON.stringify(wrap(this.stackId(stack), {}, latest, [])));
  }

  stackId(stack: string): string {
    return `organization/${this.project}/${stack}`;
  }

  writer(stack: string, checkpoint: Checkpoint, codec: StateCodec): StateWriter {
    return new StateWriter(this.stackFile(stack), this.stackId(stack), checkpoint.around, codec);
  }

  /** Puts a copy of the state among the backups, as after every operation. */
  async backup(stack: string): Promise<void> {
    const state = await readBytes(this.stackFile(stack));
    if (state !== undefined)
      await writeDurably(path.join(this.backupFolder(stack), `${stack}.${nanoseconds()}.json`), state);
  }

  /** Adds an entry to the history, with a copy of the state. */
  async addHistory(stack: string, entry: Record<string, unknown>): Promise<void> {
    const prefix = path.join(this.historyFolder(stack), `${stack}-${nanoseconds()}`);
    await writeDurably(`${prefix}.history.json`, JSON.stringify(entry));
    const state = await readBytes(this.stackFile(stack));
    if (state !== undefined) await writeDurably(`${prefix}.checkpoint.json`, state);
  }

  /** Entries of the history, newest first. */
  async history(stack: string): Promise<Record<string, unknown>[]> {
    const folder = this.historyFolder(stack);
    const names = (await namesIn(folder)).filter((n) => n.endsWith(".history.json")).sort((a, b) => (a < b ? 1 : -1));
    const entries: Record<string, unknown>[] = [];
    for (const name of names) {
      const text = await readText(path.join(folder, name));
      if (text !== undefined) entries.push(JSON.parse(text) as Record<string, unknown>);
    }
    return entries;
  }

  /** Removes a stack and its history. Its last state stays as the .bak file, and its backups stay. */
  async remove(stack: string): Promise<void> {
    const file = this.stackFile(stack);
    await keepCopy(file, `${file}.bak`);
    await rm(file, { force: true });
    await rm(this.historyFolder(stack), { recursive: true, force: true });
  }
}

const folderOf = (url: string): string => {
  // The CLI takes file://~ and file://./ for what they look like, although they are not proper addresses.
  const rest = url.slice("file://".length);
  if (rest === "~" || rest.startsWith("~/")) return path.join(process.env.HOME ?? "", rest.slice(1));
  if (rest === "" || rest.startsWith(".")) return path.resolve(rest);
  return fileURLToPath(url);
};

const manifest = (): Record<string, unknown> => ({
  time: new Date().toISOString(),
  magic: magicOf(MANIFEST_VERSION),
  version: MANIFEST_VERSION,
});

const wrap = (
  id: string,
  around: Record<string, unknown>,
  latest: unknown,
  resources: readonly ResourceState[],
): Record<string, unknown> => {
  const { checkpoint, version: _version, features: _features, ...rest } = around;
  return {
    ...versionOf(resources),
    ...rest,
    checkpoint: { ...((checkpoint as Record<string, unknown> | undefined) ?? {}), stack: id, latest },
  };
};

/** Takes a file's content apart. */
function understand(content: unknown, file: string, hasSecrets: boolean): Checkpoint {
  const fail = (what: string): never => {
    throw new EngineError(
      `${file} ${what}, which the embedded engine does not know. Nothing was changed; use the Pulumi CLI for this stack`,
    );
  };
  const outer = content as { version?: unknown; features?: unknown[]; checkpoint?: { latest?: unknown } };
  checkVersion(outer?.version, outer?.features, fail);
  const latest = outer.checkpoint?.latest as Record<string, unknown> | null | undefined;
  if (latest !== null && latest !== undefined) checkDeployment(latest, fail);
  // What is kept while an operation runs must not hold the whole old state as well.
  const { latest: _latest, ...checkpoint } = (outer.checkpoint as Record<string, unknown> | undefined) ?? {};
  return { around: { ...outer, checkpoint }, hasSecrets, latest: latest ?? undefined };
}

/** Refuses a deployment with parts that this engine would not carry out. */
export function checkDeployment(latest: Record<string, unknown>, fail: (what: string) => never): void {
  const secrets = latest.secrets_providers as { type?: string } | undefined;
  if (secrets?.type !== undefined && secrets.type !== "" && secrets.type !== "passphrase")
    fail(`keeps its secrets with the secrets provider "${secrets.type}"`);
  const m = latest.manifest as { version?: string; magic?: string } | undefined;
  if (m !== undefined && (m.magic ?? "") !== magicOf(m.version ?? ""))
    fail("has a manifest whose magic does not fit its version");
  for (const part of ["snippets", "extensions"] as const) {
    const v = latest[part];
    if (v !== undefined && v !== null && Object.keys(v as object).length > 0) fail(`holds ${part}`);
  }
  for (const r of [
    ...((latest.resources as ResourceState[] | undefined) ?? []),
    ...((latest.pending_operations as PendingOperation[] | undefined) ?? []).map((p) => p.resource),
  ]) {
    for (const [field, word] of [
      ["viewOf", "a view"],
      ["resourceHooks", "resource hooks"],
      ["extensionRef", "an extension"],
      ["snippetID", "a snippet"],
      ["refreshBeforeUpdate", "a refresh before each update"],
    ] as const) {
      const v = r[field];
      if (
        (v !== undefined && v !== null && v !== false && v !== "" && Object.keys(Object(v)).length !== 0) ||
        v === true
      )
        fail(`holds ${r.urn} with ${word}`);
    }
  }
}

/** The deployment of a checkpoint, with its secrets open. */
export function openDeployment(latest: Record<string, unknown> | undefined, codec: StateCodec): Deployment {
  const { manifest: _manifest, resources, pending_operations, ...rest } = latest ?? {};
  const opened = ((resources as Record<string, unknown>[] | undefined) ?? []).map((r) => codec.read(r));
  assertIntegrity(opened, "the state of the stack");
  return {
    resources: opened,
    pendingOperations: ((pending_operations as PendingOperation[] | undefined) ?? []).map((p) => ({
      ...p,
      resource: codec.read(p.resource as unknown as Record<string, unknown>),
    })),
    rest,
  };
}

/** The deployment as the file has it. */
export function closeDeployment(d: Deployment, codec: StateCodec, showSecrets = false): Record<string, unknown> {
  return {
    manifest: manifest(),
    ...d.rest,
    ...(d.resources.length > 0 && { resources: d.resources.map((r) => codec.write(r, showSecrets)) }),
    ...(d.pendingOperations.length > 0 && {
      pending_operations: d.pendingOperations.map((p) => ({ ...p, resource: codec.write(p.resource, showSecrets) })),
    }),
  };
}

/**
 * Writes the state of one stack again and again. The text of a resource is made once and used until the resource
 * changes: a large state costs what changes in it, not what it is.
 */
export class StateWriter {
  private readonly texts = new WeakMap<ResourceState, string>();
  /** Number of writes so far. */
  writes = 0;

  constructor(
    private readonly file: string,
    private readonly id: string,
    private readonly around: Record<string, unknown>,
    private readonly codec: StateCodec,
  ) {}

  /** To be called when a resource was changed in place. */
  changed(state: ResourceState): void {
    this.texts.delete(state);
  }

  private text(state: ResourceState): string {
    let text = this.texts.get(state);
    if (text === undefined) {
      text = JSON.stringify(this.codec.write(state));
      this.texts.set(state, text);
    }
    return text;
  }

  async write(d: Deployment): Promise<void> {
    assertIntegrity(d.resources, "the new state");
    const secrets = this.codec.crypter && {
      secrets_providers: { type: "passphrase", state: { salt: this.codec.crypter.salt } },
    };
    const latest = JSON.stringify({ manifest: manifest(), metadata: {}, ...d.rest, ...secrets });
    // Made at once, since resources change while the file is written.
    const resources = d.resources.map((r) => this.text(r));
    // What is under way still changes: its text is not kept.
    const pending = d.pendingOperations.map((p) => JSON.stringify({ ...p, resource: this.codec.write(p.resource) }));
    const mark = `@${randomUUID()}@`;
    const around = JSON.stringify(wrap(this.id, this.around, mark, d.resources));
    const [head, tail] = around.split(JSON.stringify(mark)) as [string, string];
    const before = head + latest.slice(0, -1);
    await keepCopy(this.file, `${this.file}.bak`);
    await writeDurably(
      this.file,
      chunks([before, ...list("resources", resources), ...list("pending_operations", pending), "}", tail]),
    );
    this.writes++;
  }
}

/** A field that is a list, as pieces of text; nothing when the list is empty. It is never the first field. */
const list = (field: string, texts: string[]): string[] =>
  texts.flatMap((text, i) => [i === 0 ? `,"${field}":[` : ",", text]).concat(texts.length > 0 ? ["]"] : []);

/** How much text of a state is put together at once, in characters: the whole of it is several times in memory. */
const CHUNK = 1 << 18;

function* chunks(pieces: readonly string[]): Generator<string> {
  let chunk = "";
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}
