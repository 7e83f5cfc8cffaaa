/** An operation on the embedded engine: preview, question, run, with a display and an end in order on Ctrl-C. */

import { plainStackName } from "../../../engine/config/file-names";
import type { EngineEvent, Operation, Project, RunResult, Stack } from "../../../engine/index";
import { Exit, ExitError, UsageError } from "../../output/exit-codes";
import {
  ask,
  canRepaint,
  colours,
  errorColours,
  isInteractive,
  note,
  setMustFinish,
  write,
} from "../../output/terminal";
import { openProject, openStack } from "../../project/session";
import { deletedCompanies, describeLosses } from "./deletion-warnings";
import { type DeployOptions, runOptions, type Verb } from "./options";

const operations: Record<Verb, Operation> = {
  up: "update",
  preview: "preview",
  refresh: "refresh",
  destroy: "destroy",
};

const questions: Record<Exclude<Verb, "preview">, string> = {
  up: "Carry this out?",
  refresh: "Take these differences over into the state?",
  destroy: "Take all of this back?",
};

export async function deployBuiltIn(verb: Verb, options: DeployOptions, env: Record<string, string>): Promise<void> {
  if (verb !== "preview" && !options.yes && !options.previewOnly && !isInteractive()) {
    throw new UsageError(
      `nobody is here to answer: add --yes to \`esign ${verb}\`, or look first with \`esign preview\``,
    );
  }
  const project = await openProject(env);
  const stack = await openOrCreateStack(project, options);
  const { createDisplay, jsonDisplay, hasChanges } = await import("../../display/display.js");
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
      if (result.cancelled) throw new ExitError(Exit.cancelled);
      if (options.expectNoChanges && hasChanges(result.changes)) throw new ExitError(Exit.changes);
      if (!result.ok) throw new ExitError(Exit.failed);
    };
    if (verb === "preview" || options.previewOnly || !options.skipPreview) settle(await run(true));
    if (verb === "preview" || options.previewOnly) return;
    if (!options.yes) await confirmPlan(questions[verb], interrupt.signal, () => display.details());
    settle(await run(false));
  } finally {
    display.close();
    interrupt.off();
  }
}

/** Warnings of what a plan would lose. */
async function losses(plan: readonly EngineEvent[], stack: Stack, env: Record<string, string>): Promise<EngineEvent[]> {
  const companies = deletedCompanies(plan);
  if (companies.length === 0) return [];
  const words = await describeLosses(companies, stack, { ...process.env, ...env });
  return words.map((message) => ({ type: "diagnostic", severity: "warning", source: "engine", message }));
}

/** Asks whether to go on; `d` shows everything about the plan first. */
async function confirmPlan(words: string, signal: AbortSignal, details: () => void): Promise<void> {
  for (;;) {
    const answer = (await ask(`${errorColours.bold(words)} (y/N, d for all details) `, { signal })).toLowerCase();
    if (answer === "y" || answer === "yes") return;
    if (answer !== "d") {
      note("Nothing was changed.");
      throw new ExitError(Exit.cancelled);
    }
    details();
  }
}

/** The stack to run on. Where nothing may be asked, or somebody can be asked, a missing one is made. */
async function openOrCreateStack(project: Project, options: DeployOptions): Promise<Stack> {
  const stacks = await project.listStacks();
  const automatic = options.local || options.quickstart;
  const named = options.stack;
  if (automatic && named !== undefined && !stacks.some((stack) => stack.name === plainStackName(named))) {
    note(errorColours.dim(`Stack ${named} is new.`));
    return project.initStack(named);
  }
  if (stacks.length === 0 && named === undefined && isInteractive()) {
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
  setMustFinish(true);
  return {
    signal: controller.signal,
    off: () => {
      process.off("SIGINT", handle);
      process.off("SIGTERM", handle);
      process.off("SIGHUP", inOrder);
      setMustFinish(false);
    },
  };
}
