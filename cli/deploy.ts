/** `esign up`, `preview`, `refresh`, `destroy`, `cancel`: the operations on a stack. */
import { type Command, InvalidArgumentError } from "commander";
import type { EngineEvent, Operation, Project, RunOptions, RunResult, Stack } from "../engine/index";
import { plainStackName } from "../engine/project-file";
import type { EngineChoice } from "./engine-choice";
import { Ended, Exit, UsageError } from "./exit";
import { passphraseEnv, startLocalService, wantsLocalService } from "./local";
import { doomed, lossesInWords } from "./losses";
import { configurationInClear, projectFolder } from "./project";
import { runPulumi } from "./pulumi";
import {
  delegated,
  engineFor,
  namedOnce,
  onStack,
  openProject,
  openStack,
  pulumiArgs,
  type SessionOptions,
  sure,
  without,
} from "./session";
import { ask, canAsk, canRepaint, colours, errorColours, goesOn, note, write } from "./terminal";

type Verb = "up" | "preview" | "refresh" | "destroy";

interface DeployOptions extends SessionOptions {
  yes?: boolean;
  skipPreview?: boolean;
  previewOnly?: boolean;
  diff?: boolean;
  json?: boolean;
  refresh?: boolean;
  runProgram?: boolean;
  clearPendingCreates?: boolean;
  expectNoChanges?: boolean;
  continueOnError?: boolean;
  parallel?: number;
  target?: string[];
  targetDependents?: boolean;
  exclude?: string[];
  excludeDependents?: boolean;
  replace?: string[];
  targetReplace?: string[];
  excludeProtected?: boolean;
  message?: string;
  typeCheck?: boolean;
  showSames?: boolean;
  showSecrets?: boolean;
  local?: boolean;
  quickstart?: boolean;
}

const operations: Record<Verb, Operation> = {
  up: "update",
  preview: "preview",
  refresh: "refresh",
  destroy: "destroy",
};

