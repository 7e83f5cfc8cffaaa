/** `esign config …`: the configuration of a stack, in Pulumi.<stack>.yaml. */
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { isSecretSetting } from "../../../rules/secret-settings";
import { UsageError } from "../../output/errors";
import { formatConfig, printJson } from "../../output/json-formats";
import { literal, table } from "../../output/table";
import { ask, isInteractive, note, print, printValue } from "../../output/terminal";
import { openStack } from "../../project/choose-stack";
import { rejectLocalPassphrase } from "../../project/local-passphrase";
import { openProject, type StackSelection, selectedStack } from "../../project/open-project";
import { stackCommand, withoutSubcommand } from "../../project/pass-to-pulumi";
import { projectFolder } from "../../project/project-files";
import { addConfigMany } from "./config-many";
import { rejectUnknownSettings } from "./reject-unknown-settings";

interface ConfigOptions extends StackSelection {
  json?: boolean;
  secret?: boolean;
  plaintext?: boolean;
  path?: boolean;
  showSecrets?: boolean;
}

const examples = `
Keys without a namespace belong to the project: \`colour\` means
\`<project>:colour\`.

Examples:
  $ esign config set esign:baseUrl https://sign.example.com
  $ esign config set --secret esign:apiKey      prompts for the value
  $ esign config get esign:baseUrl
  $ esign config ls --show-secrets`;

export function addConfig(program: Command): void {
  const config = program
    .command("config")
    .description("Read and write a stack's configuration. Without a command: list it.")
    .addHelpText("after", examples);
  const sub = (usage: string, summary: string) => stackCommand(config.command(usage).description(summary));
  const path = (command: Command) => command.option("--path", "the key is a path into an object: data.list[0]");
  const json = (command: Command) => command.option("-j, --json", "as JSON");

  const set = config
    .command("set <key> [value]")
    .hook("preAction", (_, command) => rejectLocalPassphraseFor(command.args[0] ?? "", command.opts()));
  path(stackCommand(set.description("Set a value. Without one, prompts for it or reads stdin.")))
    .option("--secret", "encrypt it")
    .option("--plaintext", "store it unencrypted although it looks like a secret")
    .action(setValue);
  json(path(sub("get <key>", "Show a value."))).action(get);
  const ls = config.command("ls", { isDefault: true }).description("List the configuration.");
  json(stackCommand(ls, withoutSubcommand("ls")))
    .option("--show-secrets", "show the values of secrets")
    .action(list);
  path(sub("rm <key>", "Remove a value.")).action(remove);
  addConfigMany(config);
}

async function setValue(key: string, text: string | undefined, options: ConfigOptions): Promise<void> {
  if (!options.secret && !options.plaintext && isSecretSetting(key)) {
    throw new UsageError(`refusing to store "${key}" in plain text. Use --secret, or --plaintext to confirm.`);
  }
  const project = await openProject();
  await rejectUnknownSettings(project, [key], options.path);
  const stack = await openStack(project, options);
  const value =
    text ?? (isInteractive() ? await ask(`Value of ${key}: `, { hidden: options.secret ?? false }) : await readLine());
  // Enter pressed too early, or a pipeline whose variable is not set, would overwrite a key.
  if (text === undefined && value === "")
    throw new UsageError(`no value for ${key}. For an empty value: config set ${key} ""`);
  await stack.config.set(key, value, { secret: options.secret ?? false, path: options.path ?? false });
}

/** The key of an account is not encrypted with what `--local` has made. */
async function rejectLocalPassphraseFor(key: string, { secret, stack: named }: ConfigOptions): Promise<void> {
  const stack = named ?? (await selectedStack());
  if (!secret || stack === undefined || !/^esign:(config:)?apiKey$/.test(key)) return;
  // Setting one names an account, unless it is one of this machine.
  await rejectLocalPassphrase(projectFolder(), stack, { ...process.env, ESIGN_API_KEY: "set" });
}

/** What a pipe brings, without the line end that `echo` puts behind it. */
const readLine = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, "");

async function get(key: string, options: ConfigOptions): Promise<void> {
  const project = await openProject();
  const stack = await openStack(project, options);
  // A single key is shown even if it is secret, as the Pulumi CLI does.
  const found = await stack.config.get(key, { path: options.path ?? false });
  if (found === undefined) {
    const full = key.includes(":") ? key : `${project.name}:${key}`;
    const keys = [...(await stack.config.list()).keys()];
    throw new UsageError(
      `stack ${stack.name} has no configuration ${full}; ${keys.length > 0 ? `it has ${keys.join(", ")}` : "it has none"}`,
    );
  }
  if (options.json) print(JSON.stringify(found));
  else printValue(found.value);
}

async function list(options: ConfigOptions): Promise<void> {
  const stack = await openStack(await openProject(), options);
  const values = await stack.config.list({ showSecrets: options.showSecrets ?? false });
  if (options.json) printJson(formatConfig(values, options.showSecrets ?? false));
  else if (values.size === 0) note(`Stack ${stack.name} has no configuration.`);
  else
    print(
      table(
        ["KEY", "VALUE"],
        [...values].map(([key, { value }]) => [key, literal(value)]),
        { whole: true },
      ),
    );
}

async function remove(key: string, options: ConfigOptions): Promise<void> {
  const stack = await openStack(await openProject(), options);
  await stack.config.remove(key, { path: options.path ?? false });
}
