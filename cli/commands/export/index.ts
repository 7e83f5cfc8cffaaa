/** `esign export`: generates a complete Pulumi project from an account, with everything as files. */
import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Command, Option } from "commander";
import { isProjectName, isStackName, longestName } from "../../../engine/config/stack-names";
import { UsageError } from "../../output/errors";
import { inShell } from "../../output/shell";
import { print } from "../../output/terminal";
import { installSteps, languageRunBy, languages } from "../../project/new-project/languages";
import { moduleFormatIn, moduleFormats } from "../../project/new-project/module-format";
import { addOwnPackage } from "../../project/new-project/own-package";
import { configuredStacks, declaredProjectName, projectRuntime } from "../../project/project-files";
import { withCompanyFilter } from "../../references/companies-option";
import { withInclude } from "../../references/include-option";
import { openAccount } from "../../references/open-reference";
import { parseReference } from "../../references/reference";
import { referencesHint } from "../help/topics";
import { Export, type ExportOptions } from "./exporter";

export function addExport(program: Command): void {
  withInclude(withCompanyFilter(program.command("export")))
    .description("Generate a Pulumi project from an existing account. The account is not changed.")
    .argument("[account]", "the account (default: account)")
    .requiredOption("-o, --out <folder>", "folder to write the project to")
    .option("--name <project>", "name of the project (default: that of an earlier export, else the folder's)")
    .option("--stack-name <name>", "stack for the account (default: the folder's only one, else production)")
    .addOption(
      new Option(
        "--language <name>",
        "language of the program; python and go need the Pulumi CLI (default: that of an earlier export, else typescript)",
      ).choices(languages),
    )
    .addOption(
      new Option(
        "--module <format>",
        "module format of a TypeScript program (default: that of an earlier export, else commonjs)",
      ).choices(moduleFormats),
    )
    .option("--force", "overwrite an existing project")
    .option("-p, --parallel <n>", "subaccounts to read at the same time (default: 8)")
    .addHelpText(
      "after",
      `${referencesHint}

The key is encrypted into the stack's configuration if there is a passphrase
(PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE); otherwise it is
not written, and the README explains how to set it. To resume an interrupted
export, run the same command again.

Examples:
  $ esign export --out ./account
  $ esign export account:partner --out ./partner --companies "Acme Ltd,4711"
  $ cd account && npm install
  $ esign stack init production && esign up`,
    )
    .action(run);
}

async function run(accountName = "account", options: ExportOptions): Promise<void> {
  const folder = resolve(options.out);
  const language = options.language ?? languageRunBy(projectRuntime(folder)) ?? "typescript";
  const module = options.module ?? moduleFormatIn(folder);
  const hasKey = await exportAccount(accountName, { ...options, language, module });
  await addOwnPackage(options.out);
  const stack = stackOf(options);
  const steps = [
    `cd ${inShell(options.out)}`,
    ...installSteps(language),
    // What was exported before may have been deployed since.
    `npx pulumi-esign stack select --create ${stack}`,
    "npx pulumi-esign up",
  ];
  if (!hasKey) steps.splice(-1, 0, "npx pulumi-esign config set --secret esign:apiKey");
  print("Next steps (see README.md):");
  for (const [i, step] of steps.entries()) print(`  ${i + 1}. ${step}`);
}

/** The stack whose file gets the account's address and key, and with which README.md and the next steps go on. */
export function stackOf({ out, stackName }: Pick<ExportOptions, "out" | "stackName">): string {
  const [only, ...others] = configuredStacks(resolve(out));
  return stackName ?? (only !== undefined && others.length === 0 ? only : "production");
}

/** Writes the project; resolves to whether its configuration has the key. */
export async function exportAccount(accountName: string, options: ExportOptions): Promise<boolean> {
  const named = parseReference(accountName);
  if (named.kind !== "account") throw new UsageError(`export reads an account, not "${accountName}"`);
  const parallel = Number(options.parallel ?? "8");
  if (!Number.isInteger(parallel) || parallel < 1) throw new UsageError("--parallel must be a whole number, 1 or more");
  if (statSync(options.out, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`${options.out} is a file: name a folder`);
  const stackName = stackOf(options);
  const folder = resolve(options.out);
  const name = options.name ?? declaredProjectName(folder) ?? defaultProjectName(folder);
  if (!isProjectName(name)) {
    throw new UsageError(
      `"${name}" is not a valid project name (letters, digits, "-", "_" and "."): set one with --name`,
    );
  }
  if (!isStackName(stackName)) {
    throw new UsageError(
      `"${stackName}" is not a valid stack name (--stack-name): use letters, digits, "-", "_" and ".", at most ${longestName}`,
    );
  }
  const connection = await openAccount(named);
  try {
    const hasKey = await new Export(connection, options, { name, stackName, parallel }).run();
    if (!hasKey) print("Without a passphrase (PULUMI_CONFIG_PASSPHRASE) the key was not exported.");
    return hasKey;
  } finally {
    await connection.close();
  }
}

/** A name for the project in a folder, which has none yet. */
export const defaultProjectName = (out: string) =>
  basename(resolve(out))
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_.-]+/g, "-") || "account";
