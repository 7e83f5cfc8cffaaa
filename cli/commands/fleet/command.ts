/** An operation on all customers: reads them, works through their stacks, and reports. */
import { existsSync } from "node:fs";
import { plural } from "../../../account-folder/text/display";
import { SecretFilter } from "../../../engine/secrets/secret-filter";
import { Exit, ExitError, UsageError } from "../../output/exit-codes";
import { Interrupt } from "../../output/interrupt";
import { note, print } from "../../output/terminal";
import { writeReport } from "../../output/write-report";
import { configurationInClear, projectFolder, projectName } from "../../project/project-files";
import { confirmOrExit, type SessionOptions, selectEngine } from "../../project/session";
import { type Customer, readCustomers } from "./customers";
import { FleetDisplay, hasChanges, outcomeLine } from "./display";
import { Journal } from "./journal";
import { type FleetReport, htmlPage, summaryOf } from "./report";
import { type Outcome, runFleet } from "./run-fleet";
import { hashOf, machineOf, secretNames, toUnits, type Unit } from "./units";
import { type Amount, toWaves } from "./waves";
import { type FleetVerb, FleetWorkspace, OperationError } from "./workspace";

export interface FleetCommandOptions extends Pick<SessionOptions, "engine"> {
  program?: string;
  prefix: string;
  secretColumns?: string[];
  only?: string[];
  shard?: { index: number; of: number };
  parallel?: number;
  requestsPerSecond?: number;
  canary?: Amount;
  wave?: Amount;
  maxFailures?: Amount;
  resume?: boolean;
  json?: boolean;
  html?: string;
  expectNoChanges?: boolean;
  exitCode?: boolean;
  yes?: boolean;
  removed?: boolean;
  secretsProvider?: string;
  message?: string;
}

export async function fleetCommand(verb: FleetVerb, file: string, options: FleetCommandOptions): Promise<void> {
  const since = performance.now();
  if (options.prefix === "") throw new UsageError("--prefix must tell customers' stacks from others: it is empty");
  const folder = programFolder(options.program);
  const customers = await readCustomers(file);
  const secrets = secretNames(customers, options.secretColumns ?? []);
  const all = toUnits(customers, { prefix: options.prefix, project: projectName(folder), secrets });
  const workspace = await openWorkspace(folder, options);
  const isHere = (stack: string) =>
    options.shard === undefined || machineOf(stack, options.shard.of) === options.shard.index;
  const known = new Set(all.map(({ stack }) => stack));
  const removed = [...workspace.stacks].filter(
    (stack) => stack.startsWith(options.prefix) && !known.has(stack) && isHere(stack),
  );
  const wanted = options.removed
    ? removed.map(removedUnit)
    : selected(all, options).filter(({ stack }) => isHere(stack));
  const title = `Fleet ${verb}`;
  if (verb === "up" || verb === "refresh" || verb === "destroy")
    await confirmOrExit(`${title} of ${plural(wanted.length, "stack")} (${file})?`, options.yes);
  if (!options.removed && removed.length > 0) note(removedText(removed, file));

  const name = journalName(verb, options);
  const journal = await Journal.open(folder, verb, name, options.resume ?? false);
  const interrupt = new Interrupt({ onCancel: () => note(cancelling) });
  try {
    const { todo, skipped } = divide(wanted, verb, workspace, journal);
    rejectOwnBudget(todo, folder, options);
    const waves = toWaves(todo, options);
    const display = new FleetDisplay(title, todo.length, waves.length);
    for (const outcome of skipped) display.say(outcomeLine(outcome));
    const filter = secretFilter(customers, secrets);
    const result = await runFleet(waves, {
      parallel: parallelOf(options),
      maxFailures: options.maxFailures ?? { count: 0 },
      signal: interrupt.signal,
      onBegin: (unit) => display.begin(unit),
      onEnd: (outcome) => display.end(outcome),
      onWave: (wave, outcomes) => display.wave(wave, outcomes),
      async run(unit) {
        journal.begin(unit.stack);
        const end = (ok: boolean) => journal.end(unit.stack, ok, hashOf(unit, journal.salt));
        try {
          const changes = await runUnlocked(workspace, verb, unit, journal.past?.interrupted.has(unit.stack) ?? false);
          if (options.removed) await workspace.remove(unit.stack);
          end(true);
          return { status: "done", changes };
        } catch (error) {
          end(false);
          return { status: "failed", reason: filter.redact((error as Error).message), changes: {} };
        }
      },
    }).finally(() => display.close());
    const seconds = (performance.now() - since) / 1000;
    await show({ verb, ...result, outcomes: [...result.outcomes, ...skipped], removed, seconds }, options);
  } finally {
    journal.close();
    interrupt.off();
  }
}

function programFolder(program: string | undefined): string {
  if (program !== undefined && !existsSync(program)) throw new UsageError(`there is no folder ${program} (--program)`);
  return projectFolder(program);
}

const parallelOf = ({ parallel = 4 }: FleetCommandOptions): number => parallel;

