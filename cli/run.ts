/** Finds the module of a command, runs it, and turns the outcome into an exit code. */

import { remedyForUnsupported } from "./commands/help/other-tools";
import { helpTopics } from "./commands/help/topics";
import { groupOf } from "./commands/index";
import { addSummaries, hintAtHelp, newProgram } from "./commands/program";
import { setCommandLine } from "./engine/command-line";
import { UsageError } from "./output/errors";
import { reportOutcome } from "./output/report-outcome";
import { print } from "./output/terminal";

/** Options that stand before or after any command, and take the next argument as their value. */
const globalValueOptions = ["-C", "--cwd", "--color"];

/** The arguments that are neither global options nor their values. */
function wordsOf(args: readonly string[]): string[] {
  return args.filter((arg, i) => !arg.startsWith("-") && !globalValueOptions.includes(args[i - 1] ?? ""));
}

async function execute(args: string[]): Promise<void> {
  // `esign help up` and `esign --help up` are `esign up --help`, where there is an `up`.
  const isHelpCommand = wordsOf(args)[0] === "help";
  const wantsHelp = isHelpCommand || /^(--help|-h)$/.test(args[0] ?? "");
  if (wantsHelp) args = args.toSpliced(isHelpCommand ? args.indexOf("help") : 0, 1);
  const showsAll = wantsHelp && args.includes("--all");
  const [name] = wordsOf(args);
  if (showsAll && name === undefined) args = args.filter((arg) => arg !== "--all");
  const topic = isHelpCommand && name !== undefined && Object.hasOwn(helpTopics, name) ? helpTopics[name] : undefined;
  if (topic !== undefined) {
    print(topic.text.trimEnd());
    return;
  }
  const program = newProgram();
  const group = name === undefined ? undefined : groupOf(name);
  const asksHelp = wantsHelp || args.some((arg) => arg === "--help" || arg === "-h");
  const remedy = group !== undefined && asksHelp ? undefined : remedyForUnsupported(wordsOf(args));
  if (remedy !== undefined) throw new UsageError(remedy);
  if (wantsHelp && (name === undefined || group !== undefined)) args = [...args, "--help"];
  if (group !== undefined) (await group.load())(program);
  else addSummaries(program, args.length === 0 || (wantsHelp && name === undefined && !showsAll));
  hintAtHelp(program, "esign");
  if (args.length === 0) program.help();
  setCommandLine(args);
  await program.parseAsync(args, { from: "user" });
}

/** Runs a command line, without the name of the command; resolves to the exit code. */
export const run = (args: string[]): Promise<number> => reportOutcome(() => execute(args));
