/**
 * An operation with the Pulumi CLI. It prints its own table, of what happens to the state; the effects on the account come
 * after it, before the question.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kindNameOf } from "../../../account-folder/kinds/config-kind";
import { plainStackName } from "../../../engine/config/file-names";
import type { EngineEvent } from "../../../engine/index";
import { countVerbs, planLines } from "../../display/plan";
import { shownStep } from "../../display/steps";
import { isSlowedDown, requestsLine, summaryLine } from "../../display/summary";
import { Exit, type ExitCode, ExitError, UsageError } from "../../output/exit-codes";
import { canRepaint, colours, isInteractive, isVerbose, note, print } from "../../output/terminal";
import { capturePulumi, runPulumi, spawnPulumi } from "../../project/pulumi-cli";
import { openConfiguration, openProject, pulumiArgs, selectedStack, withoutArgs } from "../../project/session";
import { type DeploymentAccount, openAccount } from "./account";
import { confirmPlan } from "./confirm";
import { DeploymentEffects } from "./deployment-effects";
import type { DeployOptions, Verb } from "./options";
import { readPlan, writePlan } from "./plan-file";
import { resourcesOf, stepsOf } from "./pulumi-events";
import { noticeAfterUp, type PendingCreates, pendingCreatesIn, refusalOfDestroy } from "./pulumi-pending-creates";

export async function deployWithPulumi(
  path: string,
  verb: Verb,
  options: DeployOptions,
  extra: Record<string, string>,
): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...process.env, ...extra };
  // Checking types is tsc's business; it would cost three seconds on each run.
  if (!options.typeCheck) env.PULUMI_NODEJS_TRANSPILE_ONLY ??= "true";
  const args = pulumiArgs(verb).slice(1);
  if (options.stack !== undefined && (options.local || options.quickstart)) {
    await runPulumi(path, ["stack", "select", "--create", "--stack", options.stack], env);
    if (!args.some((arg) => /^(--stack|-s)(=|$)/.test(arg))) args.push("--stack", options.stack);
  }
  const isPreview = verb === "preview" || options.previewOnly === true;
  // A plan of the CLI's own is for its own run, what it prints for machines is a format of its own, and a refresh writes nothing.
  if (verb === "refresh" || options.json || options.plan !== undefined) {
    await runPulumi(path, isPreview ? previewArgs(verb, args) : runArgs(verb, args, options.yes), env);
    return;
  }
  if (!isPreview && !options.yes && !isInteractive())
    throw new UsageError("stdin is not a terminal: add --yes to apply without confirmation");
  const stack =
    options.stack ??
    (await selectedStack()) ??
    (await capturePulumi(path, ["stack", "--show-name"], env))?.trim() ??
    "";
  const account = await accountOf(stack, env);
  if (account.label !== undefined) note(`${stack} → ${account.label}`);
  const deployment = new PulumiDeployment(
    path,
    verb,
    args,
    env,
    new DeploymentEffects(options, env, account.configuration),
    options.savePlan,
    plainStackName(stack),
  );
  try {
    await deployment.verifyAccount(isPreview, !isPreview && options.skipPreview === true);
    if (verb === "destroy" && !isPreview) await deployment.rejectPendingCreates();
    if (isPreview || !options.skipPreview) await deployment.preview();
    if (isPreview) return;
    if (!options.yes && !options.skipPreview) await deployment.confirm(stack);
    await deployment.apply(options.skipPreview === true);
  } finally {
    deployment.close();
  }
}

const questionArgs = ["--yes", "-y", "--skip-preview", "-f", "--preview-only"];

/** `up` has a command of its own for its preview. */
function previewArgs(verb: Verb, args: string[]): string[] {
  const rest = withoutArgs(...questionArgs)(args);
  if (verb === "up" || verb === "preview") return ["preview", ...withoutArgs("--continue-on-error")(rest)];
  return [verb, "--preview-only", ...rest];
}

const runArgs = (verb: Verb, args: string[], yes = false): string[] => [
  verb,
  ...args,
  ...(yes && !args.some((arg) => arg === "--yes" || arg === "-y") ? ["--yes"] : []),
];

/** The account, as far as the configuration beside the program says it. */
async function accountOf(stack: string, env: NodeJS.ProcessEnv): Promise<DeploymentAccount> {
  try {
    const { configuration } = await openConfiguration(stack);
    return await openAccount(configuration.config, env);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // The CLI has other ways to encrypt, and to keep, a configuration.
    return { label: undefined, configuration: { get: () => undefined } };
  }
}

type StepEvent = Extract<EngineEvent, { type: "step" }>;

class PulumiDeployment {
  private readonly folder = mkdtempSync(join(tmpdir(), "esign-events-"));

  constructor(
    private readonly path: string,
    private readonly verb: Verb,
    private readonly args: string[],
    private readonly env: NodeJS.ProcessEnv,
    private readonly effects: DeploymentEffects,
    private readonly savePlan: string | undefined,
    private readonly stack: string,
  ) {}

