/** A command with subcommands may have options that these have, too: the subcommand gets them. */
import type { Command, Option } from "commander";
import { expect, test } from "vitest";
import { wholeProgram } from "../../cli/commands/program";

/** The subcommands whose options the command above has as well. */
async function sharing(): Promise<{ path: string[]; option: Option }[]> {
  const found: { path: string[]; option: Option }[] = [];
  const visit = (command: Command, path: string[]) => {
    for (const sub of command.commands) {
      const shared = command.options.length > 0 && command.parent ? sub.options : [];
      for (const option of shared)
        if (command.options.some(({ long }) => long === option.long))
          found.push({ path: [...path, sub.name()], option });
      visit(sub, [...path, sub.name()]);
    }
  };
  visit(await wholeProgram(), []);
  return found;
}

test("each subcommand gets its options, also those that the command above has", async () => {
  const all = await sharing();
  const names = all.map(({ path, option }) => `${path.join(" ")} ${option.long}`);
  expect(names).toEqual(expect.arrayContaining(["drift unmanaged --json", "emulator trigger --json"]));
  for (const { path, option } of all) {
    const program = await wholeProgram();
    const command = path.reduce((at, name) => at.commands.find((sub) => sub.name() === name)!, program);
    let result: unknown;
    command.action(() => {
      result = command.opts()[option.attributeName()];
    });
    const value = option.argChoices?.[0] ?? "x";
    const operands = command.registeredArguments.filter(({ required }) => required).map(() => "all");
    await program.parseAsync([...path, ...operands, option.long!, ...(option.required ? [value] : [])], {
      from: "user",
    });
    const at = [...path, option.long].join(" ");
    expect(result, at).toBe(option.required ? value : true);
  }
});

test.each([
  ["drift --stack a unmanaged", '--stack is an option of "esign drift", "esign drift unmanaged" has none of this name'],
  ["emulator trigger all --port 4010", '--port is an option of "esign emulator", "esign emulator trigger" has none'],
])("`%s` would have no effect", async (line, message) => {
  const program = await wholeProgram();
  await expect(program.parseAsync(line.split(" "), { from: "user" })).rejects.toThrow(message);
});
