/** `esign export`: writes an account as a complete Pulumi project, with everything in it as files. */
import { basename, resolve } from "node:path";
import { type Command, Option } from "commander";
import { isProjectName, isStackName } from "../../../engine/config/file-names";
import { UsageError } from "../../output/exit-codes";
import { withCompanyFilter } from "../../targets/company-filter";
import { openAccount, parseTarget, referenceHelp } from "../../targets/target";
import { Export, type ExportOptions } from "./exporter";

export function addExport(program: Command): void {
  withCompanyFilter(program.command("export"))
    .description(
      "Write an account as a complete Pulumi project: take over what was made by hand. Changes nothing in the account.",
    )
    .argument("[account]", "the account", "account")
    .requiredOption("-o, --out <folder>", "where the project is written")
    .option("--name <project>", "name of the project (default: that of the folder)")
    .option("-s, --stack <name>", "name of the stack that stands for the account", "dev")
    .option("-f, --force", "write over a project that is there")
    .addOption(new Option("--parallel <n>", "sub accounts read at the same time").default("8"))
    .addHelpText(
      "after",
      `${referenceHelp}

The key is never written in clear: with a passphrase (PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE) it is
encrypted into the stack's configuration, without one it stays out, and the README says how to set it. An export of many
sub accounts that was interrupted goes on where it stopped when the same command is run again.

Examples:
  $ esign export --out ./account
  $ esign export account:partner --out ./partner --companies "Acme Ltd,4711"
  $ cd account && npm install && esign stack init dev && esign up      adopt it all, changing nothing`,
    )
    .action(run);
}

export async function run(accountName: string, options: ExportOptions): Promise<void> {
  const named = parseTarget(accountName);
  if (named.kind !== "account") throw new UsageError(`export reads an account, not "${accountName}"`);
  const parallel = Number(options.parallel);
  if (!Number.isInteger(parallel) || parallel < 1) throw new UsageError("--parallel must be a whole number, 1 or more");
  const name = options.name ?? projectName(options.out);
  if (!isProjectName(name)) {
    throw new UsageError(
      `"${name}" cannot be a project's name (letters, digits, "-", "_" and "."): give one with --name`,
    );
  }
  if (!isStackName(options.stack)) {
    throw new UsageError(
      `"${options.stack}" cannot be a stack's name (--stack): use letters, digits, "-", "_" and ".", 100 at most`,
    );
  }
  const connection = await openAccount(named);
  try {
    await new Export(connection, options, name, parallel).run();
  } finally {
    await connection.close();
  }
}

const projectName = (out: string) => basename(resolve(out)).replace(/[^A-Za-z0-9_.-]+/g, "-") || "account";
