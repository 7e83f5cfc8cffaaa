/** `esign drift`: what was changed in an account since it was deployed, by the rules of a refresh, and since when. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Command, Option } from "commander";
import { resourceName } from "../../../account-folder/diff/format-diff";
import { plural } from "../../../definitions/text/display";
import { readUrn } from "../../../definitions/urn";
import type { Configuration } from "../../../provider/session/provider-config";
import { accountLabel, hintAtAccount } from "../../deploy/deployment-account";
import { asUsageError } from "../../output/describe-error";
import { ExitError, UsageError } from "../../output/errors";
import { Exit } from "../../output/exit-codes";
import { printLines, printNotes, withoutSecretTexts } from "../../output/print-lines";
import { errorColours, note, print } from "../../output/terminal";
import { writeReport } from "../../output/write-report";
import { startLocalEmulator, usesLocalEmulator } from "../../project/local-emulator";
import { openProject, programFolder } from "../../project/open-project";
import { projectFile, projectFolder, projectFolderHere } from "../../project/project-files";
import { type DeployedResource, exportedResources, stackResources } from "../../references/state-resources";
import { rejectUnknownCommand } from "../reject-unknown-command";
import { driftOf, missingOutputs, subjectsOf } from "./compare-account";
import { type DriftReport, driftJson, driftLines, driftMarkdown, driftSarif } from "./drift-report";
import { addUnmanaged } from "./list-unmanaged";
import { datedDrift, datesIn, ObservationFile } from "./observations";

const formats = ["text", "json", "sarif"] as const;

interface DriftOptions {
  stack?: string;
  local?: boolean;
  state?: string;
  exitCode?: boolean;
  json?: boolean;
  markdown?: boolean;
  format?: (typeof formats)[number];
  out?: string;
}

export function addDrift(program: Command): void {
  const command = program.command("drift");
  addUnmanaged(command);
  command
    .description("Report changes made outside Pulumi since the last `up`. Neither account nor state is changed.")
    .option("-s, --stack <name>", "the stack (default: the selected one)")
    .addOption(
      new Option(
        "--state <file>",
        "the output of `pulumi stack export --show-secrets`, for a state that is kept elsewhere; - reads it from standard input",
      ).conflicts("stack"),
    )
    .addOption(
      new Option("--local", "compare with the local emulator (data in .esign/service.json)").conflicts("state"),
    )
    .option("--exit-code", "exit with 1 if something drifted")
    .addOption(new Option("--format <format>", "format of the report").choices(formats).conflicts("json"))
    .option("-j, --json", "the same as --format json, with whole texts")
    .addOption(new Option("--markdown", "the text as Markdown, for an issue or a message").conflicts("json"))
    .option("-o, --out <file>", "write the report to this file, and print the text")
    .allowExcessArguments()
    .addHelpText("after", helpText)
    .action(async (options: DriftOptions) => {
      rejectUnknownCommand(command, command.args);
      const drifted = await drift(options).catch((error) => {
        throw asUsageError(error);
      });
      if (drifted > 0 && options.exitCode) throw new ExitError(Exit.failed);
    });
}

const helpText = `
What the API itself changes in a value (a logo's address, colour case, line
ends) is not drift. A logo is compared by its picture.

Each run records what it has seen in .esign/drift beside the program (outside
of a project: beside the state), without values. The next one tells since when
something has drifted, what is new, and what no longer drifts.

Exit codes: 0 compared, 1 drift (with --exit-code), 2 could not compare, or
nothing is deployed.

Examples:
  $ esign drift --stack production --exit-code
  $ esign drift --local                  of what \`up --local\` has deployed
  $ esign drift --markdown >> "$GITHUB_STEP_SUMMARY"
  $ esign drift --format sarif --out drift.sarif
  $ esign refresh && esign up          revert the drift`;

async function drift(options: DriftOptions): Promise<number> {
  const format = options.json ? "json" : (options.format ?? "text");
  if (options.markdown && format !== "text" && options.out === undefined)
    throw new UsageError(`--markdown and --format ${format} both print: write one of them to a file with --out <file>`);
  const deployed = options.state === undefined ? await deployedStack(options) : await deployedInFile(options.state);
  const local = options.local ? await openLocal(deployed) : undefined;
  const isUnconfigured = (await accountLabel((local ?? deployed).config, process.env)) === undefined;
  if (isUnconfigured && options.state === undefined) await hintAtAccount(projectFolder(), deployed.stack);
  const { report, notes, comparison } = await look({ ...deployed, ...local }, new Date()).finally(() => local?.close());
  printNotes([...missingOutputs(deployed.resources), ...notes]);
  note(errorColours.dim(comparison));
  const lines = () => driftLines(report);
  const forPrograms = { json: driftJson, sarif: driftSarif };
  const text = () => {
    if (format !== "text") return JSON.stringify(forPrograms[format](report), null, 2);
    if (options.markdown) return driftMarkdown(report);
    return lines()
      .map((line) => line.text)
      .join("\n");
  };
  if (options.out !== undefined) await writeReport(options.out, `${text()}\n`);
  if (options.markdown) print(driftMarkdown(report));
  else if (format === "text" || options.out !== undefined) printLines(lines());
  else print(text());
  return report.changes.length;
}

/** What was deployed, and the settings of the account. */
interface Deployed {
  stack: string;
  project: string;
  resources: DeployedResource[];
  secrets: string[];
  config: Configuration;
  /** Folder of the program, or of the state. */
  directory: string;
  /** The project's file, or the state. */
  file: string;
}

