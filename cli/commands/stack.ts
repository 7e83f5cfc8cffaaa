/** `esign stack …`: stacks, their outputs, their state as a whole and their history. */
import { readFileSync } from "node:fs";
import { text as textOf } from "node:stream/consumers";
import type { Command } from "commander";
import type { Stack } from "../../engine/index";
import { writeDurably } from "../../fs/atomic-write";
import { UsageError } from "../output/exit-codes";
import { literal, record, table } from "../output/table";
import { colours, errorColours, isInteractive, note, print, printValue, write } from "../output/terminal";
import {
  chooseStack,
  confirmOrExit,
  onlyStackName,
  openProject,
  openStack,
  runWithPulumi,
  type SessionOptions,
  withoutArgs,
  withStackOptions,
} from "../project/session";
import { addUnprotect } from "./state";

interface StackOptions extends SessionOptions {
  json?: boolean;
  yes?: boolean;
  showSecrets?: boolean;
  force?: boolean;
  file?: string;
  preserveConfig?: boolean;
  create?: boolean;
}

const examples = `
Examples:
  $ esign stack init staging
  $ esign stack output --json
  $ esign stack output webhookIds
  $ esign stack export --file state.json`;

export function addStack(program: Command): void {
  const stack = program
    .command("stack")
    .description("Stacks: one deployment of a project each, such as staging and production.")
    .addHelpText("after", examples);
  const sub = (usage: string, summary: string) => withStackOptions(stack.command(usage).description(summary));
  const json = (command: Command) => command.option("-j, --json", "as JSON");
  const showSecrets = (command: Command) => command.option("--show-secrets", "show the values of secrets");
  const yes = (command: Command) => command.option("-y, --yes", "do it without asking");

  sub("init [name]", "Make a stack, and select it.").action(init);
  json(sub("ls", "List the stacks of the project.")).action(list);
  sub("select [name]", "Select the stack that is meant when none is named.")
    .option("-c, --create", "make it when there is none")
    .action(select);
  sub("rename <name>", "Give a stack another name, and select it.").action(rename);
  showSecrets(json(sub("output [name]", "Show the outputs of a stack, or one of them."))).action(output);
  showSecrets(json(sub("resources", "List the resources of a stack.")))
    .alias("show")
    .action(resources);
  showSecrets(sub("export", "Write the state of a stack as JSON."))
    .option("--file <path>", "to this file instead of the terminal")
    .action(exportState);
  yes(sub("import", "Replace the state of a stack by what `export` wrote."))
    .option("--file <path>", "from this file instead of the standard input")
    .option("-f, --force", "also a state of another stack, or one with errors")
    .action(importState);
  showSecrets(json(sub("history", "List what was done to a stack, newest first."))).action(history);
  yes(sub("rm [name]", "Remove a stack, its history and its configuration."))
    .option("-f, --force", "also when it still has resources; they stay in the account")
    .option("--preserve-config", "keep the configuration file")
    .action(remove);
  addUnprotect(stack);
}

async function init(name: string | undefined, options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const wanted = onlyStackName(name, options);
  if (wanted === undefined) throw new UsageError("name the new stack: esign stack init dev");
  const project = await openProject();
  await project.initStack(wanted);
  const selected = await project.selectStack(wanted).then(() => " and selected", notSelected);
  note(`Stack ${wanted} of project ${project.name} is made${selected}. Its state is in ${project.backend.folder}`);
}

/** A stack that is made is made: a home that nobody may write to is worth a warning. */
function notSelected(error: Error & { code?: string }): string {
  if (error.code !== "not-selected") throw error;
  note(errorColours.yellow(`warning: ${error.message}`));
  return "";
}

async function list(options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const project = await openProject();
  const stacks = await project.listStacks();
  if (options.json) {
    // The shape of `pulumi stack ls --json`.
    const rows = stacks.map((s) => ({
      name: s.name,
      current: s.current,
      lastUpdate: s.lastUpdate,
      resourceCount: s.resourceCount,
    }));
    print(JSON.stringify(rows, undefined, 2));
  } else if (stacks.length === 0)
    note(`Project ${project.name} has no stack in ${project.backend.folder}. Make one: esign stack init dev`);
  else {
    const rows = stacks.map((s) => [
      s.name + (s.current ? "*" : ""),
      s.lastUpdate ?? "unknown",
      String(s.resourceCount ?? "unknown"),
    ]);
    print(table(["NAME", "LAST UPDATE", "RESOURCES"], rows));
  }
}

async function select(given: string | undefined, options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const project = await openProject();
  const name = onlyStackName(given, options) ?? (await chooseStack(project));
  if (options.create && !(await project.listStacks()).some((stack) => stack.name === name))
    await project.initStack(name);
  await project.selectStack(name);
  note(`Stack ${name} is selected.`);
}

async function rename(name: string, options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const project = await openProject();
  const { name: from } = await openStack(project, options);
  const selected = await project.renameStack(from, name).then(() => ", and selected", notSelected);
  note(`Stack ${from} is now ${name}${selected}.`);
}

