/** What is checked of the options of every command before its action. */
import type { Command } from "commander";
import { UsageError } from "../output/errors";

/**
 * The parser gives an option that a command and a subcommand of it both have to the former, wherever it stands: the subcommand
 * gets it here. Those that it does not have would have no effect. (The parser's own `enablePositionalOptions` would keep
 * global options from standing after a command.)
 */
export function passOptionsOn(action: Command): void {
  const own = new Set(action.options.map((option) => option.attributeName()));
  for (let group = action.parent, path = action.name(); group?.parent; group = group.parent) {
    path = `${group.name()} ${path}`;
    for (const option of group.options) {
      const name = option.attributeName();
      if (group.getOptionValueSource(name) !== "cli") continue;
      if (!own.has(name))
        throw new UsageError(
          `${option.long} is an option of "esign ${group.name()}", "esign ${path}" has none of this name`,
        );
      action.setOptionValueWithSource(name, group.getOptionValue(name), "cli");
    }
  }
}

/** An empty name is an unset variable of a shell; it must not mean this folder, or the selected stack. */
export function rejectEmptyNames(action: Command): void {
  const values = action.opts();
  const names = /[<[](folder|file|path|name|stack|company|urn)[\]>]/;
  for (const option of action.options) {
    if (names.test(option.flags) && [values[option.attributeName()]].flat().includes(""))
      throw new UsageError(`${option.long} needs a name: the value is empty`);
  }
  for (const [i, argument] of action.registeredArguments.entries()) {
    if (names.test(`<${argument.name()}>`) && action.processedArgs[i] === "")
      throw new UsageError(`<${argument.name()}> needs a name: the value is empty`);
  }
}
