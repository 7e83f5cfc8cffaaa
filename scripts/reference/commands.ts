/** The commands with their options, from the parser's own definition. */
import type { Command, Option } from "commander";
import { kebab } from "../../cli/commands/api/option-names";
import { groups } from "../../cli/commands/index";
import { wholeProgram } from "../../cli/commands/program";
import { allEndpoints, api } from "../../sdk/api/index";
import { code, table } from "./markdown";
import { membersOfValue } from "./sources";

const pathOf = (command: Command): string =>
  [command.parent?.parent ? pathOf(command.parent) : "esign", command.name()].join(" ");

const isHelp = ({ long }: Option): boolean => long === "--help";

function usageOf(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return code([pathOf(command), ...args].join(" "));
}

const sentence = (text: string): string =>
  text === "" ? "" : `${text[0]!.toUpperCase()}${text.slice(1)}${/[.:]$/.test(text) ? "" : "."}`;

function optionRow(option: Option): string[] {
  const { description, argChoices: [standard, ...others] = [] } = option;
  const choices = standard === undefined ? "" : `: ${[`${code(standard)} (default)`, ...others.map(code)].join(", ")}`;
  return [code(option.flags), sentence(description.replace(/\.$/, "") + choices)];
}

const optionsOf = (command: Command): Option[] => command.options.filter((option) => !option.hidden && !isHelp(option));

/** A command, or those below it. */
function describe(command: Command): string[] {
  if (command.commands.length > 0) return command.commands.flatMap(describe);
  const rows = optionsOf(command).map(optionRow);
  return [
    `### ${pathOf(command)}`,
    sentence(command.description()),
    ...(command.registeredArguments.length > 0 ? [usageOf(command)] : []),
    ...(rows.length > 0 ? [table(["option", "meaning"], rows)] : []),
  ];
}

/** Every command but those of the API, by the headings of `esign help`. */
export async function commands(): Promise<string> {
  const program = await wholeProgram();
  const titles = [...new Set(groups.map(({ title }) => title))].filter((title) => title !== "API:");
  return titles
    .flatMap((title) => [
      `## ${title.replace(/:$/, "")}`,
      ...groups
        .filter((group) => group.title === title)
        .flatMap((group) => Object.keys(group.commands))
        .flatMap((name) => describe(program.commands.find((one) => one.name() === name)!)),
    ])
    .join("\n\n");
}

export async function globalOptions(): Promise<string> {
  return table(["option", "meaning"], optionsOf(await wholeProgram()).map(optionRow));
}

/** The commands of the API, each with its endpoint. */
export async function apiCommands(): Promise<string> {
  const program = await wholeProgram();
  const own = allEndpoints.map(({ group, operation, endpoint }) => {
    const parent = program.commands.find((one) => one.name() === kebab(group))!;
    const at = Object.keys(api[group]).indexOf(operation);
    return [usageOf(parent.commands[at]!), code(`${endpoint.method} ${endpoint.path}`), endpoint.summary];
  });
  return table(["command", "endpoint", "what it does"], own);
}

/** The options that every command of an endpoint has. */
export async function apiOptions(): Promise<string> {
  const program = await wholeProgram();
  const branding = program.commands.find((one) => one.name() === "branding")!;
  const get = branding.commands.find((one) => one.name() === "get")!;
  return table(["option", "meaning"], optionsOf(get).map(optionRow));
}

export async function exitCodes(): Promise<string> {
  const { Exit } = await import("../../cli/output/exit-codes.js");
  const notes = new Map(membersOfValue("cli/output/exit-codes.ts", "Exit").map(({ name, note }) => [name, note]));
  return table(
    ["code", "meaning"],
    Object.entries(Exit).map(([name, number]) => [String(number), notes.get(name) || "Done."]),
  );
}
