/** An operation on all customers: reads them, works through their stacks, and reports. */
import { existsSync } from "node:fs";
import { isStackName } from "../../../engine/config/stack-names";
import { SecretFilter } from "../../../engine/secrets/secret-filter";
import { fleetVariable } from "../../../provider/session/fleet-client";
import { OperationError } from "../../engine/operation-error";
import { type CountOrShare, toBatches } from "../../fleet/batches";
import { type CustomerStack, configurationHash, secretNames, toCustomerStacks } from "../../fleet/customer-stacks";
import { type Customer, readCustomers } from "../../fleet/customers";
import { FleetServer } from "../../fleet/fleet-server";
import { type FleetOperation, FleetWorkspace } from "../../fleet/fleet-workspace";
import { Journal } from "../../fleet/journal";
import { rejectReassignments } from "../../fleet/reject-reassignments";
import { isChanged, type Outcome, runFleet } from "../../fleet/run-fleet";
import { runUnlocked } from "../../fleet/run-unlocked";
import {
  describeSelection,
  dividePending,
  journalName,
  removedText,
  type SelectOptions,
  selectStacks,
} from "../../fleet/select-stacks";
import type { OnWait } from "../../fleet/stack/stack-display";
import { FailedOperation, type FleetVerb } from "../../fleet/stack/stack-operation";
import { confirmOrExit } from "../../output/confirm-or-exit";
import { ExitError, UsageError } from "../../output/errors";
import { Exit } from "../../output/exit-codes";
import { failExpectation } from "../../output/fail-expectation";
import { Interrupt } from "../../output/interrupt";
import { note, print } from "../../output/terminal";
import { writeReport } from "../../output/write-report";
import { type StackSelection, selectEngine } from "../../project/open-project";
import { projectFolder, projectName } from "../../project/project-files";
import { FleetDisplay, outcomeLine } from "./fleet-display";
import { type FleetReport, htmlPage, summaryOf } from "./fleet-report";

export interface FleetCommandOptions extends Pick<StackSelection, "engine">, SelectOptions {
  program?: string;
  stacks?: number;
  secretColumns?: string[];
  parallel?: number;
  requestsPerSecond?: number;
  canary?: CountOrShare;
  batch?: CountOrShare;
  maxFailures?: CountOrShare;
  resume?: boolean;
  json?: boolean;
  html?: string;
  expectNoChanges?: boolean;
  exitCode?: boolean;
  yes?: boolean;
  secretsProvider?: string;
  message?: string;
}

export async function fleetCommand(verb: FleetVerb, file: string, options: FleetCommandOptions): Promise<void> {
  if (options.prefix === "")
    throw new UsageError("--prefix is empty: it must distinguish customers' stacks from others");
  if (!isStackName(options.prefix))
    throw new UsageError(
      "--prefix may have only letters, digits, hyphens, underscores and dots: the stacks' names begin with it",
    );
  const { requestsPerSecond, shard } = options;
  const customers = await readCustomers(file);
  // Other machines have their part of the budget.
  const server = await FleetServer.start(requestsPerSecond && requestsPerSecond / (shard?.of ?? 1));
  server.serveInProcess();
  try {
    await operate(verb, file, customers, server, options);
  } finally {
    server.close();
  }
}

