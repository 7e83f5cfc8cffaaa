/** `esign stack tag …`: names and values that a stack carries; the engines do nothing with them. */
import type { Command } from "commander";
import { UsageError } from "../../output/errors";
import { printJson } from "../../output/json-formats";
import { literal, table } from "../../output/table";
import { note, print, printValue } from "../../output/terminal";
import { openStack } from "../../project/choose-stack";
import { openProject } from "../../project/open-project";
import { stackCommand } from "../../project/pass-to-pulumi";
import type { StackOptions } from "./options";

export function addTags(stack: Command): void {
  const tag = stack.command("tag").description("Read and write the tags of a stack.");
  const sub = (usage: string, summary: string) => stackCommand(tag.command(usage).description(summary));
  sub("get <name>", "Show a tag.").action(get);
  sub("ls", "List the tags.").option("-j, --json", "as JSON").action(list);
  sub("rm <name>", "Remove a tag.").action(remove);
  sub("set <name> <value>", "Set a tag.").action(set);
}

async function list(options: StackOptions): Promise<void> {
  const tags = await (await openStack(await openProject(), options)).tags();
  if (options.json) printJson(tags);
  else if (Object.keys(tags).length === 0) note("The stack has no tags.");
  else
    print(
      table(
        ["NAME", "VALUE"],
        Object.entries(tags).map(([name, value]) => [name, literal(value)]),
      ),
    );
}

async function get(name: string, options: StackOptions): Promise<void> {
  const stack = await openStack(await openProject(), options);
  const tags = await stack.tags();
  if (!Object.hasOwn(tags, name)) throw new UsageError(`stack ${stack.name} has no tag ${name}`);
  printValue(tags[name] as string);
}

async function set(name: string, value: string, options: StackOptions): Promise<void> {
  const stack = await openStack(await openProject(), options);
  await stack.setTags({ ...(await stack.tags()), [name]: value });
}

async function remove(name: string, options: StackOptions): Promise<void> {
  const stack = await openStack(await openProject(), options);
  const { [name]: _removed, ...rest } = await stack.tags();
  await stack.setTags(rest);
}
