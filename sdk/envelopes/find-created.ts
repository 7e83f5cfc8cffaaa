/**
 * Finds envelopes whose create got no response. Creates are never retried without knowing: such a call fails with
 * `mayHaveSucceeded`, and {@link findCreated} looks for the envelope.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type * as envelopes from "../api/envelopes";
import type { Methods, ResponseBody } from "../api/methods";
import { parseTimestamp } from "../api/scalars";
import { AbortedError, ApiError, InputError } from "../errors";
import { sleep } from "../http/abortable-waits";
import type { CallOptions } from "../options";
import { callOptions, validateOptions } from "../request/validate-input";

/** One envelope with its documents, parties and history. */
export type EnvelopeRecord = ResponseBody<typeof envelopes.get>;

/** The part of a client that these functions use. */
export interface EnvelopeClient {
  readonly envelopes: Methods<"envelopes">;
}

/** Member of `envelope_meta` with the correlation ID. */
const memberName = "esign_marker";

/**
 * Adds a correlation ID to the metadata of an envelope that is about to be created, so that {@link findCreated} recognizes it
 * with certainty. The ID stays with the envelope.
 *
 * @throws InputError when the metadata is not an object.
 */
export function withCorrelationId<F extends object>(form: F): F {
  const original = (form as { envelope_meta?: unknown }).envelope_meta ?? {};
  const meta = parseMeta(original);
  if (typeof meta !== "object" || meta === null || Array.isArray(meta)) {
    throw new InputError({ operation: "withCorrelationId" }, [
      { path: "envelope_meta", message: "must be an object to take a correlation ID" },
    ]);
  }
  const member = { [memberName]: randomUUID() };
  return {
    ...form,
    envelope_meta: typeof original === "string" ? appendMember(original, member) : { ...meta, ...member },
  };
}

/** Appends to the JSON text itself: parsing and writing it would round large numbers. */
function appendMember(json: string, member: object): string {
  const open = json.trimEnd().slice(0, -1);
  return `${open}${open.trim() === "{" ? "" : ","}${JSON.stringify(member).slice(1)}`;
}

/** How to look for an envelope. Defaults are in parentheses. */
export interface FindOptions extends CallOptions {
  /** When the create was started: older envelopes are ignored. */
  since: Date;
  /** Milliseconds by which the service's clock may be behind (60000). */
  clockTolerance?: number | undefined;
  /** Milliseconds to wait before each search, since lists may lag behind (0, 300, 1000, 2500, 4500). */
  delays?: readonly number[] | undefined;
}

const rule = "must be milliseconds, 0 or more";
const nonNegative = z.number(rule).nonnegative(rule);
const findOptions = z.strictObject(
  {
    // An invalid date would match every envelope with that title.
    since: z.date("must be the Date when the create was started"),
    clockTolerance: nonNegative.optional(),
    delays: z.array(nonNegative).readonly().optional(),
    ...callOptions.shape,
  },
  "must be an object with since",
);

/**
 * Finds the envelope that a create with this form may have made. With a correlation ID ({@link withCorrelationId}) it returns
 * at most one; without, all envelopes with that title created since then, or an empty list.
 *
 * @throws InputError when an option is not valid; nothing was sent.
 *
 * @example
 * const form = withCorrelationId({ envelope_title: "Lease", … });
 * const since = new Date();
 * try {
 *   await client.envelopes.createFromTemplate(form);
 * } catch (error) {
 *   if (!(error instanceof EsignError && error.mayHaveSucceeded)) throw error;
 *   const [envelope] = await findCreated(client, form, { since });
 *   if (envelope === undefined) throw error;
 * }
 */
export async function findCreated(
  client: EnvelopeClient,
  form: { envelope_title: string; envelope_meta?: unknown },
  options: FindOptions,
): Promise<EnvelopeRecord[]> {
  const issues = validateOptions(findOptions, options);
  if (issues.length > 0) throw new InputError({ operation: "findCreated" }, issues);
  const { since, clockTolerance = 60_000, delays = [0, 300, 1000, 2500, 4500], ...callOptions } = options;
  const id = correlationIdOf(form.envelope_meta);
  const earliest = since.getTime() - clockTolerance;
  const others = new Set<string>();
  for (const delay of delays) {
    if (!(await sleep(delay, callOptions.signal))) {
      throw new AbortedError("findCreated was aborted by the caller", { operation: "findCreated" });
    }
    const candidates: EnvelopeRecord[] = [];
    for await (const item of client.envelopes.list(callOptions)) {
      const fingerprint = item.envelope_fingerprint;
      const created = item.envelope_created == null ? Number.NaN : parseTimestamp(item.envelope_created).getTime();
      if (!hasTitle(item, form.envelope_title) || created < earliest || others.has(fingerprint)) continue;
      const envelope = await getIfExists(client, fingerprint, callOptions);
      if (envelope === undefined) continue;
      if (id === undefined) candidates.push(envelope);
      else if (correlationIdOf(envelope.envelope_meta) === id) return [envelope];
      else others.add(fingerprint);
    }
    if (candidates.length > 0) return candidates;
  }
  return [];
}

/** Services remove white space around a text. */
function hasTitle({ envelope_title }: { envelope_title?: string | null | undefined }, title: string): boolean {
  return envelope_title?.trim() === title.trim();
}

async function getIfExists(
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

function correlationIdOf(meta: unknown): string | undefined {
  const value = parseMeta(meta);
  if (typeof value !== "object" || value === null) return undefined;
  const id = (value as Record<string, unknown>)[memberName];
  return typeof id === "string" ? id : undefined;
}

/** Metadata may be passed, and may be returned, as a value or as JSON text. */
function parseMeta(meta: unknown): unknown {
  if (typeof meta !== "string") return meta;
  try {
    return JSON.parse(meta);
  } catch {
    return undefined;
  }
}
