/** The program that commands are added to: global options and help. */
import { Command, type Help, Option } from "commander";
import { CommandLineError, UsageError } from "../output/errors";
import { colours, errorColours, setColourMode, setInteractive, setVerbose } from "../output/terminal";
import { version } from "../output/version";
import { passOptionsOn, rejectEmptyNames } from "./check-options";
import { helpTopics } from "./help/topics";
import { groups } from "./index";

const examples = `
Help topics: ${Object.keys(helpTopics)
  .map((topic) => `esign help ${topic}`)
  .join(", ")}

Examples:
  $ esign up                        preview, ask, and apply
  $ esign up --local                the same with the local emulator, no account
  $ esign preview --diff            everything that would change, in full
  $ esign refresh && esign up       revert changes made outside Pulumi
  $ esign webhooks list --json      read the account itself
  $ esign branding update-email email-send --content @body.html
  $ esign explain 10557             what an error code means

ESIGN_BASE_URL and ESIGN_API_KEY name the account where no stack does.`;

/** What a person reads who sees this command for the first time. */
const firstSteps = `
First steps:
  $ esign init shop && cd shop      a project
  $ esign up --local                deploy it to the local emulator, no account
  $ esign up                        deploy it to the account of the stack
`;

/** At most 78 columns, also where an option leaves little room for its description. */
const helpWidth = 78;
const helpLayout: Partial<Help> = {
  helpWidth,
  minWidthToWrap: 20,
  styleTitle: (text) => colours.bold(text),
  styleCommandText: (text) => colours.cyan(text),
  // The first choice is the default.
  optionDescription: ({ description, argChoices: [standard, ...others] = [] }) =>
    standard === undefined ? description : `${description}: ${[`${standard} (default)`, ...others].join(", ")}`,
};

export const newProgram = (): Command =>
  programOf("esign").description("Manage your e-signature account as code.").usage("[-C <folder>] <command> [options]");

/** A command of this package by its name, with the options that all have. */
export function programOf(name: string): Command {
  // What the options of an earlier command line of this process were.
  setVerbose(false);
  setInteractive(true);
  const program = new Command(name);
  const mistake = { message: "", hint: "" };
  program
    .option("-C, --cwd <folder>", "run as if started in this folder")
    .option("-v, --verbose", "show debug output, and stack traces of errors")
    .addOption(new Option("--color <when>", "colours").choices(["auto", "always", "never"]))
    .option("--non-interactive", "never ask, as if stdin were not a terminal")
    .version(version, "-V, --version", "print the version")
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .exitOverride((error) => {
      throw mistake.message === "" ? error : new CommandLineError(mistake.message, () => describeMistake(mistake));
    })
    .configureHelp(helpLayout)
    .configureOutput({
      getOutHasColors: () => colours.isColorSupported,
      getErrHasColors: () => errorColours.isColorSupported,
      outputError: (text) => {
        mistake.message = text;
      },
      writeErr: (text) => {
        if (mistake.message === "") process.stderr.write(text);
        else mistake.hint += text;
      },
    })
    .on("option:color", setColourMode)
    .on("option:non-interactive", () => setInteractive(false))
    .on("option:verbose", () => setVerbose(true))
    .hook("preAction", (_, action) => {
      passOptionsOn(action);
      rejectEmptyNames(action);
      const { cwd } = action.optsWithGlobals<{ cwd?: string }>();
      if (cwd === undefined) return;
      try {
        process.chdir(cwd);
      } catch {
        throw new UsageError(`there is no folder ${cwd} (--cwd)`);
      }
    });
  return program;
}

/** Errors of usage end with the help to read. */
export function hintAtHelp(command: Command, path: string): void {
  command.showHelpAfterError(`Run "${path} --help".`);
  for (const sub of command.commands) hintAtHelp(sub, `${path} ${sub.name()}`);
}

/**
 * Only names and summaries, for help and for suggestions.
 * @param isShort - without the summaries of rare commands
 */
export function addSummaries(program: Command, isShort = false): void {
  const rest: string[] = [];
  for (const { title, commands, aliases, rare = [] } of groups) {
    for (const [command, summary] of Object.entries(commands)) {
      const hidden = isShort && rare.includes(command);
      program.command(command, { hidden }).description(summary).helpGroup(title);
      if (hidden) rest.push(command);
    }
    for (const alias of Object.keys(aliases ?? {})) program.command(alias, { hidden: true });
  }
  if (isShort) {
    const names = program.createHelp().boxWrap(rest.join(", "), helpWidth - 2);
    program.configureHelp({ ...helpLayout, visibleOptions: () => [] });
    program.addHelpText(
      "after",
      `${firstSteps}\nLess often used; options and more examples are in "esign help --all":\n${names.replace(/^/gm, "  ")}`,
    );
  } else program.addHelpText("after", examples);
}

/** The program with all commands, for what walks over them. */
export async function wholeProgram(): Promise<Command> {
  const program = newProgram();
  for (const { load } of groups) (await load())(program);
  return program;
}

/** What stderr says of a command line that is wrong. Suggestions are loaded for that only. */
async function describeMistake({ message, hint }: { message: string; hint: string }): Promise<string> {
  const { withSafeSuggestions } = await import("./help/suggestions.js");
  return (errorColours.red(withSafeSuggestions(message)) + hint).trimEnd();
}
