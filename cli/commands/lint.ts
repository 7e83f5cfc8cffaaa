/** `esign check`: holds a folder against the rules, for people, for scripts and for code review. */
import type { Command } from "commander";
import { loadFolder } from "../../account-folder/folder/load";
import { lintFolder } from "../../account-folder/lint/lint";
import { countFindings, formatFindings, toJson, toSarif } from "../../account-folder/lint/reporters";
import { writeDurably } from "../../fs/atomic-write";
import { asUsageError, describe } from "../output/error";
import { Exit, ExitError, UsageError } from "../output/exit-codes";
import { colours, print, write } from "../output/terminal";
import { baselineHelp, openBaseline } from "../targets/baseline";
import { type ValuesOptions, valuesOf, withValues } from "../targets/values";

interface LintOptions extends ValuesOptions {
  against?: string;
  json?: boolean;
  sarif?: boolean | string;
  strict?: boolean;
  allowUnknownValues?: boolean;
}

export function addLint(program: Command): void {
  const command = program
    .command("check")
    .description("Checks an account's folder: templates, variables, HTML, links, colours, plain texts.")
    .argument("[folder]", "the account's folder", "account");
  withValues(command)
    .option("--against <what>", `what its texts have must be kept: ${baselineHelp}`)
    .option("--json", "findings as JSON")
    .option("--sarif [file]", "findings as SARIF 2.1.0, into a file or to the output")
    .option("--strict", "warnings fail the check, too")
    .option("--allow-unknown-values", "let e-mail types and variables through that this version does not know")
    .addHelpText(
      "after",
      `
Exit codes: 0 nothing to correct, 1 errors were found (with --strict: warnings, too), 2 nothing could be checked.

Examples:
  $ esign check ./account
  $ esign check ./account --stack staging
  $ esign check ./account --against account      refuse to lose a variable that the account's texts have
  $ esign check ./account --sarif esign.sarif`,
    )
    .action(lint);
}

async function lint(folder: string, options: LintOptions, command: Command): Promise<void> {
  const loaded = load(folder, options);
  // Exit code 1 is for findings.
  const present =
    options.against === undefined
      ? undefined
      : (
          await openBaseline(options.against, loaded).catch((error) => {
            throw asUsageError(error);
          })
        ).model;
  const findings = lintFolder(loaded, {
    ...(present && { present }),
    allowUnknownValues: options.allowUnknownValues === true,
  });
  const report = { root: folder, findings, sources: loaded.sources };
  if (options.sarif !== undefined) {
    const text = `${JSON.stringify(toSarif(report, versionOf(command)), null, 2)}\n`;
    if (typeof options.sarif === "string") await writeDurably(options.sarif, text).catch(unwritten);
    else write(text);
  }
  if (options.json) print(JSON.stringify(toJson(report), null, 2));
  else if (options.sarif !== true) write(formatFindings(report, colours));
  const { errors, warnings } = countFindings(findings);
  if (errors > 0 || (options.strict && warnings > 0)) throw new ExitError(Exit.failed);
}

function load(folder: string, options: LintOptions) {
  if (options.json && options.sarif === true) {
    throw new UsageError("--json and --sarif both write to the output; give --sarif a file");
  }
  const given = { ...valuesOf(options), allowUnknownValues: options.allowUnknownValues === true };
  try {
    return loadFolder(folder, given);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** What could not be written is no finding. */
function unwritten(error: Error): never {
  throw new UsageError(`the findings could not be written: ${describe(error).lines.join("\n")}`);
}

function versionOf(command: Command): string {
  return command.parent?.version() ?? "0.0.0";
}
