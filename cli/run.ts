/** Finds the module that knows what was asked for, runs it, and turns what happens into an exit code. */
import { Command, CommanderError } from "commander";
import { groupOf, groups } from "./commands/index";
import { Exit, ExitError, UsageError } from "./output/exit-codes";
import { colours, errorColours, note } from "./output/terminal";
import { version } from "./output/version";

const examples = `
Examples:
  $ esign up                              show what would change, ask, and change it
  $ esign up --local                      the same against the local service, no account needed
  $ esign preview --diff                  everything that would change, with long texts whole
  $ esign refresh && esign up             find what somebody changed in the web app, and put it back
  $ esign webhooks list --json            read the account itself
  $ esign branding update-email email-send --branding-email-content @body.html
  $ esign explain 10557                   what an error code means

Exit codes: 0 done, 1 failed, 2 wrong usage or input, 6 no such stack, 7 changes despite --expect-no-changes, 8 cancelled.

ESIGN_BASE_URL and ESIGN_API_KEY name the account where no stack configuration does. What reads an account takes that of
--stack, of ESIGN_API_KEY, or else of the selected stack; what writes to it has it named.`;

/** The name of the command on the command line: the first argument that is neither an option nor its value. */
function commandName(args: readonly string[]): string | undefined {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === "-C" || arg === "--cwd") i++;
    else if (!arg.startsWith("-")) return arg;
  }
  return undefined;
}

function newProgram(): Command {
  const program = new Command("esign");
  program
    .description("An e-signature account's configuration as code.")
    .usage("[-C <folder>] <command> [options]")
    .option("-C, --cwd <folder>", "run as if started in this folder")
    .version(version, "-V, --version", "print the version")
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureHelp({ styleTitle: (text) => colours.bold(text), styleCommandText: (text) => colours.cyan(text) })
    .configureOutput({
      getOutHasColors: () => colours.isColorSupported,
      getErrHasColors: () => errorColours.isColorSupported,
      outputError: (text, write) => write(errorColours.red(text)),
    })
    .hook("preAction", (_, action) => {
      const { cwd } = action.optsWithGlobals<{ cwd?: string }>();
      // An unset variable of a shell, which would else mean this folder, or the stack that is selected.
      const names = /[<[](folder|file|path|name|stack|company|urn)[\]>]/;
      for (const option of action.options) {
        if (names.test(option.flags) && [action.getOptionValue(option.attributeName())].flat().includes(""))
          throw new UsageError(`${option.long} needs a name: what was given is empty`);
      }
      for (const [i, argument] of action.registeredArguments.entries()) {
        if (names.test(`<${argument.name()}>`) && action.processedArgs[i] === "")
          throw new UsageError(`<${argument.name()}> needs a name: what was given is empty`);
      }
      if (cwd === undefined) return;
      try {
        process.chdir(cwd);
      } catch {
        throw new UsageError(`there is no folder ${cwd} (--cwd)`);
      }
    });
  return program;
}

async function execute(args: string[]): Promise<void> {
  // `esign help up` and `esign --help up` are `esign up --help`, where there is an `up`.
  const isWord = commandName(args) === "help";
  const asked = isWord || /^(--help|-h)$/.test(args[0] ?? "");
  if (asked) args = args.toSpliced(isWord ? args.indexOf("help") : 0, 1);
  const program = newProgram();
  const name = commandName(args);
  const group = name === undefined ? undefined : groupOf(name);
  if (asked && (name === undefined || group !== undefined)) args = [...args, "--help"];
  if (group !== undefined) (await group.load())(program);
  else {
    // Only names and summaries, for help and for "did you mean".
    for (const { title, commands } of groups) {
      for (const [command, summary] of Object.entries(commands)) {
        program.command(command).description(summary).helpGroup(title);
      }
    }
    program.addHelpText("after", examples);
  }
  if (args.length === 0) program.help();
  await program.parseAsync(args, { from: "user" });
}

/** What was thrown, in words that are fit for people. */
async function report(error: unknown): Promise<number> {
  if (error instanceof ExitError) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.ok : Exit.usage;
  const failure = error instanceof Error ? error : new Error(String(error));
  const { describe } = await import("./output/error.js");
  const { lines, exitCode } = describe(failure);
  note(`${errorColours.red(errorColours.bold("error:"))} ${lines[0]}`);
  for (const line of lines.slice(1)) note(line);
  return exitCode;
}

/** Runs a command line, without the name of the command; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  try {
    await execute(args);
    return Exit.ok;
  } catch (error) {
    return report(error);
  }
}
