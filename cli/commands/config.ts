/** `esign config …`: the configuration of a stack, in Pulumi.<stack>.yaml. */
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { UsageError } from "../output/exit-codes";
import { literal, table } from "../output/table";
import { ask, isInteractive, note, print, printValue } from "../output/terminal";
import {
  openProject,
  openStack,
  runWithPulumi,
  type SessionOptions,
  withoutArgs,
  withStackOptions,
} from "../project/session";

interface ConfigOptions extends SessionOptions {
  json?: boolean;
  secret?: boolean;
  plaintext?: boolean;
  path?: boolean;
  showSecrets?: boolean;
}

const examples = `
A key without a namespace belongs to the project: \`colour\` is \`<project>:colour\`.

Examples:
  $ esign config set esign:baseUrl https://sign.example.com
  $ esign config set --secret esign:apiKey          asks for the value, so that no shell history keeps it
  $ esign config get esign:baseUrl
  $ esign config ls --show-secrets`;

/** Keys whose values nobody wants in clear in a file, also at the end of a path: `values["token"]`. */
const secretName = /(api-?_?key|password|passphrase|secret|token)(["']?\])*$/i;

export function addConfig(program: Command): void {
  const config = program
    .command("config")
    .description("Configuration of a stack: which account, and the values of the program.")
    .addHelpText("after", examples);
  const sub = (usage: string, summary: string) => withStackOptions(config.command(usage).description(summary));
  const path = (command: Command) => command.option("--path", "the key is a path into an object: data.list[0]");
  const json = (command: Command) => command.option("-j, --json", "as JSON");

  path(sub("set <key> [value]", "Set a value; without a value it is asked for, or read from the standard input."))
    .option("--secret", "encrypt it")
    .option("--plaintext", "keep it in clear although its name looks like a secret's")
    .action(set);
  json(path(sub("get <key>", "Show a value."))).action(get);
  json(sub("ls", "List the configuration.")).option("--show-secrets", "show the values of secrets").action(list);
  path(sub("rm <key>", "Remove a value.")).action(remove);
}

async function set(key: string, given: string | undefined, options: ConfigOptions): Promise<void> {
  if (await runWithPulumi("config", options)) return;
  if (!options.secret && !options.plaintext && secretName.test(key)) {
    throw new UsageError(
      `${key} looks like a secret: encrypt it with --secret, or say --plaintext if the file may show it. Nothing was written.`,
    );
  }
  const project = await openProject();
  const stack = await openStack(project, options);
  const value =
    given ?? (isInteractive() ? await ask(`Value of ${key}: `, { hidden: options.secret ?? false }) : await readLine());
  // Enter pressed too early, or a pipeline whose variable is not set: a key that was there would be lost.
  if (given === undefined && value === "")
    throw new UsageError(
      `no value was given for ${key}; nothing was written. An empty one is named: config set ${key} ""`,
    );
  await stack.config.set(key, value, { secret: options.secret ?? false, path: options.path ?? false });
}

/** What a pipe brings, without the line end that `echo` puts behind it. */
const readLine = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, "");

async function get(key: string, options: ConfigOptions): Promise<void> {
  if (await runWithPulumi("config", options)) return;
  const project = await openProject();
  const stack = await openStack(project, options);
  // As with the Pulumi CLI, who asks for one key wants to see it.
  const found = await stack.config.get(key, { path: options.path ?? false });
  if (found === undefined) {
    const full = key.includes(":") ? key : `${project.name}:${key}`;
    const known = [...(await stack.config.list()).keys()];
    throw new UsageError(
      `stack ${stack.name} has no configuration ${full}; ${known.length > 0 ? `it has ${known.join(", ")}` : "it has none at all"}`,
    );
  }
  if (options.json) print(JSON.stringify(found));
  else printValue(found.value);
}

async function list(options: ConfigOptions): Promise<void> {
  if (await runWithPulumi("config", options, withoutArgs("ls"))) return;
  const stack = await openStack(await openProject(), options);
  const values = await stack.config.list({ showSecrets: options.showSecrets ?? false });
  if (options.json) {
    // The shape of `pulumi config --json`.
    const shown = (secret: boolean) => !secret || options.showSecrets;
    print(
      JSON.stringify(
        Object.fromEntries(
          [...values].map(([key, { secret, ...value }]) => [key, { ...(shown(secret) && value), secret }]),
        ),
        undefined,
        2,
      ),
    );
  } else if (values.size === 0) note(`Stack ${stack.name} has no configuration.`);
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
  if (await runWithPulumi("config", options)) return;
  const stack = await openStack(await openProject(), options);
  await stack.config.remove(key, { path: options.path ?? false });
}
