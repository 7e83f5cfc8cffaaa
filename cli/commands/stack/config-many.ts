/** `esign config set-all`, `rm-all` and `refresh`: several values at once. */
import type { Command } from "commander";
import type { ConfigValue } from "../../../engine/index";
import { parseJsonText } from "../../../fs/json-text";
import { UsageError } from "../../output/errors";
import { note } from "../../output/terminal";
import { openStack } from "../../project/choose-stack";
import { openProject, type StackSelection } from "../../project/open-project";
import { stackCommand } from "../../project/pass-to-pulumi";
import { rejectUnknownSettings } from "./reject-unknown-settings";

interface ManyOptions extends StackSelection {
  path?: boolean;
  plaintext?: string[];
  secret?: string[];
  json?: string;
}

const collect = (value: string, before: string[] = []) => [...before, value];

export function addConfigMany(config: Command): void {
  const sub = (usage: string, summary: string) => stackCommand(config.command(usage).description(summary));
  sub("set-all", "Set several values at once.")
    .option("--path", "the keys are paths into objects: data.list[0]")
    .option("--plaintext <key=value>", "a value to store unencrypted; repeatable", collect)
    .option("--secret <key=value>", "a value to encrypt; repeatable", collect)
    .option("-j, --json <text>", "values as `config ls --json` prints them")
    .action(setAll);
  sub("rm-all <keys...>", "Remove several values.")
    .option("--path", "the keys are paths into objects: data.list[0]")
    .action(removeAll);
  sub("refresh", "Restore the values of the last deployment. A copy of the present file is kept.")
    .option("-f, --force", "keep no copy")
    .action(refresh);
}

async function setAll(options: ManyOptions): Promise<void> {
  const values = [
    ...(options.plaintext ?? []).map((pair) => ({ ...split(pair), secret: false })),
    ...(options.secret ?? []).map((pair) => ({ ...split(pair), secret: true })),
  ];
  const others = options.json === undefined ? undefined : parseValues(options.json);
  const project = await openProject();
  const keysOf = (pairs: readonly { key: string }[]) => pairs.map(({ key }) => key);
  await rejectUnknownSettings(project, keysOf(values), options.path);
  await rejectUnknownSettings(project, keysOf(others ?? []));
  const stack = await openStack(project, options);
  await stack.config.setAll(values, { path: options.path ?? false });
  if (others !== undefined) await stack.config.setAll(others);
}

function split(pair: string): { key: string; value: string } {
  const at = pair.indexOf("=");
  if (at <= 0) throw new UsageError("config set-all takes pairs: write each as key=value");
  return { key: pair.slice(0, at), value: pair.slice(at + 1) };
}

function parseValues(json: string) {
  let pairs: Record<string, Partial<ConfigValue>>;
  try {
    pairs = parseJsonText(json) as never;
  } catch {
    throw new UsageError("config set-all --json: that is not JSON");
  }
  return Object.entries(pairs).map(([key, { value, objectValue, secret = false }]) => {
    if (value === undefined) throw new UsageError(`config set-all --json: ${key} has no value`);
    if (objectValue !== undefined && secret)
      throw new UsageError(
        `config set-all --json: ${key} is an object with secrets; set its parts with --path --secret`,
      );
    return { key, value, secret, ...(objectValue !== undefined && { objectValue }) };
  });
}

async function removeAll(keys: string[], options: ManyOptions): Promise<void> {
  const stack = await openStack(await openProject(), options);
  await stack.config.removeAll(keys, { path: options.path ?? false });
}

async function refresh({ force = false, ...options }: StackSelection & { force?: boolean }): Promise<void> {
  const { config, name } = await openStack(await openProject(), options);
  const copy = await config.refresh({ force });
  note(
    `Restored the configuration of stack ${name}${copy === undefined ? "" : `; a copy of the previous one is ${copy}`}.`,
  );
}
