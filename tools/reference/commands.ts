/** The commands with their options, from the parser's own definition. */
import type { Command, Option } from "commander";
import { kebab } from "../../cli/commands/api/option-names";
import { groups } from "../../cli/commands/index";
import { wholeProgram } from "../../cli/commands/program";
import { allEndpoints, api } from "../../sdk/api/index";
import { code, table } from "./markdown";

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
const leavesOf = (command: Command): Command[] =>
  command.commands.length > 0 ? command.commands.flatMap(leavesOf) : [command];

/** Whether its name alone does something, beside the commands below it. */
const isBoth = (command: Command): boolean => command.commands.length > 0 && optionsOf(command).length > 0;

/** What a module adds; a command that also has others below it, and each of these, is described by itself. */
function describeGroup(names: readonly string[], added: readonly Command[]): string[] {
  const [first] = added;
  if (first === undefined || !isBoth(first)) return describe(names, added.flatMap(leavesOf));
  return [first, ...leavesOf(first)].flatMap((one) => describe([pathOf(one).replace("esign ", "")], [one]));
}

/** Commands that one module adds: one table of them, and one of their options, with the commands where it is not all that have it. */
function describe(names: readonly string[], commands: readonly Command[]): string[] {
  const owners = new Map<string, { row: string[]; commands: Command[] }>();
  for (const command of commands)
    for (const option of optionsOf(command)) {
      const row = optionRow(option);
      const owner = owners.get(row.join()) ?? { row, commands: [] };
      owners.set(row.join(), { row, commands: [...owner.commands, command] });
    }
  const verb = (command: Command) => {
    const words = pathOf(command).split(" ");
    return code(words.slice(names.length > 1 ? 1 : 2).join(" "));
  };
  const only = (having: readonly Command[]) => {
    const others = commands.filter((command) => !having.includes(command));
    if (others.length === 0) return "";
    const words = others.length < having.length ? (["not", others] as const) : (["only", having] as const);
    return ` (${words[0]} ${words[1].map(verb).join(", ")})`;
  };
  const rows = commands.map((command) => [usageOf(command), sentence(command.description())]);
  return [
    `#### esign ${names.join(", ")}`,
    rows.length === 1 ? rows[0]!.join(": ") : table(["command", "what it does"], rows),
    ...(owners.size > 0
      ? [
          table(
            ["option", "meaning"],
            [...owners.values()].map(({ row: [flags = "", meaning = ""], commands: having }) => [
              flags,
              meaning.replace(/\.$/, `${only(having)}.`),
            ]),
          ),
        ]
      : []),
  ];
}

/** Every command but those of the API, by the headings of `esign help --all`. */
export async function commands(): Promise<string> {
  const program = await wholeProgram();
  const titles = [...new Set(groups.map(({ title }) => title))].filter((title) => title !== "API:");
  return titles
    .flatMap((title) => [
      `### ${title.replace(/:$/, "")}`,
      ...groups
        .filter((group) => group.title === title)
        .flatMap((group) => {
          const names = Object.keys(group.commands);
          return describeGroup(
            names,
            program.commands.filter((one) => names.includes(one.name())),
          );
        }),
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