  async preview(): Promise<void> {
    const { code, steps } = await this.spawn(previewArgs(this.verb, this.args), true);
    const { tracker } = this.effects;
    tracker.begin();
    const needsState = steps.some(({ step: { op } }) => op !== "same" && op !== "create");
    const state = needsState ? await this.readState() : { open: [], closed: [] };
    this.effects.useState(state.closed);
    for (const event of steps) tracker.annotate(event);
    await this.effects.expectDeletions(async () => state.open);
    this.show(steps, true, true);
    if (code !== 0) throw new ExitError(code as ExitCode);
    this.effects.exitUnlessAllowed(true);
    if (this.savePlan !== undefined) await writePlan(this.savePlan, await readPlan(this.savePlan), tracker.effects);
  }

  async confirm(stack: string): Promise<void> {
    const { deletions } = this.effects.tracker;
    await confirmPlan({ verb: this.verb as Exclude<Verb, "preview">, stack: stack.split("/").at(-1) ?? "", deletions });
  }

  /** @param isFirst nothing was shown yet */
  async apply(isFirst: boolean): Promise<void> {
    const { tracker } = this.effects;
    tracker.begin();
    const args = runArgs(this.verb, [...withoutArgs(...questionArgs)(this.args), "--skip-preview"], true);
    const { code, steps } = await this.spawn(args, false);
    this.show(steps, false, isFirst);
    const project = await openProject().catch(() => undefined);
    if (project !== undefined) this.effects.logUrns(project.programDirectory, this.stack);
    if (code !== 0) throw new ExitError(code as ExitCode);
    const notice = this.verb === "up" ? noticeAfterUp(await this.pendingCreates()) : undefined;
    if (notice !== undefined) note(notice);
    this.effects.exitUnlessAllowed(false);
  }

  verifyAccount(isPreview: boolean, isUnplanned: boolean): Promise<void> {
    return this.effects.verifyAccount(this.verb, async () => (await this.readState()).open, isPreview, isUnplanned);
  }

  /** A `destroy` would leave in the account what an interrupted run has created. */
  async rejectPendingCreates(): Promise<void> {
    const refusal = refusalOfDestroy(await this.pendingCreates());
    if (refusal === undefined) return;
    note(refusal);
    throw new ExitError(Exit.failed);
  }

  private async pendingCreates(): Promise<PendingCreates> {
    const exported = await capturePulumi(this.path, ["stack", "export", ...this.stackArgs], this.env);
    return exported === undefined ? { repeated: [], open: [] } : pendingCreatesIn(exported);
  }

  close(): void {
    this.effects.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs the CLI; resolves to its exit code, and to what its log has of an account's resources. */
  private async spawn(args: string[], preview: boolean): Promise<{ code: number; steps: StepEvent[] }> {
    const log = join(this.folder, preview ? "preview.jsonl" : "run.jsonl");
    // The CLI has the option only with its commands for debugging.
    const env = { ...this.env, ...this.effects.environment(preview), PULUMI_DEBUG_COMMANDS: "true" };
    const code = await spawnPulumi(this.path, [...args, "--event-log", log], env);
    const steps = existsSync(log) ? stepsOf(readFileSync(log, "utf8"), preview) : [];
    return { code, steps: steps.filter(({ step }) => kindNameOf(step.type) !== undefined) };
  }

  private get stackArgs(): string[] {
    return this.args.flatMap((arg, i) => {
      if (arg === "--stack" || arg === "-s") return ["--stack", this.args[i + 1] ?? ""];
      return arg.startsWith("--stack=") ? [arg] : [];
    });
  }

  private async readState(): Promise<ReturnType<typeof resourcesOf>> {
    const args = ["stack", "export", "--show-secrets", ...this.stackArgs];
    const exported = await capturePulumi(this.path, args, this.env);
    return exported === undefined ? { open: [], closed: [] } : resourcesOf(exported);
  }

  /** Prints the effects: those of a plan, or of what was done. */
  private show(events: readonly StepEvent[], preview: boolean, withRows: boolean): void {
    if (events.length === 0) return;
    const { tracker } = this.effects;
    const annotated = events.map((event) => tracker.annotate(event) as StepEvent);
    const steps = annotated.filter(({ status }) => status !== "failed").map(({ step }) => shownStep(step));
    const columns = canRepaint() ? process.stdout.columns : undefined;
    const rows = withRows ? planLines(steps, colours, { inputs: false, brief: true, limit: 24 }, columns) : [];
    print(`\n${colours.bold("Effects on the account:")}`);
    for (const row of rows) print(row);
    if (rows.length > 0) print();
    if (preview && tracker.isRefused) print(colours.red("What is blocked or in conflict would be refused."));
    const failed = annotated.length - steps.length;
    print(summaryLine({ shown: countVerbs(steps), failed, preview }, tracker.summary, colours));
    const requests = tracker.requestCounts;
    if (isSlowedDown(requests) || isVerbose()) print(colours.dim(requestsLine(requests)));
  }
}
