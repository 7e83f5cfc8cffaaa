/** `esign fleet`: one program for many customers, a stack each. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseCountOrShare } from "../../fleet/batches";
import type { FleetVerb } from "../../fleet/stack/stack-operation";
import { positiveInteger, positiveNumber } from "../../option-values";
import { ExitError } from "../../output/errors";
import { Exit } from "../../output/exit-codes";
import { engineOption } from "../../project/open-project";
import type { FleetCommandOptions } from "./fleet-operation";

const summaries: Record<FleetVerb, string> = {
  up: "Deploy the program for all customers.",
  preview: "Show for which customers `fleet up` would change something.",
  refresh: "Update the states of all customers to match the account.",
  drift: "Report customers whose objects were changed outside Pulumi. Nothing is changed.",
  destroy: "Delete or restore what the customers' stacks manage.",
};

function machine(text: string): { index: number; of: number } {
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index === undefined || of === undefined || index < 1 || index > of)
    throw new InvalidArgumentError("It must have the form 2/5: the second of five machines.");
  return { index, of };
}

const names = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
const amount = (option: string) => (text: string) => parseCountOrShare(text, option);

export function addFleet(program: Command): void {
  const fleet = program
    .command("fleet")
    .description("Deploy one program for many customers: a stack each, in parallel, in batches.");
  for (const verb of Object.keys(summaries) as FleetVerb[]) addVerb(fleet, verb);
  addUsage(fleet);
}

const customersArgument = "a .csv, .yaml or .json file, or a module that exports them";

function addVerb(fleet: Command, verb: FleetVerb): void {
  const command = fleet.command(verb).description(summaries[verb]).argument("<customers>", customersArgument);
  command
    .optionsGroup("Customers:")
    .option("--program <folder>", "the project's folder (default: this one)")
    .option("--prefix <text>", "the prefix of the stacks' names, before the id", "customer-")
    .option("--stacks <n>", "distribute the customers over this many stacks (default: one each)", positiveInteger)
    .option("--secret-columns <names>", "columns to encrypt, separated by commas", names)
    .option("--only <ids>", "only these customers, separated by commas", names)
    .option("--shard <i/n>", "only this machine's share of the stacks, such as 2/5", machine)
    .optionsGroup("Speed:")
    .option("--parallel <n>", "stacks at once (default: 4)", positiveInteger)
    .option("--requests-per-second <n>", "limit for the partner's key, over all stacks and machines", positiveNumber)
    .optionsGroup("Batches:")
    .option("--canary <amount>", "size of the first batch, such as 5 or 1%", amount("--canary"))
    .option("--batch <amount>", "size of each further batch (default: all)", amount("--batch"))
    .option(
      "--max-failures <amount>",
      "start no more stacks after more failures than this (default: 0)",
      amount("--max-failures"),
    )
    .option("--resume", "skip what the last run has finished")
    .optionsGroup("Output:")
    .option("-j, --json", "print the report as JSON")
    .option("--html <file>", "write the report as an HTML page");
  if (verb === "preview") command.option("--expect-no-changes", "exit with 7 if there are changes");
  if (verb === "drift") {
    command.option("--exit-code", "exit with 1 if something drifted");
    command.addHelpText("after", driftHelp);
  }
  if (verb === "up" || verb === "refresh" || verb === "destroy") command.option("-y, --yes", "do not ask");
  if (verb === "destroy") command.option("--removed", "of customers who are no longer in the file, and only of those");
  engineOption(command.optionsGroup("Engine:"))
    .option("--secrets-provider <url>", "encrypt the secrets of new stacks with it (default: a passphrase)")
    .option("-m, --message <text>", "a message for each stack's history");
  command.action(async (file: string, options: FleetCommandOptions) => {
    const { fleetCommand } = await import("./fleet-operation.js");
    await fleetCommand(verb, file, options).catch(async (error) => {
      if (verb !== "drift") throw error;
      throw (await import("../../output/describe-error.js")).asUsageError(error);
    });
  });
}

const driftHelp = `
Exit codes: 0 compared, 1 drift (with --exit-code), 2 could not compare all of
them, also where others have drifted, 8 cancelled.`;

interface UsageOptions {
  requestsPerSecond?: number;
  parallel?: number;
  stack?: string;
}

function addUsage(fleet: Command): void {
  fleet
    .command("usage")
    .description(
      "Print what all customers have sent, by month, as CSV. Companies are found by companyId, else by name.",
    )
    .argument("<customers>", customersArgument)
    .option("--parallel <n>", "requests at once (default: 4)", positiveInteger)
    .option("--requests-per-second <n>", "limit for the partner's key", positiveNumber)
    .addOption(new Option("-s, --stack <name>", "use this stack's account (default: ESIGN_API_KEY)"))
    .action(async (file: string, { requestsPerSecond, parallel = 4, stack }: UsageOptions) => {
      const [{ readCustomers }, { readUsage, usageCsv }, { openConnection }, { note, write }] = await Promise.all([
        import("../../fleet/customers.js"),
        import("./usage.js"),
        import("../../references/connect.js"),
        import("../../output/terminal.js"),
      ]);
      const customers = await readCustomers(file);
      const budget = requestsPerSecond && { ESIGN_REQUESTS_PER_SECOND: String(requestsPerSecond) };
      const { client, close } = await openConnection({ env: { ...process.env, ...budget }, ...(stack && { stack }) });
      try {
        const { rows, unknown } = await readUsage(client, customers, parallel);
        write(usageCsv(rows));
        if (unknown.length === 0) return;
        note(`No company, or several, for ${unknown.join(", ")}: give each the companyId of its company`);
        throw new ExitError(Exit.failed);
      } finally {
        await close();
      }
    });
}
