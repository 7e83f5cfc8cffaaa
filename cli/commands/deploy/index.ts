/** `esign up`, `preview`, `refresh`, `destroy`: the operations on a stack. */
import { type Command, InvalidArgumentError } from "commander";
import { errorColours, isInteractive, note } from "../../output/terminal";
import type { EngineChoice } from "../../project/choose-engine";
import { passphraseEnv, startLocalEmulator, usesLocalEmulator } from "../../project/local-emulator";
import { configurationInClear, projectFolder } from "../../project/project-files";
import { runPulumi } from "../../project/pulumi-cli";
import { openProject, pulumiArgs, selectEngine, withoutArgs, withStackOptions } from "../../project/session";
import { deployBuiltIn } from "./embedded";
import type { DeployOptions, Verb } from "./options";

const texts: Record<Verb, { summary: string; help: string }> = {
  up: {
    summary: "Show what would change, ask, then bring the account to what the program says.",
    help: `
Examples:
  $ esign up                    preview, question, update
  $ esign up --yes              without the question: for CI
  $ esign up --local            against the local service; its data is kept in .esign/service.json
  $ esign up --refresh          first look at what was changed by hand
  $ esign up --target '**::email-send'`,
  },
  preview: {
    summary: "Show what `up` would change, and change nothing.",
    help: `
Examples:
  $ esign preview --diff                    long texts whole, and all inputs of what is new
  $ esign preview --expect-no-changes       exit code 7 when there are changes: for CI`,
  },
  refresh: {
    summary: "Compare the state with the account, and take over into the state what is different in the account.",
    help: `
What somebody changed by hand becomes visible; the next \`up\` puts it back.

Examples:
  $ esign refresh
  $ esign refresh --run-program             with today's configuration, after a key was rotated`,
  },
  destroy: {
    summary: "Take back what the stack deployed: delete objects, restore the texts that were there before.",
    help: `
Examples:
  $ esign destroy
  $ esign destroy --target '**::signed'`,
  },
};

const collect = (value: string, before: string[] = []) => [...before, value];

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("must be a positive whole number");
  return Number(text);
}

export function addDeploy(program: Command): void {
  for (const verb of ["up", "preview", "refresh", "destroy"] as const) {
    const command = withStackOptions(program.command(verb).description(texts[verb].summary));
    if (verb !== "preview") {
      command
        .option("-y, --yes", "do it without asking")
        .option("-f, --skip-preview", "do it without a preview")
        .option("--preview-only", "only show what would change");
    }
    command
      .option("--diff", "show long texts whole, and the inputs of what is created or deleted")
      .option("-j, --json", "one event per line, as JSON")
      .option("--expect-no-changes", "fail, with exit code 7, when there are changes")
      .option("-p, --parallel <n>", "how many calls run at once", positiveInteger)
      .option("-t, --target <urn>", "only this resource; may be repeated, * and ** are allowed", collect)
      .option("--exclude <urn>", "all but this resource; may be repeated, * and ** are allowed", collect)
      .option("-m, --message <text>", "a message for the history")
      .option("--show-sames", "show unchanged resources too")
      .option("--show-secrets", "show the values of secrets");
    if (verb !== "refresh") {
      command
        .option("-r, --refresh", "compare with the account first")
        .option("--target-dependents", "with --target: what depends on it too")
        .option("--exclude-dependents", "with --exclude: leave out what depends on it too");
    }
    if (verb === "up" || verb === "preview") {
      command
        .option("--replace <urn>", "replace this resource; may be repeated", collect)
        .option("--target-replace <urn>", "the same as --target <urn> --replace <urn>", collect)
        .option("--type-check", "check the types of the program first (slow; `tsc --noEmit` does it better)");
    } else command.option("--run-program", "run the program, so that providers get today's configuration");
    if (verb === "up" || verb === "destroy")
      command.option("--continue-on-error", "go on with what does not depend on what failed");
    if (verb === "destroy")
      command.option("--exclude-protected", "all but what is protected, and what that needs to exist");
    if (verb === "refresh") command.option("--clear-pending-creates", "forget creations that were interrupted");
    command
      .option("--local", "use the local service, with its data in .esign/service.json")
      .option(
        "--quickstart",
        "ask nothing: make stack and passphrase where missing, and use the local service where no account is configured",
      )
      .addHelpText("after", texts[verb].help)
      .action((options: DeployOptions) => deploy(verb, options));
  }
}

async function isAnyValueAllowed(project: string, stack: string): Promise<boolean> {
  const settings = await import("../../../provider/session/settings.js");
  return settings.allowsUnknownValues(configurationInClear(project, stack));
}

async function deploy(verb: Verb, options: DeployOptions): Promise<void> {
  const choice = await selectEngine(options);
  note(errorColours.dim(choice.note));
  const folder = projectFolder();
  const automatic = options.local || options.quickstart;
  // The stack must be known before its configuration can say which account is meant.
  const stackName = automatic ? (options.stack ?? (await automaticStack(choice))) : options.stack;
  const passphrase = passphraseEnv(folder, stackName ?? "", automatic ?? false);
  const isLocal = automatic && usesLocalEmulator(options, folder, stackName ?? "");
  const local = isLocal
    ? await startLocalEmulator(folder, await isAnyValueAllowed(folder, stackName ?? ""))
    : undefined;
  try {
    const env = { ...passphrase, ...local?.env };
    if (local !== undefined)
      note(errorColours.dim(`Account: the local service, ${local.url}, data in .esign/service.json`));
    const yes = options.yes || (options.quickstart && (local !== undefined || !isInteractive()));
    const settled: DeployOptions = { ...options, ...(stackName && { stack: stackName }), ...(yes && { yes }) };
    if (choice.engine === "pulumi") await withPulumi(choice.path, verb, settled, env);
    else await deployBuiltIn(verb, settled, env);
    if (options.quickstart && verb === "up" && local !== undefined && !options.json) {
      note(
        errorColours.dim(
          "\nThis was the local service. For your own account set ESIGN_BASE_URL and ESIGN_API_KEY, or the configuration of the stack.",
        ),
      );
    }
  } finally {
    await local?.close();
  }
}

/** The stack of a run that asks nothing. */
async function automaticStack(choice: EngineChoice): Promise<string> {
  if (process.env.PULUMI_STACK) return process.env.PULUMI_STACK;
  const selected = openProject().then((project) => project.currentStack());
  // Which one the CLI has selected is not known here where it alone can run the project.
  return (await (choice.engine === "pulumi" ? selected.catch(() => undefined) : selected)) ?? "dev";
}

async function withPulumi(
  path: string,
  verb: Verb,
  options: DeployOptions,
  extra: Record<string, string>,
): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...process.env, ...extra };
  // Checking types is tsc's business; it would cost three seconds on each run.
  if (!options.typeCheck) env.PULUMI_NODEJS_TRANSPILE_ONLY ??= "true";
  let args = pulumiArgs(verb);
  // The CLI has this for refresh and destroy only; for an update it is another command.
  if (verb === "up" && options.previewOnly)
    args = ["preview", ...withoutArgs("--preview-only", "--yes", "-y", "--skip-preview", "-f")(args.slice(1))];
  const has = (...names: string[]) => args.some((arg) => names.includes(arg.split("=")[0] as string));
  if (options.stack !== undefined && (options.local || options.quickstart)) {
    await runPulumi(path, ["stack", "select", "--create", "--stack", options.stack], env);
    if (!has("--stack", "-s")) args.push("--stack", options.stack);
  }
  if (options.yes && args[0] !== "preview" && !has("--yes", "-y")) args.push("--yes");
  await runPulumi(path, args, env);
}
