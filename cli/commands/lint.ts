/** `esign lint`: checks a folder by rules, for people, scripts and code review. */
import { type Command, Option } from "commander";
import pc from "picocolors";
import { type Finding, sortFindings } from "../../account-folder/finding";
import { type LoadedFolder, loadFolder } from "../../account-folder/folder/load-folder";
import type { AccountModel } from "../../definitions/model";
import { lintFolder } from "../../rules/lint/lint-folder";
import { policiesOfFolder } from "../../rules/lint/lint-settings";
import { countFindings, formatFindings, type Report, toJson, toSarif } from "../../rules/lint/reporters";
import { type ConfiguredRule, readPolicies } from "../../rules/rule-configuration";
import { type ConfigurationSubject, projectConfiguration } from "../../rules/stack-configuration";
import { asUsageError } from "../output/describe-error";
import { ExitError } from "../output/errors";
import { Exit } from "../output/exit-codes";
import { colours, write } from "../output/terminal";
import { version } from "../output/version";
import { writeReport } from "../output/write-report";
import { configuredStacks, projectFile, projectFolderHere } from "../project/project-files";
import { accountFolder, folderHelp } from "../references/account-folders";
import { baselineHelp, openBaseline } from "../references/baseline";
import { allowsUnknownIn, type ValuesOptions, valuesOfOptions, withValues } from "../references/value-options";

const formats = ["text", "json", "sarif"] as const;
type Format = (typeof formats)[number];

interface LintOptions extends ValuesOptions {
  baseline?: string;
  json?: boolean;
  format?: Format;
  out?: string;
  strict?: boolean;
  allowUnknownValues?: boolean;
  policyPackConfig?: string;
}

export function addLint(program: Command): void {
  const command = program
    .command("lint")
    .alias("check")
    .description("Check the files of an account: email templates, variables, HTML, links, colours, plain text.")
    .argument("[folder]", folderHelp);
  withValues(command)
    .option("--baseline <what>", `its required variables must be kept: ${baselineHelp}`)
    .option("--policy-pack-config <file>", "enforce the policies, configured by this JSON file")
    .option("--strict", "fail on warnings, too")
    .option("--allow-unknown-values", "accept types and variables of email templates that this version does not know")
    .addOption(new Option("--format <format>", "format of the report").choices(formats).conflicts("json"))
    .option("-j, --json", "the same as --format json")
    .option("-o, --out <file>", "write the report to this file")
    .addHelpText(
      "after",
      `
Exit codes: 0 no errors, 1 errors (with --strict: or warnings),
2 could not check.

Examples:
  $ esign lint ./account
  $ esign lint ./account --values-from staging
  $ esign lint ./account --baseline account
  $ esign lint ./account --format sarif --out esign.sarif`,
    )
    .action(lint);
}

async function lint(name: string | undefined, options: LintOptions): Promise<void> {
  const folder = await accountFolder(name);
  const allowUnknownValues = allowsUnknownIn(folder, options);
  const loaded = load(folder, options, allowUnknownValues);
  const { policies, findings: wrong } = policiesFor(loaded, options);
  const linted = lintFolder(loaded, {
    ...(options.baseline !== undefined && { present: await baselineOf(options.baseline, loaded) }),
    ...{ allowUnknownValues, policies, stack: options.valuesFrom },
    configurations: policies.length === 0 ? [] : configurationsFor(folder, options),
  });
  const findings = sortFindings([...wrong, ...linted]);
  const report: Report = { root: folder, findings, sources: loaded.sources, policies };
  const format = options.json ? "json" : (options.format ?? "text");
  const text = (palette = colours) => {
    if (format === "sarif") return `${JSON.stringify(toSarif(report, version), null, 2)}\n`;
    return format === "json" ? `${JSON.stringify(toJson(report), null, 2)}\n` : formatFindings(report, palette);
  };
  if (options.out === undefined) write(text());
  else {
    await writeReport(options.out, text(pc.createColors(false)));
    // A file is for programs: people read the findings in the log.
    write(formatFindings(report, colours));
  }
  const { errors, warnings } = countFindings(findings);
  if (errors > 0 || (options.strict && warnings > 0)) throw new ExitError(Exit.failed);
}

/** The policies that account.yaml or a file configures, and what is wrong with them. */
function policiesFor(
  loaded: LoadedFolder,
  { policyPackConfig: file }: LintOptions,
): { policies: readonly ConfiguredRule[]; findings: Finding[] } {
  if (file === undefined) {
    const { rules, findings } = policiesOfFolder(loaded);
    return { policies: rules, findings };
  }
  try {
    return { policies: readPolicies(file), findings: [] };
  } catch (error) {
    throw asUsageError(error);
  }
}

/** The configuration of the stack, or of all stacks of the project. */
function configurationsFor(folder: string, { valuesFrom: stack }: LintOptions): ConfigurationSubject[] {
  const project = projectFolderHere(folder);
  if (project === undefined) return [];
  return projectConfiguration(projectFile(project), stack === undefined ? configuredStacks(project) : [stack]);
}

/** Exit code 1 is for findings: a baseline that cannot be read is an error of usage. */
async function baselineOf(baseline: string, loaded: LoadedFolder): Promise<AccountModel> {
  const { model } = await openBaseline(baseline, loaded).catch((error) => {
    throw asUsageError(error);
  });
  return model;
}

function load(folder: string, options: LintOptions, allowUnknownValues: boolean): LoadedFolder {
  const loadOptions = { ...valuesOfOptions(folder, options), allowUnknownValues };
  try {
    return loadFolder(folder, loadOptions);
  } catch (error) {
    throw asUsageError(error);
  }
}