const texts: Record<Verb, { summary: string; question: string; help: string }> = {
  up: {
    summary: "Show what would change, ask, then bring the account to what the program says.",
    question: "Carry this out?",
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
    question: "",
    help: `
Examples:
  $ esign preview --diff                    long texts whole, and all inputs of what is new
  $ esign preview --expect-no-changes       exit code 7 when there are changes: for CI`,
  },
  refresh: {
    summary: "Compare the state with the account, and take over into the state what is different in the account.",
    question: "Take these differences over into the state?",
    help: `
What somebody changed by hand becomes visible; the next \`up\` puts it back.

Examples:
  $ esign refresh
  $ esign refresh --run-program             with today's configuration, after a key was rotated`,
  },
  destroy: {
    summary: "Take back what the stack deployed: delete objects, restore the texts that were there before.",
    question: "Take all of this back?",
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
    const command = onStack(program.command(verb).description(texts[verb].summary));
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

  onStack(program.command("cancel").description("Remove the lock that a killed run left on a stack."))
    .argument("[stack]", "the stack; default: the selected one")
    .option("-y, --yes", "do it without asking")
    .action(cancel);
}

async function isAnyValueAllowed(project: string, stack: string): Promise<boolean> {
  const settings = await import("../provider/settings.js");
  return settings.isAnyValueAllowed(configurationInClear(project, stack));
}

async function deploy(verb: Verb, options: DeployOptions): Promise<void> {
  const choice = await engineFor(options);
  note(errorColours.dim(choice.note));
  const folder = projectFolder();
  const automatic = options.local || options.quickstart;
  // The stack must be known before its configuration can say which account is meant.
  const stackName = automatic ? (options.stack ?? (await automaticStack(choice))) : options.stack;
  const passphrase = passphraseEnv(folder, stackName ?? "", automatic ?? false);
  const isLocal = automatic && wantsLocalService(options, folder, stackName ?? "");
  const local = isLocal ? await startLocalService(folder, await isAnyValueAllowed(folder, stackName ?? "")) : undefined;
  try {
    const env = { ...passphrase, ...local?.env };
    if (local !== undefined)
      note(errorColours.dim(`Account: the local service, ${local.url}, data in .esign/service.json`));
    const yes = options.yes || (options.quickstart && (local !== undefined || !canAsk()));
    const settled: DeployOptions = { ...options, ...(stackName && { stack: stackName }), ...(yes && { yes }) };
    if (choice.engine === "pulumi") await withPulumi(choice.path, verb, settled, env);
    else await withOurs(verb, settled, env);
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
    args = ["preview", ...without("--preview-only", "--yes", "-y", "--skip-preview", "-f")(args.slice(1))];
  const has = (...names: string[]) => args.some((arg) => names.includes(arg.split("=")[0] as string));
  if (options.stack !== undefined && (options.local || options.quickstart)) {
    await runPulumi(path, ["stack", "select", "--create", "--stack", options.stack], env);
    if (!has("--stack", "-s")) args.push("--stack", options.stack);
  }
  if (options.yes && args[0] !== "preview" && !has("--yes", "-y")) args.push("--yes");
  await runPulumi(path, args, env);
}

async function withOurs(verb: Verb, options: DeployOptions, env: Record<string, string>): Promise<void> {
  if (verb !== "preview" && !options.yes && !options.previewOnly && !canAsk()) {
    throw new UsageError(
      `nobody is here to answer: add --yes to \`esign ${verb}\`, or look first with \`esign preview\``,
    );
  }
  const project = await openProject(env);
  const stack = await theStack(project, options);
  const { createDisplay, jsonDisplay, hasChanges } = await import("../engine/display.js");
  const display = options.json
    ? jsonDisplay((text) => void write(text))
    : createDisplay({
        // It moves the cursor itself, and lets no other text do so.
        write: (text) => void process.stdout.write(text),
        colours,
        live: canRepaint(),
        columns: () => process.stdout.columns || 80,
        diff: options.diff ?? false,
        showSames: options.showSames ?? false,
        verbose: Boolean(process.env.ESIGN_DEBUG),
      });
  let isChanging = false;
  const interrupt = onInterrupt(() => {
    // A terminal whose cursor is hidden while lines move gets it back.
    display.close();
    const lost = "Ended at once. What was in flight may have been carried out: the next run says what it was.";
    note(errorColours.red(isChanging ? lost : "Ended at once; nothing was changed."));
  });
  try {
    const run = async (preview: boolean): Promise<RunResult> => {
      isChanging = !preview;
      const planned: EngineEvent[] = [];
      let end: EngineEvent | undefined;
      const result = await stack.run(operations[verb], {
        ...runOptions(options),
        preview,
        env,
        signal: interrupt.signal,
        onEvent: (event) => {
          if (preview && event.type === "step") planned.push(event);
          // What the plan would lose comes before its summary.
          if (preview && event.type === "end") end = event;
          else display.event(event);
        },
      });
      if (result.ok) for (const loss of await losses(planned, stack, env)) display.event(loss);
      if (end !== undefined) display.event(end);
      return result;
    };
    const settle = (result: RunResult) => {
      if (result.cancelled) throw new Ended(Exit.cancelled);
      if (options.expectNoChanges && hasChanges(result.changes)) throw new Ended(Exit.changes);
      if (!result.ok) throw new Ended(Exit.failed);
    };
    if (verb === "preview" || options.previewOnly || !options.skipPreview) settle(await run(true));
    if (verb === "preview" || options.previewOnly) return;
    if (!options.yes) await question(texts[verb].question, interrupt.signal, () => display.details());
    settle(await run(false));
  } finally {
    display.close();
    interrupt.off();
  }
}

/** Warnings of what a plan would lose. */
async function losses(plan: readonly EngineEvent[], stack: Stack, env: Record<string, string>): Promise<EngineEvent[]> {
  const companies = doomed(plan);
  if (companies.length === 0) return [];
  const words = await lossesInWords(companies, stack, { ...process.env, ...env });
  return words.map((message) => ({ type: "diagnostic", severity: "warning", source: "engine", message }));
}

/** Asks whether to go on; `d` shows everything about the plan first. */
async function question(words: string, signal: AbortSignal, details: () => void): Promise<void> {
  for (;;) {
    const answer = (await ask(`${errorColours.bold(words)} (y/N, d for all details) `, { signal })).toLowerCase();
    if (answer === "y" || answer === "yes") return;
    if (answer !== "d") {
      note("Nothing was changed.");
      throw new Ended(Exit.cancelled);
    }
    details();
  }
}

function runOptions(options: DeployOptions): RunOptions {
  // Of the bookkeeping, the fingerprint of the key that an object was made with: to compare it is what it is printed for.
  const given: RunOptions = { disclosed: ["__esign.key"] };
  if (options.parallel !== undefined) given.parallel = options.parallel;
  if (options.refresh !== undefined) given.refresh = options.refresh;
  if (options.runProgram !== undefined) given.runProgram = options.runProgram;
  if (options.clearPendingCreates !== undefined) given.clearPendingCreates = options.clearPendingCreates;
  if (options.expectNoChanges !== undefined) given.expectNoChanges = options.expectNoChanges;
  if (options.continueOnError !== undefined) given.continueOnError = options.continueOnError;
  const { target, replace, targetReplace = [] } = options;
  if (target !== undefined || targetReplace.length > 0) given.targets = [...(target ?? []), ...targetReplace];
  if (options.targetDependents !== undefined) given.targetDependents = options.targetDependents;
  if (options.exclude !== undefined) given.excludes = options.exclude;
  if (options.excludeDependents !== undefined) given.excludeDependents = options.excludeDependents;
  if (options.excludeProtected !== undefined) given.excludeProtected = options.excludeProtected;
  if (replace !== undefined || targetReplace.length > 0) given.replaces = [...(replace ?? []), ...targetReplace];
  if (options.message !== undefined) given.message = options.message;
  if (options.typeCheck !== undefined) given.typeCheck = options.typeCheck;
  if (options.showSecrets !== undefined) given.showSecrets = options.showSecrets;
  return given;
}

/** The stack to run on. Where nothing may be asked, or somebody can be asked, a missing one is made. */
async function theStack(project: Project, options: DeployOptions): Promise<Stack> {
  const stacks = await project.listStacks();
  const automatic = options.local || options.quickstart;
  const named = options.stack;
  if (automatic && named !== undefined && !stacks.some((stack) => stack.name === plainStackName(named))) {
    note(errorColours.dim(`Stack ${named} is new.`));
    return project.initStack(named);
  }
  if (stacks.length === 0 && named === undefined && canAsk()) {
    const name = (await ask(`Project ${project.name} has no stack yet. Name of the first (dev): `)) || "dev";
    return project.initStack(name);
  }
  return openStack(project, options);
}

/** The first Ctrl-C ends in order, the second at once, after `atOnce`. A terminal that is closed asks for order, however often. */
function onInterrupt(atOnce: () => void): { signal: AbortSignal; off: () => void } {
  const controller = new AbortController();
  const handle = () => {
    if (!controller.signal.aborted) return controller.abort();
    atOnce();
    process.exit(Exit.cancelled);
  };
  const inOrder = () => controller.abort();
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
  process.on("SIGHUP", inOrder);
  goesOn(true);
  return {
    signal: controller.signal,
    off: () => {
      process.off("SIGINT", handle);
      process.off("SIGTERM", handle);
      process.off("SIGHUP", inOrder);
      goesOn(false);
    },
  };
}

async function cancel(name: string | undefined, options: SessionOptions & { yes?: boolean }): Promise<void> {
  if (await delegated("cancel", options)) return;
  const stack = await openStack(await openProject(), { stack: namedOnce(name, options) });
  const locks = await stack.locks();
  if (locks.length === 0) {
    note(`Stack ${stack.name} is not locked.`);
    return;
  }
  for (const lock of locks) {
    const state = lock.stale ? "has ended" : "may still be running";
    note(
      `Locked by process ${lock.pid} of ${lock.username} on ${lock.hostname} since ${lock.timestamp}, which ${state}.`,
    );
  }
  if (locks.some((lock) => !lock.stale)) {
    await sure("A run that goes on without its lock can damage the state. Remove the lock?", options.yes);
  }
  const count = await stack.cancel();
  note(`${count === 1 ? "The lock was" : `${count} locks were`} removed.`);
}
