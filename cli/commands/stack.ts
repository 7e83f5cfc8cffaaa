/** `esign stack …`: stacks, their outputs, their state as a whole and their history. */
import { readFileSync } from "node:fs";
import { text as textOf } from "node:stream/consumers";
import { type Command, Option } from "commander";
import type { Stack } from "../../engine/index";
import { writeDurably } from "../../fs/atomic-write";
import { closeMatch } from "../../sdk/text/did-you-mean";
import { UsageError } from "../output/exit-codes";
import { literal, record, table } from "../output/table";
import { colours, errorColours, isInteractive, isVerbose, note, print, printValue, write } from "../output/terminal";
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

/** Operations of the history, as they read when they are done. */
const pastTense: Record<string, string> = {
  same: "unchanged",
  create: "created",
  update: "updated",
  delete: "deleted",
  replace: "replaced",
  refresh: "refreshed",
};

interface StackOptions extends SessionOptions {
  json?: boolean;
  yes?: boolean;
  showSecrets?: boolean;
  force?: boolean;
  file?: string;
  out?: string;
  showUrns?: boolean;
  showName?: boolean;
  preserveConfig?: boolean;
  create?: boolean;
}

const examples = `
Examples:
  $ esign stack init staging
  $ esign stack output --json
  $ esign stack output webhookIds
  $ esign stack export --out state.json`;

export function addStack(program: Command): void {
  const stack = program
    .command("stack")
    .description("Stacks are deployments of a project, such as staging. Without a command: show the current one.")
    .addHelpText("after", examples);
  const sub = (usage: string, summary: string) => withStackOptions(stack.command(usage).description(summary));
  const json = (command: Command) => command.option("-j, --json", "as JSON");
  const showSecrets = (command: Command) => command.option("--show-secrets", "show the values of secrets");
  const yes = (command: Command) => command.option("-y, --yes", "do not ask");

  addSummary(stack);
  sub("init [name]", "Create a stack, and select it.").action(init);
  json(sub("ls", "List the stacks of the project.")).action(list);
  sub("select [name]", "Select the stack to use by default.")
    .option("-c, --create", "create it if it does not exist")
    .action(select);
  sub("rename <name>", "Rename a stack, and select it.").action(rename);
  showSecrets(json(sub("output [name]", "Show the outputs of a stack, or one of them."))).action(output);
  showSecrets(json(sub("resources", "List the resources of a stack."))).action(resources);
  showSecrets(sub("export", "Export the state of a stack as JSON."))
    .option("-o, --out <path>", "to this file (default: stdout)")
    .addOption(new Option("--file <path>", "the same, as in the Pulumi CLI").hideHelp())
    .action(exportState);
  yes(sub("import", "Replace the state of a stack by an exported one."))
    .option("--file <path>", "from this file (default: stdin)")
    .option("-f, --force", "even if it is of another stack, or has errors")
    .action(importState);
  showSecrets(json(sub("history", "List the deployments of a stack, newest first."))).action(history);
  yes(sub("rm [name]", "Remove a stack, its history and its configuration."))
    .option("-f, --force", "even if it has resources; they stay in the account")
    .option("--preserve-config", "keep the configuration file")
    .action(remove);
  addUnprotect(stack);
}

/** `esign stack`: the stack that the other commands use by default. */
function addSummary(stack: Command): void {
  withStackOptions(stack.command("show", { isDefault: true, hidden: true }))
    .allowExcessArguments()
    .option("-u, --show-urns", "show the URNs of the resources")
    .option("--show-name", "show only the name of the stack")
    .option("--show-secrets", "show the values of secrets")
    .action(async (options: StackOptions, command: Command) => {
      const [unknown] = command.args;
      if (unknown !== undefined) stack.error(`error: unknown command '${unknown}'${suggestion(stack, unknown)}`);
      await summarize(options);
    });
}

function suggestion(stack: Command, word: string): string {
  const near = closeMatch(
    word,
    stack.commands.map((command) => command.name()),
  );
  return near === undefined ? "" : `\n(Did you mean ${near}?)`;
}

async function summarize(options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const project = await openProject();
  const stack = await openStack(project, options);
  if (options.showName) return void print(stack.name);
  const showSecrets = options.showSecrets ?? false;
  const [all, outputs] = [await stack.resources({ showSecrets }), await stack.outputs({ showSecrets })];
  const [last] = await stack.history();
  print(
    record([
      ["Stack", stack.name],
      ["Project", project.name],
      ["State", project.backend.folder],
      ["Last update", last === undefined ? "never" : `${last.endTime} (${last.result})`],
      ["Resources", String(all.length)],
    ]),
  );
  if (options.showUrns) for (const { urn } of all) print(`  ${urn}`);
  if (Object.keys(outputs).length > 0) print(`\n${outputTable(outputs)}`);
}