async function openWorkspace(folder: string, options: FleetCommandOptions): Promise<FleetWorkspace> {
  const { requestsPerSecond, shard, secretsProvider, message } = options;
  // The client of each stack's process keeps to its part: together they keep to the whole.
  const rate = requestsPerSecond && requestsPerSecond / parallelOf(options) / (shard?.of ?? 1);
  return FleetWorkspace.open({
    folder,
    engine: selectEngine(options),
    env: rate ? { ESIGN_REQUESTS_PER_SECOND: String(rate) } : {},
    secretsProvider,
    message,
  });
}

/** A stack's own setting comes before that of the environment. */
function rejectOwnBudget(units: readonly Unit[], folder: string, { requestsPerSecond }: FleetCommandOptions): void {
  const key = "esign:requestsPerSecond";
  if (requestsPerSecond === undefined) return;
  const own = units.find(({ stack, config }) => config[key] ?? configurationInClear(folder, stack).get(key));
  if (own !== undefined)
    throw new UsageError(`${own.stack} has its own ${key}, which --requests-per-second does not change: remove it`);
}

function selected(units: readonly Unit[], { only }: FleetCommandOptions): readonly Unit[] {
  if (only === undefined) return units;
  const missing = only.filter((id) => !units.some(({ ids }) => ids.includes(id)));
  if (missing.length > 0) throw new UsageError(`--only: there is no customer ${missing.join(", ")}`);
  return units.filter(({ ids }) => ids.some((id) => only.includes(id)));
}

const removedUnit = (stack: string): Unit => ({ stack, ids: [], config: {}, unset: [], suspended: false });

const removedText = (removed: readonly string[], file: string): string =>
  `Not in ${file}, and unchanged: ${removed.slice(0, 20).join(", ")}${removed.length > 20 ? ", …" : ""}. ` +
  "To delete what they manage: esign fleet destroy --removed";

const journalName = (verb: FleetVerb, { prefix, removed, shard }: FleetCommandOptions): string =>
  `${verb}${removed ? "-removed" : ""}-${prefix}${shard ? `-${shard.index}-of-${shard.of}` : ""}`;

/** What is to be done, and what is not, with the reason. */
function divide(units: readonly Unit[], verb: FleetVerb, { stacks }: FleetWorkspace, { past, salt }: Journal) {
  const todo: Unit[] = [];
  const skipped: Outcome[] = [];
  const creates = verb === "up" || verb === "preview";
  for (const unit of units) {
    const { stack, ids, suspended } = unit;
    const reason = suspended
      ? "suspended"
      : !creates && !stacks.has(stack)
        ? "not deployed"
        : past?.finished.get(stack) === hashOf(unit, salt)
          ? "finished before"
          : undefined;
    if (reason === undefined) todo.push(unit);
    else skipped.push({ stack, ids, status: "skipped", reason, changes: {}, seconds: 0 });
  }
  return { todo, skipped };
}

/** How long to wait for an operation that outlived the run that began it, and how often to look. */
const [waitForOrphan, lookAgain] = [60_000, 2_000];

async function runUnlocked(workspace: FleetWorkspace, verb: FleetVerb, unit: Unit, mayBeOrphaned: boolean) {
  for (const since = performance.now(); ; ) {
    try {
      return await workspace.run(verb, unit);
    } catch (error) {
      const isLocked = error instanceof OperationError && error.isLocked;
      if (!isLocked || !mayBeOrphaned || performance.now() - since > waitForOrphan) throw error;
      await new Promise((done) => setTimeout(done, lookAgain));
    }
  }
}

function secretFilter(customers: readonly Customer[], secrets: ReadonlySet<string>): SecretFilter {
  const filter = new SecretFilter();
  if (process.env.ESIGN_API_KEY) filter.addText(process.env.ESIGN_API_KEY);
  for (const { values } of customers)
    for (const name of secrets) if (Object.hasOwn(values, name)) addTexts(filter, values[name]);
  return filter;
}

function addTexts(filter: SecretFilter, value: unknown): void {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) addTexts(filter, part);
  else filter.addText(String(value));
}

const cancelling =
  "Cancelling: no more stacks are begun, those in progress end. Press Ctrl-C again to end at once; --resume continues.";

async function show(report: FleetReport, options: FleetCommandOptions): Promise<void> {
  const { outcomes, left, stopped } = report;
  if (options.json) print(JSON.stringify(report, null, 2));
  else print(summaryOf(report));
  if (options.html !== undefined) await writeReport(options.html, htmlPage(report));
  const failed = outcomes.filter(({ status }) => status === "failed").length;
  if (failed + left.length > 0)
    note("Finished stacks are kept in mind: the same command with --resume does the others.");
  if (stopped === "cancelled") throw new ExitError(Exit.cancelled);
  if (failed > 0) throw new ExitError(Exit.failed);
  if (!outcomes.some(hasChanges)) return;
  if (options.expectNoChanges) throw new ExitError(Exit.changes);
  if (options.exitCode) throw new ExitError(Exit.failed);
}
