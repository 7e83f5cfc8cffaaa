/** `esign stack writes`: what runs of this project have written to accounts, from the log that the provider keeps. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { readUrn } from "../../../definitions/urn";
import { isAbsent } from "../../../fs/file-errors";
import { parseJsonLines } from "../../../fs/json-lines";
import { assertNoLink, localFolderName } from "../../../fs/local-folder";
import { logFiles, type WriteEntry, type WriteNote } from "../../../provider/reporting/write-log";
import { UsageError } from "../../output/errors";
import { fits, oneLine, table } from "../../output/table";
import { colours, note, print } from "../../output/terminal";
import { programFolder } from "../../project/open-project";

/** An entry with what later lines say of it. */
interface WriteRow extends WriteEntry {
  urn?: string;
}

interface WritesOptions {
  stack?: string;
  since?: Date;
  json?: boolean;
}

const help = `
The log is .esign/writes.jsonl beside the program. It has names of fields and
no values. In CI, keep the file: as an artifact, or with a cache.

Examples:
  $ esign stack writes --since 7d
  $ esign stack writes --stack production --json`;

export function addWrites(stack: Command): void {
  stack
    .command("writes")
    .description("List what the runs of this project have written to accounts, of all its stacks.")
    .option("-s, --stack <name>", "only this stack")
    .option("--since <time>", "only from then on: 7d, 12h, 2026-01-31", parseSince)
    .option("-j, --json", "as JSON")
    .addHelpText("after", help)
    .action(async ({ stack, since, json }: WritesOptions) => {
      const all = readWrites(await programFolder());
      const rows = all
        .filter((row) => stack === undefined || row.stack === stack)
        .filter(({ time }) => since === undefined || new Date(time) >= since);
      if (json) print(JSON.stringify(rows, undefined, 2));
      else if (rows.length === 0) note(nothing(all, stack));
      else print(layOut(rows.map(cells)));
    });
}

const head = ["TIME", "WHO", "STACK", "RESOURCE", "OPERATION", "FIELDS", "OUTCOME"];

/** A table; on a narrow terminal, which would hide when and what, entries of several lines. */
function layOut(rows: readonly (readonly string[])[]): string {
  if (fits(head, rows)) return table(head, rows);
  return rows
    .map((row) => {
      const [time, who, stack, resource, operation, fields, outcome] = row.map(oneLine);
      const lines = [`${resource}`, `${operation}${fields ? ` (${fields})` : ""}: ${outcome}`];
      return [colours.bold([time, who, stack].filter(Boolean).join("  ")), ...lines.map((line) => `  ${line}`)].join(
        "\n",
      );
    })
    .join("\n");
}

/** Why no entry is shown. */
function nothing(all: readonly WriteRow[], wanted: string | undefined): string {
  if (all.length === 0) return "Nothing is logged: no run in this folder has written to an account.";
  const last = all.findLast(({ stack }) => wanted === undefined || stack === wanted);
  if (last !== undefined) return `Nothing is logged since then. The last entry is from ${last.time}.`;
  const stacks = [...new Set(all.flatMap(({ stack }) => stack ?? []))];
  return `Nothing is logged for stack ${wanted}. The log has entries for ${stacks.join(", ") || "no stack"}.`;
}

const units: Record<string, number> = { m: 60, h: 3600, d: 86_400, w: 604_800 };

export function parseSince(text: string, _?: unknown, now = Date.now()): Date {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const time = count === undefined ? parseDate(text) : new Date(now - Number(count) * units[unit!]! * 1000);
  if (time === undefined)
    throw new InvalidArgumentError(
      "It must be a duration (30m, 12h, 7d, 4w), a date (2026-11-29) or a time (2026-11-29T09:30:00Z).",
    );
  return time;
}

/** An ISO date or time that exists; other forms, such as `7`, would be read as some date or other. */
function parseDate(text: string): Date | undefined {
  const day = /^\d{4}-\d{2}-\d{2}(?=$|[T ]\d{2}:\d{2})/.exec(text)?.[0];
  const time = new Date(text);
  const isReal = day !== undefined && !Number.isNaN(time.getTime()) && new Date(day).toISOString().startsWith(day);
  return isReal ? time : undefined;
}

/** The entries of a program's folder, oldest first. Lines that are cut short are passed over. */
export function readWrites(directory: string): WriteRow[] {
  const rows = new Map<string, WriteRow>();
  const urns = new Map<string, string>();
  for (const line of [...logFiles].reverse().flatMap((name) => linesOf(join(directory, localFolderName, name)))) {
    const { run, seqs = [], id, stack, urns: named = {} } = line as WriteNote;
    if ("time" in line) rows.set(`${line.run} ${line.seq}`, line);
    for (const seq of seqs) {
      const row = rows.get(`${run} ${seq}`);
      if (row !== undefined && id !== undefined) row.id = id;
    }
    for (const [object, urn] of Object.entries(named)) urns.set(`${stack} ${object}`, urn);
    if (Object.keys(named).length > 0) nameStack(rows.values(), named, stack);
  }
  return [...rows.values()].map((row) => {
    const urn = urns.get(`${row.stack} ${row.kind} ${row.id}`);
    return urn === undefined ? row : { ...row, urn };
  });
}

/** The provider does not know the stack of a program with nothing but what every account has once. */
function nameStack(rows: Iterable<WriteRow>, urns: Record<string, string>, stack: string | undefined): void {
  for (const row of rows)
    if (row.stack === undefined && stack !== undefined && `${row.kind} ${row.id}` in urns) row.stack = stack;
}

function linesOf(file: string): (WriteEntry | WriteNote)[] {
  let text: string;
  try {
    assertNoLink(file);
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isAbsent(error)) return [];
    throw new UsageError(`cannot read the log ${file}: ${(error as Error).message}. Move it away to begin a new one`);
  }
  return parseJsonLines<WriteEntry | WriteNote>(text);
}

function cells({ time, user, stack = "", kind, id, urn, operation, fields = [], status, outcome, attempt }: WriteRow) {
  const name = urn === undefined ? undefined : (readUrn(urn)?.name ?? urn);
  return [
    time.slice(0, 19).replace("T", " "),
    user,
    stack,
    [kind ?? "", name ?? id ?? "", ...(name !== undefined && id !== undefined && id !== name ? [`(${id})`] : [])].join(
      " ",
    ),
    operation,
    fields.join(", "),
    [
      outcome,
      ...(status === undefined || outcome === "succeeded" ? [] : [String(status)]),
      ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ].join(", "),
  ];
}
