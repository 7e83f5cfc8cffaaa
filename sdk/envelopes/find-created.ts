/**
 * Creates of envelopes whose answer was lost. Nothing is sent twice on its own: such a call fails with `mayHaveSucceeded`, and
 * {@link findCreated} looks for what it may have created.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type * as envelopes from "../api/envelopes";
import type { Methods, Reply } from "../api/methods";
import { parseTimestamp } from "../api/scalars";
import { AbortedError, ApiError, InputError } from "../errors";
import { sleep } from "../http/abort";
import type { CallOptions } from "../options";
import { callOptions, faultsOfOptions } from "../request/validate-input";

/** One envelope with its documents, parties and history (§2.6). */
export type EnvelopeRecord = Reply<typeof envelopes.get>;

/** What these functions need of a client: its envelopes. */
export interface EnvelopeClient {
  readonly envelopes: Methods<"envelopes">;
}

/** Member of `envelope_meta` that tells one create from another. */
const markerName = "esign_marker";

/**
 * Puts a marker into the metadata of an envelope that is yet to be created, so that {@link findCreated} can recognise it
 * without doubt. The marker stays with the envelope. Metadata that is not an object is refused: there is no room in it.
 */
export function withMarker<F extends object>(form: F): F {
  const given = (form as { envelope_meta?: unknown }).envelope_meta ?? {};
  const meta = parsed(given);
  if (typeof meta !== "object" || meta === null || Array.isArray(meta)) {
    throw new InputError({ operation: "withMarker" }, [
      { path: "envelope_meta", message: "must be an object to take a marker in" },
    ]);
  }
  const marker = { [markerName]: randomUUID() };
  return { ...form, envelope_meta: typeof given === "string" ? withMember(given, marker) : { ...meta, ...marker } };
}

/** Written into the text of an object: one that is read and written anew has its large numbers rounded. */
function withMember(json: string, member: object): string {
  const open = json.trimEnd().slice(0, -1);
  return `${open}${open.trim() === "{" ? "" : ","}${JSON.stringify(member).slice(1)}`;
}

/** How to look for an envelope. */
export interface FindOptions extends CallOptions {
  /** When the create was begun: envelopes that are older are others. */
  since: Date;
  /** Milliseconds by which the service's clock may be behind ours (60000). */
  clockTolerance?: number;
  /** Milliseconds to wait before each look, since a list may lag behind (0, 300, 1000, 2500, 4500). */
  waits?: readonly number[];
}

const words = "must be milliseconds, 0 or more";
const atLeast0 = z.number(words).nonnegative(words);
const findOptions = z.strictObject(
  {
    // Compared with a date that is none, every envelope of that title would be the one.
    since: z.date("must be the Date when the create was begun"),
    clockTolerance: atLeast0.optional(),
    waits: z.array(atLeast0).readonly().optional(),
    ...callOptions.shape,
  },
  "must be an object with since",
);

/**
 * Looks for the envelope that a create with this form may have made. With a marker ({@link withMarker}) there is one at
 * most; without, all of that title made since then are returned, and the caller judges. Empty when there is none.
 *
 * @throws InputError when an option is wrong; nothing was sent.
 *
 * @example
 * const form = withMarker({ envelope_title: "Lease", … });
 * const since = new Date();
 * try {
 *   await client.envelopes.createFromTemplate(form);
 * } catch (error) {
 *   if (!(error instanceof EsignError && error.mayHaveSucceeded)) throw error;
 *   const [found] = await findCreated(client, form, { since });
 *   if (found === undefined) throw error;
 * }
 */
export async function findCreated(
  client: EnvelopeClient,
  form: { envelope_title: string; envelope_meta?: unknown },
  options: FindOptions,
): Promise<EnvelopeRecord[]> {
  const faults = faultsOfOptions(findOptions, options);
  if (faults.length > 0) throw new InputError({ operation: "findCreated" }, faults);
  const { since, clockTolerance = 60_000, waits = [0, 300, 1000, 2500, 4500], ...ofCalls } = options;
  const marker = markerOf(form.envelope_meta);
  const earliest = since.getTime() - clockTolerance;
  const others = new Set<string>();
  for (const wait of waits) {
    if (!(await sleep(wait, ofCalls.signal))) {
      throw new AbortedError("findCreated was ended by the caller", { operation: "findCreated" });
    }
    const found: EnvelopeRecord[] = [];
    for await (const item of client.envelopes.list(ofCalls)) {
      const fingerprint = item.envelope_fingerprint;
      const created = item.envelope_created == null ? Number.NaN : parseTimestamp(item.envelope_created).getTime();
      if (item.envelope_title !== form.envelope_title || created < earliest || others.has(fingerprint)) continue;
      const envelope = await getIfThere(client, fingerprint, ofCalls);
      if (envelope === undefined) continue;
      if (marker === undefined) found.push(envelope);
      else if (markerOf(envelope.envelope_meta) === marker) return [envelope];
      else others.add(fingerprint);
    }
    if (found.length > 0) return found;
  }
  return [];
}

async function getIfThere(
  client: EnvelopeClient,
  envelope_fingerprint: string,
  options: CallOptions,
): Promise<EnvelopeRecord | undefined> {
  try {
    return await client.envelopes.get({ envelope_fingerprint }, options);
  } catch (error) {
    if (error instanceof ApiError && error.isNotFound) return undefined;
    throw error;
  }
}

function markerOf(meta: unknown): string | undefined {
  const value = parsed(meta);
  if (typeof value !== "object" || value === null) return undefined;
  const marker = (value as Record<string, unknown>)[markerName];
  return typeof marker === "string" ? marker : undefined;
}

/** Metadata may be given, and may come back, as a value or as its JSON text (§4.4). */
function parsed(meta: unknown): unknown {
  if (typeof meta !== "string") return meta;
  try {
    return JSON.parse(meta);
  } catch {
    return undefined;
  }
}