const outputTable = (outputs: Record<string, unknown>): string =>
  table(
    ["OUTPUT", "VALUE"],
    Object.entries(outputs).map(([key, value]) => [key, literal(value)]),
    { whole: true },
  );

async function init(name: string | undefined, options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const wanted = onlyStackName(name, options);
  if (wanted === undefined) throw new UsageError("the new stack needs a name: esign stack init dev");
  const project = await openProject();
  await project.initStack(wanted);
  const selected = await project.selectStack(wanted).then(() => " and selected", notSelected);
  note(`Created${selected} stack "${wanted}".${isVerbose() ? ` State: ${project.backend.folder}` : ""}`);
}

/** The stack exists even if the selection cannot be saved: a warning. */
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
    note(`No stacks in project "${project.name}" (${project.backend.folder}). Create one: esign stack init dev`);
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
  note(`Selected stack "${name}".`);
}

async function rename(name: string, options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const project = await openProject();
  const { name: from } = await openStack(project, options);
  const selected = await project.renameStack(from, name).then(() => ", and selected", notSelected);
  note(`Renamed stack "${from}" to "${name}"${selected}.`);
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
        `stack ${stack.name} has no output ${name}; ${known.length > 0 ? `it has ${known.join(", ")}` : "it has none"}`,
      );
    }
    if (options.json) print(JSON.stringify(outputs[name]));
    else printValue(text(outputs[name]));
  } else if (options.json) print(JSON.stringify(outputs, undefined, 2));
  else if (Object.keys(outputs).length === 0) note(`Stack ${stack.name} has no outputs.`);
  else print(outputTable(outputs));
}

async function resources(options: StackOptions): Promise<void> {
  // The CLI shows them as a tree, and as JSON only with all the rest of the state.
  const asTheCliDoes = (args: string[]) => {
    const [stack = "", ...rest] = withoutArgs("resources", "--json", "-j")(args);
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
  const file = options.out ?? options.file;
  const asTheCliDoes = (args: string[]) => args.map((arg) => arg.replace(/^(--out|-o)(?==|$)/, "--file"));
  if (await runWithPulumi("stack", options, asTheCliDoes)) return;
  const stack = await openStack(await openProject(), options);
  const json = `${JSON.stringify(await stack.export({ showSecrets: options.showSecrets ?? false }), undefined, 4)}\n`;
  if (file === undefined) {
    write(json);
    return;
  }
  // With --show-secrets it contains them unencrypted: readable by its owner only.
  await writeDurably(file, json, { mode: 0o600 });
  note(`Exported the state of stack "${stack.name}" to ${file}.`);
}

async function importState(options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options, withoutArgs("--yes", "-y"))) return;
  const place = options.file ?? "stdin";
  let deployment: unknown;
  try {
    deployment = JSON.parse(
      options.file === undefined ? await textOf(process.stdin) : readFileSync(options.file, "utf8"),
    );
  } catch (error) {
    throw new UsageError(`${place} contains no state: ${(error as Error).message}`);
  }
  const stack = await openStack(await openProject(), options);
  await stack.import(deployment, {
    confirm: async () => {
      // Without a terminal it does not ask, like the Pulumi CLI: the old state is in the backups.
      if (isInteractive() && options.file !== undefined)
        await confirmOrExit(`Replace the state of stack ${stack.name} by that of ${place}?`, options.yes);
    },
    force: options.force ?? false,
  });
  note(`Replaced the state of stack "${stack.name}"; the old one is in its backups.`);
}

async function history(options: StackOptions): Promise<void> {
  if (await runWithPulumi("stack", options)) return;
  const stack = await openStack(await openProject(), options);
  const entries = await stack.history();
  if (options.json) print(JSON.stringify(entries, undefined, 2));
  else if (entries.length === 0) note(`Stack ${stack.name} has no history yet.`);
  else {
    const counts = (changes: Record<string, number>) =>
      Object.entries(changes)
        .filter(([, count]) => count > 0)
        .map(([op, count]) => `${count} ${pastTense[op] ?? op}`)
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
        `Remove stack ${stack.name}, its history and its configuration? This cannot be undone.`,
        options.yes,
      ),
    force: options.force ?? false,
    preserveConfig: options.preserveConfig ?? false,
  });
  note(`Removed stack "${stack.name}".`);
}