async function deployedStack({ stack: wanted }: DriftOptions): Promise<Deployed> {
  const project = await openProject();
  const stack = wanted ?? (await project.currentStack());
  if (stack === undefined)
    throw new UsageError('no stack is selected. Use --stack <name>, or "esign stack select <name>"');
  const values = await (await project.openStack(stack)).config.list({ showSecrets: true });
  return {
    stack,
    project: project.name,
    ...(await stackResources(stack)),
    config: { get: (key) => values.get(key)?.value },
    directory: project.programDirectory,
    file: projectFile(project.directory),
  };
}

/** The account that `--local` deploys to. */
async function openLocal({ stack, config }: Deployed): Promise<Pick<Deployed, "config"> & { close(): Promise<void> }> {
  const folder = projectFolder();
  // Refuses a stack that names an account.
  usesLocalEmulator({ local: true }, folder, stack);
  const { env, close } = await startLocalEmulator(folder, config);
  const settings = new Map([
    ["esign:baseUrl", env.ESIGN_BASE_URL],
    ["esign:apiKey", env.ESIGN_API_KEY],
  ]);
  return { config: { get: (key) => settings.get(key) ?? config.get(key) }, close };
}

/** A file knows no settings: those of the environment count. */
async function deployedInFile(path: string): Promise<Deployed> {
  if (path !== "-" && !existsSync(path))
    throw new UsageError(
      `there is no file "${path}" (--state). Write it with: pulumi stack export --show-secrets --file ${path}`,
    );
  const exported = exportedResources(path);
  const folder = projectFolderHere();
  return {
    ...exported,
    project: readUrn(exported.resources[0]?.urn ?? "")?.project ?? "",
    config: { get: () => undefined },
    directory: folder === undefined ? dirname(resolve(path)) : await programFolder(),
    file: folder === undefined ? path : projectFile(folder),
  };
}

/** What is compared with what, so that "No drift" says something. @throws {UsageError} if there is nothing to compare */
async function describeComparison({ stack, resources, config }: Deployed): Promise<string> {
  const { size } = subjectsOf(resources);
  if (size === 0)
    throw new UsageError(
      `${stack === "" ? "the state" : `stack "${stack}"`} has no resource of an account: there is nothing to compare. Run \`esign up\` first, or name the stack that was deployed: --stack <name>`,
    );
  const label = (await accountLabel(config, process.env)) ?? "its account";
  return `${plural(size, "resource")} of stack ${stack} compared with ${label}`;
}

/** Compares, and records what was seen. Dates belong to the values, and texts that are secret are taken out after that. */
async function look(
  deployed: Deployed,
  now: Date,
): Promise<{ report: DriftReport; notes: string[]; comparison: string }> {
  const { stack, resources, secrets, config, directory, file } = deployed;
  const comparison = await describeComparison(deployed);
  const { changes, notes } = await driftOf(resources, config);
  const observationFile = new ObservationFile(directory, deployed.project, stack);
  const { observed: previous, problem } = await observationFile.read();
  const { observations, resolved } = datedDrift(changes, previous, now);
  const unwritten = await observationFile.write(observations);
  const withoutSecrets = withoutSecretTexts(secrets, [{ changes, environment: [], unmanaged: [], uncompared: [] }]);
  const subjects = subjectsOf(resources);
  const lastSeen = previous?.lookedAt ?? observations.lookedAt;
  const report: DriftReport = {
    stack,
    lookedAt: observations.lookedAt,
    ...(previous && { previousLook: previous.lookedAt }),
    // A URN is in clear in every state, and dates are found by it.
    changes: changes.map(({ identities: _, ...change }) => ({ ...withoutSecrets(change), urn: change.urn })),
    resolved: resolved.map(({ urn, field, firstSeen }) => {
      const subject = subjects.get(urn);
      const resource = subject ? withoutSecrets(resourceName(subject)) : (readUrn(urn)?.name ?? urn);
      return {
        urn,
        ...(subject && { kind: subject.kind }),
        resource,
        ...(field !== undefined && { field }),
        firstSeen,
        lastSeen,
      };
    }),
    datesOf: datesIn(observations),
    file,
  };
  return { report, notes: [unwritten ?? problem ?? [], notes].flat(), comparison };
}