const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

async function output(name: string | undefined, options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const stack = await openStack(await openProject(), options);
  const outputs = await stack.outputs({ showSecrets: options.showSecrets ?? false });
  if (name !== undefined) {
    if (!Object.hasOwn(outputs, name)) {
      const known = Object.keys(outputs);
      throw new UsageError(
        `stack ${stack.name} has no output ${name}; ${known.length > 0 ? `it has ${known.join(", ")}` : "it has none at all"}`,
      );
    }
    if (options.json) print(JSON.stringify(outputs[name]));
    else printValue(text(outputs[name]));
  } else if (options.json) print(JSON.stringify(outputs, undefined, 2));
  else if (Object.keys(outputs).length === 0) note(`Stack ${stack.name} has no outputs.`);
  else
    print(
      table(
        ["OUTPUT", "VALUE"],
        Object.entries(outputs).map(([key, value]) => [key, literal(value)]),
        { whole: true },
      ),
    );
}

async function resources(options: StackOptions): Promise<void> {
  // The CLI shows them as a tree, and as JSON only with all the rest of the state.
  const asTheCliDoes = (args: string[]) => {
    const [stack = "", ...rest] = withoutArgs("resources", "show", "--json", "-j")(args);
    return options.json ? [stack, "export", ...rest] : [stack, "--show-urns", ...rest];
  };
  if (await runWithPulumi("stack", options, asTheCliDoes)) return;
  const stack = await openStack(await openProject(), options);
  const all = await stack.resources({ showSecrets: options.showSecrets ?? false });
  if (options.json) print(JSON.stringify(all, undefined, 2));
  else if (all.length === 0) note(`Stack ${stack.name} has no resources.`);
  else {
    const rows = all.map((r) => [
      r.type.replace(/^pulumi-nodejs:dynamic\//, ""),
      r.name,
      r.id ?? "",
      [r.protect && "protected", r.delete && "to be deleted"].filter(Boolean).join(", "),
    ]);
    print(table(["TYPE", "NAME", "ID", ""], rows));
  }
}

async function exportState(options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const stack = await openStack(await openProject(), options);
  const json = `${JSON.stringify(await stack.export({ showSecrets: options.showSecrets ?? false }), undefined, 4)}\n`;
  if (options.file === undefined) {
    write(json);
    return;
  }
  // With --show-secrets it holds them in clear: for the owner's eyes only.
  await writeDurably(options.file, json, { mode: 0o600 });
  note(`The state of stack ${stack.name} is in ${options.file}.`);
}

async function importState(options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options, withoutArgs("--yes", "-y"))) return;
  const place = options.file ?? "the standard input";
  let deployment: unknown;
  try {
    deployment = JSON.parse(
      options.file === undefined ? await textOf(process.stdin) : readFileSync(options.file, "utf8"),
    );
  } catch (error) {
    throw new UsageError(`${place} holds no state: ${(error as Error).message}`);
  }
  const stack = await openStack(await openProject(), options);
  await stack.import(deployment, {
    confirm: async () => {
      // Without somebody to ask it goes on, as the CLI always does: the state before it is in the backups.
      if (isInteractive() && options.file !== undefined)
        await confirmOrExit(`Replace the state of stack ${stack.name} by that of ${place}?`, options.yes);
    },
    force: options.force ?? false,
  });
  note(`The state of stack ${stack.name} was replaced; a copy of the old one is in its backups.`);
}

async function history(options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const stack = await openStack(await openProject(), options);
  const entries = await stack.history();
  if (options.json) print(JSON.stringify(entries, undefined, 2));
  else if (entries.length === 0) note(`Nothing was done to stack ${stack.name} yet.`);
  else {
    const counts = (changes: Record<string, number>) =>
      Object.entries(changes)
        .filter(([, count]) => count > 0)
        .map(([op, count]) => `${count} ${op === "same" ? "unchanged" : op}`)
        .join(", ");
    for (const entry of entries) {
      const good = entry.result === "succeeded" ? colours.green : colours.red;
      const heading = `${colours.bold(`${entry.kind} ${entry.version || ""}`.trim())}  ${good(entry.result)}`;
      const facts: [string, string][] = [
        ["  began", entry.startTime],
        ["  ended", entry.endTime],
      ];
      if (entry.message !== "") facts.push(["  message", entry.message]);
      facts.push(["  resources", counts(entry.resourceChanges)]);
      print(`${heading}\n${record(facts)}\n`);
    }
  }
}

async function remove(name: string | undefined, options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const project = await openProject();
  const stack: Stack = await openStack(project, { stack: onlyStackName(name, options) });
  await stack.remove({
    confirm: () =>
      confirmOrExit(
        `Remove stack ${stack.name}, its history and its configuration? This cannot be taken back.`,
        options.yes,
      ),
    force: options.force ?? false,
    preserveConfig: options.preserveConfig ?? false,
  });
  note(`Stack ${stack.name} is removed.`);
}
