/** `esign stack`, `stack output`, `stack resources` and `stack history`: what a stack has deployed. */
import { UsageError } from "../../output/errors";
import { formatHistory, printJson } from "../../output/json-formats";
import { literal, nameValueTable, table } from "../../output/table";
import { colours, note, print, printValue } from "../../output/terminal";
import { openStack } from "../../project/choose-stack";
import { openProject } from "../../project/open-project";
import type { StackOptions } from "./options";

export async function summarize(options: StackOptions): Promise<void> {
  const project = await openProject();
  const stack = await openStack(project, options);
  if (options.showName) return void print(stack.name);
  const showSecrets = options.showSecrets ?? false;
  const [all, outputs] = [await stack.resources({ showSecrets }), await stack.outputs({ showSecrets })];
  const [last] = await stack.history();
  print(
    nameValueTable([
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

const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

export async function output(name: string | undefined, options: StackOptions): Promise<void> {
  const stack = await openStack(await openProject(), options);
  const outputs = await stack.outputs({ showSecrets: options.showSecrets ?? false });
  if (name !== undefined) {
    if (!Object.hasOwn(outputs, name)) {
      const names = Object.keys(outputs);
      throw new UsageError(
        `stack ${stack.name} has no output ${name}; ${names.length > 0 ? `it has ${names.join(", ")}` : "it has none"}`,
      );
    }
    if (options.json) print(JSON.stringify(outputs[name]));
    else printValue(text(outputs[name]));
  } else if (options.json) print(JSON.stringify(outputs, undefined, 2));
  else if (Object.keys(outputs).length === 0) note(`Stack ${stack.name} has no outputs.`);
  else print(outputTable(outputs));
}

export async function resources(options: StackOptions): Promise<void> {
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

/** Operations of the history, as they read when they are done. */
const pastTense: Record<string, string> = {
  same: "unchanged",
  create: "created",
  update: "updated",
  delete: "deleted",
  replace: "replaced",
  refresh: "refreshed",
};

export async function history(options: StackOptions): Promise<void> {
  const stack = await openStack(await openProject(), options);
  const { showSecrets = false, page, pageSize } = options;
  const entries = await stack.history({
    showSecrets,
    ...(pageSize !== undefined && { from: ((page ?? 1) - 1) * pageSize, count: pageSize }),
  });
  if (options.json) printJson(formatHistory(entries, showSecrets));
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
      print(`${heading}\n${nameValueTable(facts)}\n`);
    }
  }
}
