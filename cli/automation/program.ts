/** The command line that the Automation API speaks. Each group of commands is loaded when one of them is named. */
import { Command, Option } from "commander";
import { remedyForUnsupported } from "../commands/help/other-tools";
import { UsageError } from "../output/errors";
import { setColourMode, setVerbose } from "../output/terminal";
import { setProjectDefaults } from "../project/open-project";

type AddCommands = (program: Command) => void;

const deploy = async (): Promise<AddCommands> => (await import("./deploy.js")).addDeploy;
const about = async (): Promise<AddCommands> => (await import("./about.js")).addAbout;

/** The first word of a command, and what adds it. Those that `esign` has are the same. */
const groups: Record<string, () => Promise<AddCommands>> = {
  up: deploy,
  update: deploy,
  preview: deploy,
  pre: deploy,
  refresh: deploy,
  destroy: deploy,
  down: deploy,
  stack: async () => (await import("./stack.js")).addStack,
  config: async () => (await import("./config.js")).addConfig,
  state: async () => (await import("../commands/stack/state.js")).addState,
  cancel: async () => (await import("../commands/deploy/cancel.js")).addCancel,
  whoami: about,
  version: about,
  org: about,
  plugin: about,
  install: about,
};

/** Groups that `esign` has, too, with fewer commands than the Pulumi CLI. */
const ownGroups = new Set(["stack", "config", "state"]);

/** Options of the Pulumi CLI that have no meaning here: how it logs, traces and paints. */
const ignored = [
  "--disable-integrity-checking",
  "-e, --emoji",
  "-Q, --fully-qualify-stack-names",
  "--logflow",
  "--logtostderr",
  "--memprofilerate <n>",
  "--otel-traces <address>",
  "--profiling <prefix>",
  "--tracing <address>",
  "--non-interactive",
];

/** Programs look for the words with which the Pulumi CLI refuses the value of an option. */
const inWordsOfPulumi = (text: string): string =>
  text.replace(
    /^error: option '(?:-\w, )?(--[\w-]+)[^']*' argument '([^']*)' is invalid\./,
    (_, option: string, value: string) => `error: invalid argument ${JSON.stringify(value)} for ${option}:`,
  );

/** The program with the commands that a command line may name. */
export async function newProgram(args: readonly string[]): Promise<Command> {
  const program = new Command("pulumi");
  program
    .description(
      "The built-in engine of pulumi-esign for Pulumi's Automation API. This is not the Pulumi CLI: it has the commands that this API uses.",
    )
    .usage("<command> [options]")
    .option("-C, --cwd <folder>", "run as if started in this folder")
    .option("-v, --verbose <level>", "show debug output from level 1 on")
    .addOption(new Option("--color <when>", "colours").choices(["always", "never", "raw", "auto"]))
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(inWordsOfPulumi(text)) })
    .exitOverride();
  for (const flags of ignored) program.addOption(new Option(flags, "accepted, without a meaning here").hideHelp());
  program
    .on("option:color", (when: string) => setColourMode(when === "always" ? "always" : "never"))
    .on("option:verbose", (level: string) => setVerbose(Number(level) > 0))
    .hook("preAction", (_, action) => {
      const { cwd, configFile } = action.optsWithGlobals<{ cwd?: string; configFile?: string }>();
      if (cwd !== undefined) process.chdir(cwd);
      if (configFile !== undefined) setProjectDefaults({ configFile });
    });
  // By its place: the value of an option may be called like a command.
  const remedy = ownGroups.has(args[0] ?? "") ? remedyForUnsupported(args.slice(0, 2)) : undefined;
  if (remedy !== undefined) throw new UsageError(remedy);
  const loaders = new Set(args.flatMap((word) => (Object.hasOwn(groups, word) ? [groups[word]!] : [])));
  const isKnown = loaders.size > 0;
  for (const load of isKnown ? loaders : new Set(Object.values(groups))) (await load())(program);
  const named = args.find((word) => !word.startsWith("-"));
  if (!isKnown && named !== undefined && !args.includes("--help"))
    throw new UsageError(
      `the built-in engine of pulumi-esign has no command ${JSON.stringify(named)}: use the Pulumi CLI for it`,
    );
  return program;
}
