/** `esign up`, `preview`, `refresh`, `destroy`: the operations on a stack. */
import { type Command, Option } from "commander";
import { deployOrExit } from "../../deploy/deploy-or-exit";
import { openBuiltIn, openPulumi } from "../../deploy/open-stack";
import { type DeployOptions, type DeployVerb, isPreviewOnly } from "../../deploy/run-options";
import type { EngineChoice } from "../../engine/choose-engine";
import { UsageError } from "../../output/errors";
import { errorColours, isInteractive, note } from "../../output/terminal";
import { startLocalEmulator, usesLocalEmulator } from "../../project/local-emulator";
import { localPassphraseEnv, makeLocalPassphraseEnv, rejectLocalPassphrase } from "../../project/local-passphrase";
import { engineOption, openProject, selectEngine, selectedStack } from "../../project/open-project";
import { configurationInClear, projectFolder } from "../../project/project-files";
import { recordBackendForPulumi } from "../../project/record-backend";
import { addOperationOptions } from "./operation-options";

const texts: Record<DeployVerb, { summary: string; help: string }> = {
  up: {
    summary: "Preview the changes, ask, then apply them.",
    help: `
Examples:
  $ esign up                    preview, ask, apply
  $ esign up --yes              do not ask: for CI
  $ esign up --local            with the local emulator
  $ esign up --refresh          read the account first
  $ esign up --target '**::email-send'`,
  },
  preview: {
    summary: "Show what `up` would change, and change nothing.",
    help: `
Examples:
  $ esign preview --diff                 all changes in full
  $ esign preview --save-plan plan.json  then: esign up --plan plan.json
  $ esign preview --expect-no-changes    exit code 7 if there are changes
  $ esign preview --expect-no-writes     exit code 7 if it has account writes`,
  },
  refresh: {
    summary: "Update the state to match the account. The next `up` reverts what was changed outside Pulumi.",
    help: `
Examples:
  $ esign refresh
  $ esign refresh --run-program         with the current configuration`,
  },
  destroy: {
    summary: "Delete or restore everything the stack manages.",
    help: `
Examples:
  $ esign destroy
  $ esign destroy --target '**::signed'`,
  },
};

export function addDeploy(program: Command): void {
  for (const verb of ["up", "preview", "refresh", "destroy"] as const) {
    const command = program.command(verb).description(texts[verb].summary);
    addOperationOptions(command, verb);
    addOwnOptions(command, verb);
    command.addHelpText("after", texts[verb].help).action((options: DeployOptions) => deploy(verb, options));
  }
}

function addOwnOptions(command: Command, verb: DeployVerb): void {
  command.optionsGroup("Common:");
  if (verb !== "refresh") {
    command
      .option("--expect-no-writes", "exit with 7 if the account would be written to, before it is")
      .option("--offline", "preview without reading the account");
  }
  command
    .option("--local", "use the local emulator (data in .esign/service.json)")
    .addOption(
      new Option(
        "--quickstart",
        "never ask; use the emulator where no account is configured (for the demo)",
      ).hideHelp(),
    );
  engineOption(command.optionsGroup("Engine:"));
  if (verb === "up" || verb === "preview")
    command.option("--type-check", "type-check the program first (slow; prefer `tsc --noEmit`)");
}

/** Without a plan that reads the account, the writes would be counted when they are done. */
function rejectUnreadPlan({ expectNoWrites, offline, skipPreview }: DeployOptions): void {
  if (expectNoWrites && (offline || skipPreview))
    throw new UsageError("--expect-no-writes needs a preview that reads the account");
}

/** Each configuration belongs to the pack at its place. */
function rejectUnpairedConfigs({ policyPack = [], policyPackConfig = [] }: DeployOptions): void {
  if (policyPackConfig.length > 0 && policyPackConfig.length !== policyPack.length)
    throw new UsageError(
      "--policy-pack-config must be given once for each --policy-pack, in the same order, or not at all",
    );
}

export async function deploy(verb: DeployVerb, options: DeployOptions): Promise<void> {
  const choice = selectEngine(options);
  if (choice.engine === "pulumi" && options.rollback !== undefined)
    throw new UsageError(
      "the Pulumi CLI has no rollback: restore the program with your version control (`git revert`) and run `esign up`, or add --engine embedded where the state is in files",
    );
  rejectUnreadPlan(options);
  rejectUnpairedConfigs(options);
  if (choice.engine === "pulumi") note(errorColours.dim(choice.note));
  const folder = projectFolder();
  if (choice.engine === "pulumi") await recordBackendForPulumi(folder);
  const automatic = options.local || options.quickstart;
  // The stack must be known before its configuration can say which account is meant.
  const stackName = automatic ? (options.stack ?? (await defaultStack(choice))) : options.stack;
  const isLocal = automatic && usesLocalEmulator(options, folder, stackName ?? "");
  const local = isLocal ? await startLocalEmulator(folder, configurationInClear(folder, stackName ?? "")) : undefined;
  try {
    const passphrase = isLocal
      ? await makeLocalPassphraseEnv(folder, stackName ?? "")
      : await passphraseForAccount(choice, folder, stackName);
    const env = { ...passphrase, ...local?.env };
    const yes = options.yes || (options.quickstart && (local !== undefined || !isInteractive()));
    const settled: DeployOptions = { ...options, ...(stackName && { stack: stackName }), ...(yes && { yes }) };
    const writes = !isPreviewOnly(verb, settled);
    const open = () =>
      choice.engine === "pulumi" ? openPulumi(choice, settled, env) : openBuiltIn(settled, env, writes);
    await deployOrExit(open, { verb, options: settled, env });
    if (verb === "up" && local !== undefined && !options.json) note(errorColours.dim(afterEmulator(options)));
  } finally {
    await local?.close();
  }
}

/** The state belongs to the emulator's account from now on. */
const afterEmulator = ({ quickstart }: DeployOptions): string =>
  "\nThis was the local emulator. An account needs a stack of its own:\n" +
  (quickstart
    ? "set ESIGN_BASE_URL, ESIGN_API_KEY and PULUMI_CONFIG_PASSPHRASE, then `npm run up -- --stack production`."
    : "`esign stack init production`, then `esign config set` esign:baseUrl and esign:apiKey.");

/** Of a run that is not on the emulator; the built-in engine asks for its passphrase itself. */
async function passphraseForAccount({ engine }: EngineChoice, folder: string, stackName: string | undefined) {
  const stack = engine === "pulumi" ? (stackName ?? (await selectedStack())) : undefined;
  if (stack === undefined) return {};
  await rejectLocalPassphrase(folder, stack);
  return localPassphraseEnv(folder, stack);
}

/** The stack of a run that asks nothing. */
async function defaultStack(choice: EngineChoice): Promise<string> {
  if (process.env.PULUMI_STACK) return process.env.PULUMI_STACK;
  const selected = openProject().then((project) => project.currentStack());
  // Which one the CLI has selected is unknown where it alone can run the project.
  return (await (choice.engine === "pulumi" ? selected.catch(() => undefined) : selected)) ?? "dev";
}
