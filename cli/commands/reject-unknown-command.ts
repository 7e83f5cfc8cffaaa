/** What is said of a mistyped subcommand. */
import type { Command } from "commander";
import { closeMatch } from "../../sdk/text/did-you-mean";

/** For a command with subcommands and without arguments: another word after it is a mistyped one. */
export function rejectUnknownCommand(group: Command, [unknown]: readonly string[]): void {
  if (unknown === undefined) return;
  const names = group.commands.map((command) => command.name());
  const near = closeMatch(unknown, names);
  group.error(`error: unknown command '${unknown}'${near === undefined ? "" : `\n(Did you mean ${near}?)`}`);
}
