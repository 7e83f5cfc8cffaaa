/**
 * The report: where an account differs from what is documented. It may be sent to anyone: its words are those of a closed vocabulary, so that nothing
 * of the account can be in it, and it is held against that before it is written, and again when it is read.
 */
import { z } from "zod";
import { allEndpoints } from "../sdk/api/index";
import { type Edition, editions } from "../sdk/edition";
import { contentType, limitHeader } from "./all-responses";
import { byEdition, type Fact } from "./fact";
import type { Gap } from "./read-account";
import { hidden } from "./reportable-names";
import { formats } from "./value-formats";

const reportFormat = "esign-conformance-1";

const phrases = new Set([
  ...formats,
  ...["success", "no code", "other JSON", "HTML", "empty", "text", "JSON", "form fields", "test key"],
  ...["oldest first", "newest first", "neither", "other", "no number"],
  ...[
    "records",
    "no records",
    "number of records",
    "more than records",
    "fewer than records",
    "record of another page",
  ],
  ...["next page", "this page", "another page", "none", "no URL", "no offset"],
  ...["all", "the one that asks", "another", "another type"],
  ...["applied", "ignored"],
  ...["the object", "another object", "the new values", "other values"],
]);
const patterns = [
  /^(code|status|record) \d{1,5}$/,
  /^\d{1,6}$/,
  /^value ([a-z]+([-_][a-z]+)*|\d{1,2})$/,
  contentType,
  limitHeader,
];

/** Whether a word may be in a report. */
const isAllowed = (word: string): boolean =>
  word.length <= 60 &&
  (phrases.has(word) || word === `value ${hidden}` || patterns.some((pattern) => pattern.test(word)));

const places = new Set([
  ...allEndpoints.map(({ group, operation }) => `${group}.${operation}`),
  "errors",
  "all responses",
]);

const place = z.string().refine((text) => places.has(text), "is not an operation");
const subject = z.string().regex(/^[\w.?[\]():, -]{1,160}$/, "is not the name of a member or an aspect");
const seen = z.array(z.string().refine(isAllowed, "is not in the vocabulary of reports")).min(1);
const text = z.string().max(400);

const observation = { where: place, what: subject, seen };
const difference = z.strictObject({ ...observation, specification: text, current: text });
const waits = ["under 100 ms", "100 to 300 ms", "300 ms to 1 s", "over 1 s", "unknown"] as const;

const reportSchema = z.strictObject({
  format: z.literal(reportFormat),
  /** Of this package. */
  version: z.string().regex(/^[\w.+-]{1,40}$/),
  /** Whether a webhook and a contact were made, changed and deleted. */
  writes: z.boolean(),
  /** The one from which the account differs less. */
  edition: z.enum(editions),
  /** How many facts were compared, and how many do not fit each edition. */
  facts: z.strictObject({ all: z.number(), specification: z.number(), current: z.number() }),
  operations: z.array(place),
  /** Facts that do not fit the edition. */
  differences: z.array(difference),
  /** Facts of which the edition's documents say nothing. */
  undocumented: z.array(z.strictObject(observation)),
  notCompared: z.array(z.strictObject({ what: subject, why: subject })),
  /** Requests that were turned away because there were too many. */
  throttled: z.number(),
  /** The median of all responses to GET. */
  responseTime: z.enum(waits),
});
export type Report = z.output<typeof reportSchema>;

interface ReportInput {
  version: string;
  writes: boolean;
  facts: readonly Fact[];
  gaps: readonly Gap[];
  operations: readonly string[];
  throttled: number;
  times: readonly number[];
}

export function makeReport({ facts, gaps, operations, times, ...rest }: ReportInput): Report {
  const counts = byEdition((edition) => facts.filter(({ expected }) => !expected[edition].fits).length);
  const edition: Edition = counts.specification < counts.current ? "specification" : "current";
  const texts = ({ expected }: Fact) => byEdition((one) => expected[one].text ?? "not documented");
  const observe = ({ where, what, seen: formats }: Fact) => ({ where, what, seen: [...formats] });
  return parseReport({
    format: reportFormat,
    ...rest,
    edition,
    facts: { all: facts.length, ...counts },
    operations: [...operations],
    differences: facts
      .filter(({ expected }) => !expected[edition].fits)
      .map((fact) => ({ ...observe(fact), ...texts(fact) })),
    undocumented: facts.filter(({ expected }) => expected[edition].text === undefined).map(observe),
    notCompared: [...gaps],
    responseTime: waitOf(times),
  });
}

/** Throws for anything that is no report, or that has something in it which a report must not have. */
export function parseReport(value: unknown): Report {
  const parsed = reportSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`This is not a report of "esign-conformance": ${z.prettifyError(parsed.error)}`);
}

function waitOf(times: readonly number[]): Report["responseTime"] {
  const median = [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
  if (median === undefined) return "unknown";
  return median < 100 ? waits[0] : median < 300 ? waits[1] : median < 1000 ? waits[2] : waits[3];
}
