/** `up`, `preview`, `refresh` and `destroy` as the Automation API calls them. */
import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addOperationOptions } from "../commands/deploy/operation-options";
import { deployOrExit } from "../deploy/deploy-or-exit";
import { openBuiltIn } from "../deploy/open-stack";
import { type DeployOptions, type DeployVerb, isPreviewOnly } from "../deploy/run-options";
import { ExitError, UsageError } from "../output/errors";
import { Exit } from "../output/exit-codes";
import { note, print } from "../output/terminal";
import { packageFolder } from "../output/version";
import { openProject } from "../project/open-project";
import { openEventLog } from "./event-log";

interface AutomationOptions extends DeployOptions {
  /** `host:port` of the language runtime that runs an inline program. */
  client?: string;
  eventLog?: string;
  execKind?: string;
  execAgent?: string;
}

function booleanValue(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidArgumentError("It must be true or false.");
  return text === "true";
}

const flagWithValue = (name: string, text: string): Option =>
  new Option(`${name} [yes]`, text).argParser(booleanValue).preset("true");

const verbs: [DeployVerb, alias: string | undefined, summary: string][] = [
  ["up", "update", "Apply the program to a stack."],
  ["preview", "pre", "Show what up would change."],
  ["refresh", undefined, "Read what a stack manages into its state."],
  ["destroy", "down", "Delete what a stack manages."],
];

export function addDeploy(program: Command): void {
  for (const [verb, alias, summary] of verbs) {
    const command = program.command(verb).description(summary);
    if (alias !== undefined) command.alias(alias);
    addOperationOptions(command, verb, flagWithValue);
    addAutomationOptions(command);
    addRefused(command);
    command.action((options: AutomationOptions) => deploy(verb, options));
  }
}

function addAutomationOptions(command: Command): void {
  command
    .option("--client <address>", "the language runtime that runs an inline program")
    .option("--event-log <place>", "where to write the events: a file, or tcp://host:port of a server")
    .option("--exec-kind <kind>", "for the history")
    .option("--exec-agent <agent>", "for the history")
    .option("--config-file <path>", "the file with the stack's configuration")
    .option("--suppress-outputs", "without a meaning here")
    .option("--suppress-progress", "without a meaning here")
    .option("--suppress-permalink [value]", "without a meaning here")
    .option("-d, --debug", "without a meaning here");
}

/** What the Pulumi CLI can do and this engine cannot: refused before anything is touched. */
const refused: Record<string, string> = {
  "--import-file <file>": "import files",
  "--attach-debugger [what]": "debuggers",
  "--remote": "remote operations",
  "--remove": "the removal of the stack by destroy; use `stack rm`",
};

function addRefused(command: Command): void {
  for (const flags of Object.keys(refused)) command.option(flags, "Pulumi CLI only");
}

function rejectRefused(options: AutomationOptions): void {
  const values = options as unknown as Record<string, unknown>;
  for (const [flags, what] of Object.entries(refused)) {
    const flag = flags.split(" ")[0] as string;
    const name = flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (values[name] === undefined) continue;
    throw new UsageError(`${flag}: the built-in engine of pulumi-esign does not support ${what}. Use the Pulumi CLI`);
  }
}

async function deploy(verb: DeployVerb, allOptions: AutomationOptions): Promise<void> {
  rejectRefused(allOptions);
  const { plan } = allOptions;
  if (plan !== undefined && !existsSync(plan)) throw new UsageError(`open ${plan}: there is no such file`);
  const { client, eventLog, execKind, execAgent, ...options } = allOptions;
  const { programDirectory } = await openProject();
  const log = eventLog === undefined ? undefined : await openEventLog(eventLog, [programDirectory, packageFolder]);
  // Programs look for the word, as the Pulumi CLI says it of each resource.
  if (options.refresh && !options.json) print("refreshing the state first");
  const historyEnvironment = {
    ...(execKind && { "exec.kind": execKind }),
    ...(execAgent && { "exec.agent": execAgent }),
  };
  try {
    const settled: DeployOptions = {
      ...options,
      // The preview compares the account with the plan.
      ...(plan !== undefined && { skipPreview: false }),
    };
    await deployOrExit(() => openBuiltIn(settled, {}, !isPreviewOnly(verb, settled)), {
      ...{ verb, options: settled, env: {} },
      run: {
        historyEnvironment,
        ...(client !== undefined && { languageRuntime: { address: client, sdkFolder: packageFolder } }),
        ...(log !== undefined && { withStates: true }),
      },
      ...(log !== undefined && { onEvent: (event) => log.write(event) }),
    });
    if (options.excludeProtected) print("All unprotected resources were destroyed.");
  } catch (error) {
    throw explain(error, verb, allOptions);
  } finally {
    await log?.close();
  }
}

/** An end that the display has explained gets the words that programs look for. */
function explain(error: unknown, verb: DeployVerb, { previewOnly }: AutomationOptions): unknown {
  if (!(error instanceof ExitError)) return error;
  const name = previewOnly ? "preview" : verb === "up" ? "update" : verb;
  const ends: Record<number, string> = {
    [Exit.cancelled]: `${name} canceled`,
    [Exit.changes]: "no changes were expected but changes occurred",
  };
  note(`error: ${ends[error.exitCode] ?? `${name} failed`}`);
  return error;
}
