/**
 * Shares equal objects: a state of thousands of resources repeats the same texts and lists, and each resource is in memory in its old and
 * new form.
 */
import { isDeepStrictEqual } from "node:util";

const texts = new Map<string, string>();
const MOST_TEXTS = 10_000;

/** Returns one instance of equal texts, for texts that many resources have in common. */
export function intern(text: string): string {
  const first = texts.get(text);
  if (first !== undefined) return first;
  if (texts.size >= MOST_TEXTS) texts.clear();
  texts.set(text, text);
  return text;
}

type Trace = { sourcePosition?: string }[];
const traces = new Map<string, Trace>();
/** One list for all resources that were registered at the same place: traces are most of what a state holds. */
export function internTrace(trace: Trace): Trace {
  const key = trace.map((f) => f.sourcePosition ?? "").join("\n");
  const first = traces.get(key);
  if (first !== undefined) return first;
  if (traces.size > 1000) traces.clear();
  traces.set(key, trace);
  return trace;
}

/** Lets an object share with another one the fields that are equal in both. */
export function reuseEqualFields(object: Record<string, unknown>, other: Record<string, unknown>): void {
  for (const key of Object.keys(object)) {
    const [own, others] = [object[key], other[key]];
    if (own !== others && own !== undefined && isDeepStrictEqual(own, others)) object[key] = others;
  }
}