async function operate(
  verb: FleetVerb,
  file: string,
  customers: readonly Customer[],
  server: FleetServer,
  options: FleetCommandOptions,
): Promise<void> {
  const since = performance.now();
  const folder = programFolder(options.program);
  const secrets = secretNames(customers, options.secretColumns ?? []);
  const stackOptions = { prefix: options.prefix, project: projectName(folder), secrets, stacks: options.stacks };
  const customerStacks = toCustomerStacks(customers, stackOptions);
  const stacks = customerStacks.map(({ stack }) => stack);
  const workspace = await openWorkspace(folder, stacks, server, options);
  await rejectReassignments(customerStacks, workspace, stackOptions);
  const { wanted, removed } = await selectStacks(customerStacks, verb, workspace, options);
  const title = `Fleet ${verb}`;
  if (verb === "up" || verb === "refresh" || verb === "destroy")
    await confirmOrExit(`${title} of ${describeSelection(wanted)} (${file})?`, options.yes);
  if (!options.removed && removed.length > 0) note(removedText(removed, file));

  const journal = await Journal.open(folder, verb, journalName(verb, options), options.resume ?? false);
  const { todo, skipped } = dividePending(wanted, verb, workspace, journal);
  const batches = toBatches(todo, options);
  const display = new FleetDisplay(title, todo.length, batches.length);
  server.say = (line) => display.say(line);
  const interrupt = new Interrupt({ onCancel: () => display.say(cancelling), onAbort: () => display.abort(aborted) });
  try {
    for (const outcome of skipped) display.say(outcomeLine(outcome));
    const filter = secretFilter(customers, secrets);
    const result = await runFleet(batches, {
      parallel: options.parallel ?? 4,
      maxFailures: options.maxFailures ?? { count: 0 },
      signal: interrupt.signal,
      onBegin: (customerStack) => display.begin(customerStack),
      onEnd: (outcome) => display.end(outcome),
      onBatch: (batch, outcomes) => display.batch(batch, outcomes),
      run: (customerStack) =>
        runAndRecord(options.removed ? "remove" : verb, customerStack, {
          ...{ workspace, journal, filter },
          onWait: (message) => display.wait(customerStack, message && filter.redact(message)),
        }),
    }).finally(() => display.close());
    const seconds = Math.round(performance.now() - since) / 1000;
    const outcomes = [...result.outcomes, ...skipped];
    await show({ verb, ...result, outcomes, removed, seconds, endedAt: new Date().toISOString() }, options);
  } finally {
    journal.close();
    interrupt.off();
  }
}

function programFolder(program: string | undefined): string {
  if (program !== undefined && !existsSync(program)) throw new UsageError(`there is no folder ${program} (--program)`);
  return projectFolder(program);
}

interface StackRun {
  workspace: FleetWorkspace;
  journal: Journal;
  filter: SecretFilter;
  onWait: OnWait;
}

async function runAndRecord(
  operation: FleetOperation,
  customerStack: CustomerStack,
  run: StackRun,
): Promise<Omit<Outcome, "stack" | "ids" | "seconds">> {
  const { stack } = customerStack;
  const { journal, filter } = run;
  journal.begin(stack);
  const end = (ok: boolean) => journal.end(stack, ok, configurationHash(customerStack, journal.salt));
  try {
    const result = await runUnlocked(operation, customerStack, run);
    end(true);
    return { status: "done", ...result };
  } catch (error) {
    end(false);
    const isLocked = error instanceof OperationError && error.isLocked;
    const wayOut = isLocked ? `\nIf no run is in progress there: esign cancel --stack ${stack}` : "";
    const done = error instanceof FailedOperation ? error.done : { changes: {} };
    return { status: "failed", reason: filter.redact((error as Error).message) + wayOut, ...done };
  }
}

async function openWorkspace(
  folder: string,
  wanted: readonly string[],
  server: FleetServer,
  options: FleetCommandOptions,
) {
  const { prefix, secretsProvider, message } = options;
  const { requestsPerSecond } = server;
  return FleetWorkspace.open({
    folder,
    engine: selectEngine(options),
    prefix,
    wanted,
    env: {
      [fleetVariable]: server.address,
      // For those who outlive the server.
      ...(requestsPerSecond && { ESIGN_REQUESTS_PER_SECOND: String(requestsPerSecond) }),
    },
    secretsProvider,
    message,
  });
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

const cancelling = `Cancelling: no more stacks start; waiting for those in progress.
Press Ctrl-C again to abort without waiting.`;
const aborted = "Aborted. To continue, run the same command with --resume: it checks what was in progress.";

async function show(report: FleetReport, options: FleetCommandOptions): Promise<void> {
  const { verb, outcomes, left, stopped } = report;
  if (options.json) print(JSON.stringify(report, null, 2));
  else print(summaryOf(report));
  if (options.html !== undefined) await writeReport(options.html, htmlPage(report));
  const failed = outcomes.filter(({ status }) => status === "failed").length;
  if (failed + left.length > 0)
    note("Finished stacks are recorded. For the others, run the same command with --resume.");
  if (stopped === "cancelled") throw new ExitError(Exit.cancelled);
  // As with `esign drift`, 1 is a result: that something drifted.
  if (failed > 0) throw new ExitError(verb === "drift" ? Exit.usage : Exit.failed);
  if (!outcomes.some(isChanged)) return;
  if (options.expectNoChanges) failExpectation("No changes were expected, but there are some.");
  if (options.exitCode) throw new ExitError(Exit.failed);
}
